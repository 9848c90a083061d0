// Protects docs/containers, as far as that goes without Docker and a cluster: the files say what a safe pod
// needs, and each of their commands runs as a process, with what a pod would find: another user, a read-only
// working directory, no home, a volume, and a SIGTERM. Docker builds no image here.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import {
  containerOf,
  instructions,
  readContainerFile,
  readManifests,
  readPods,
  services,
  valuesOf,
  type Container,
} from '../support/container-files.ts'
import { serveFile } from '../support/endpoint.ts'
import { freePort } from '../support/free-port.ts'
import { main, splitWords } from '../support/program.ts'
import { skipsRedis, startRedis, type RedisServer } from '../support/redis-server.ts'
import { blocksOf } from '../support/readme-blocks.ts'
import { openWorkspace } from '../support/workspace.ts'

const KEY = 'pod-key-0123456789abcdef'
const { at, folder, rows, summary } = openWorkspace({
  'sets/questions.csv': `id,message\n${Array.from({ length: 24 }, (_, index) => `q${index},Question ${index}?\n`).join('')}`,
})
const isRoot = process.getuid?.() === 0
const POD_USER = 1000
chmodSync(folder, 0o755)
mkdirSync(at('bin'))
symlinkSync(main, at('bin/assist-harness'))
mkdirSync(at('root'), { mode: 0o555 })
mkdirSync(at('reports'))
if (isRoot) chownSync(at('reports'), POD_USER, POD_USER)

/**
 * The words before a command that make it process 1 of a container of its own: no capabilities, and all file
 * systems read-only but the volume. As `docker run --read-only --cap-drop ALL`.
 */
const CONTAINER = [
  ...'unshare --mount --pid --fork --kill-child --mount-proc sh -c'.split(' '),
  `mount --make-rprivate /
  mount --bind "$0" "$0"
  for point in $(awk '{ print $2 }' /proc/self/mounts); do
    [ "$point" = "$0" ] || mount -o remount,bind,ro "$point" 2> /dev/null
  done
  touch "$0/../probe" 2> /dev/null && exit 99
  cd "$PWD"
  exec setpriv --reuid ${POD_USER} --regid ${POD_USER} --clear-groups --no-new-privs --bounding-set=-all "$@"`,
  at('reports'),
]
const [unshare = '', ...inside] = CONTAINER
const canContain = isRoot && spawnSync(unshare, [...inside, 'true']).status === 0
if (!canContain) console.warn('no namespaces here: the test of process 1 on a read-only root is skipped')

let onCall: (() => void) | undefined
const endpoint = await serveFile(() => onCall?.())

type Variables = Readonly<Record<string, string>>
interface Pod {
  readonly stop: () => void
  /** Stops it when it has printed this. */
  readonly stopWhen: (said: RegExp) => void
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>
}

/** What a container runtime does with a command: paths of the volumes, the environment and the user. */
async function startPod(
  { command = entrypoint(), args }: Pick<Container, 'command' | 'args'>,
  env: Variables,
  { cwd = at('root'), runtime = [] }: { readonly cwd?: string; readonly runtime?: readonly string[] } = {},
): Promise<Pod> {
  const port = await freePort()
  const [file = '', ...words] = [...command, ...args].map((word) =>
    word
      .replaceAll(/\$\((\w+)\)/g, (_, name: string) => env[name] ?? `$(${name})`)
      .replaceAll('/reports/', `${at('reports')}/`)
      .replaceAll('/sets/', `${at('sets')}/`)
      .replaceAll('0.0.0.0:9464', `127.0.0.1:${port}`),
  )
  const [started = '', ...more] = [...runtime, file, ...words]
  const child = spawn(started, more, {
    cwd,
    env: {
      PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
      HOME: '/nonexistent',
      TMPDIR: '/nonexistent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && runtime.length === 0 ? { uid: POD_USER, gid: POD_USER } : {}),
  })
  let screen = ''
  let awaited: RegExp | undefined
  const stop = (): void => (runtime.length === 0 ? void child.kill('SIGTERM') : stopChild(child.pid))
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      screen += text
      if (awaited?.test(screen) !== true) return
      awaited = undefined
      stop()
    })
  return {
    stop,
    stopWhen: (said) => {
      awaited = said
    },
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, screen })),
  }
}

/** Sends a SIGTERM to the only child of a process. Linux alone has namespaces, and this file. */
function stopChild(pid = 0): void {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  // A 0 would name the group of this process.
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`process ${pid} has not one child, but '${text}'`)
  process.kill(Number(text), 'SIGTERM')
}

/** The image's own, with the built program of this checkout in place of the installed one. */
function entrypoint(): string[] {
  const words = z.array(z.string()).parse(JSON.parse(valuesOf('ENTRYPOINT')[0] ?? ''))
  return words.map((word) => (word.startsWith('/app/node_modules/assist-harness/') ? main : word))
}

/** The variables of a container: `given` replaces the sandbox's address, secrets and fields by name. */
function variablesOf({ env, envFrom }: Container, given: Variables): Variables {
  const all: Variables = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: KEY, ...given }
  const declared = env.map((one) => {
    const value = all[one.name] ?? ('value' in one ? one.value : undefined)
    if (value === undefined) throw new Error(`nothing gives ${one.name}`)
    return [one.name, value] as const
  })
  const index = given['JOB_COMPLETION_INDEX']
  return {
    ...(envFrom.length === 0 ? {} : given),
    ...Object.fromEntries(declared),
    ...(index === undefined ? {} : { JOB_COMPLETION_INDEX: index }),
  }
}

async function expectPod(code: number, container: Container, given: Variables = {}): Promise<string> {
  const ended = await (await startPod(container, variablesOf(container, given))).ended
  expect(ended.code, ended.screen).toBe(code)
  return ended.screen
}

/** Stops a pod, as a drained node does, when its third call arrives. */
async function expectStopped({ stop, ended }: Pod): Promise<void> {
  const first = endpoint.calls.length
  onCall = () => {
    if (endpoint.calls.length === first + 3) stop()
  }
  const { code, screen } = await ended
  onCall = undefined
  expect(code, screen).toBe(143)
}

/** Closes after the test. */
async function openRedis(): Promise<RedisServer> {
  const redis = await startRedis()
  onTestFinished(async () => redis.close())
  return redis
}

describe('the Dockerfile', () => {
  test('runs Node itself, as a user by number, in the folder of the volume', () => {
    expect(valuesOf('FROM')).toEqual(['node:20-slim AS build', 'node:20-slim'])
    expect(valuesOf('USER')).toEqual(['1000:1000'])
    expect(valuesOf('WORKDIR').at(-1)).toBe('/reports')
    expect(valuesOf('VOLUME')).toEqual(['/reports'])
    expect(entrypoint()).toEqual(['node', main])
    const names = instructions.map(([name]) => name)
    expect(names.lastIndexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'))
  })

  test('installs no tools of development and takes no secret or run folder along', () => {
    expect(valuesOf('RUN').find((line) => line.includes('npm install'))).toContain('--omit=dev')
    expect([...valuesOf('ENV'), ...valuesOf('ARG')].filter((line) => /KEY|TOKEN|SECRET/i.test(line))).toEqual(
      [],
    )
    const ignored = readContainerFile('Dockerfile.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.env.*', 'node_modules', 'reports']))
  })
})

test.each(['cronjob.yaml', 'shards.yaml'])('%s takes the key from a Secret alone', (name) => {
  const containers = [...readPods(name).values()].map((pod) => pod.containers[0])
  expect(containers.length).toBeGreaterThan(0)
  for (const { env, volumeMounts } of containers) {
    const secret = env.filter((one) => /KEY$|REDIS/.test(one.name))
    expect(secret.filter((one) => !('valueFrom' in one && 'secretKeyRef' in one.valueFrom))).toEqual([])
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/reports')
  }
})

test('a mount has its volume, and the merge waits for a person', () => {
  for (const name of ['cronjob.yaml', 'shards.yaml'])
    for (const { containers, volumes } of readPods(name).values())
      expect(volumes.map((one) => one.name)).toEqual(containers[0].volumeMounts.map((one) => one.name))
  const merge = readManifests('shards.yaml').find((one) => one.metadata.name === 'assist-merge')
  expect(merge?.spec).toMatchObject({ suspend: true, backoffLimit: 0 })
})

test('a night whose node is drained is finished by the next pod, and is the baseline once accepted', async () => {
  const nightly = containerOf('cronjob.yaml', 'assist-nightly')
  const first = { JOB_NAME: 'assist-nightly-29345678' }
  await expectStopped(await startPod(nightly, variablesOf(nightly, first)))
  const screen = await expectPod(0, nightly, first)
  expect(screen).not.toContain(KEY)
  expect(rows('reports/assist-nightly-29345678/results.csv')).toHaveLength(24)
  expect(readdirSync(at('reports/assist-nightly-29345678'))).toContain('journal.2.ndjson')
  expect(summary('reports/assist-nightly-29345678').comparison).toBeNull()
  // As `kubectl set env cronjob/assist-nightly ACCEPTED=…`.
  await expectPod(0, nightly, { JOB_NAME: 'assist-nightly-29347118', ACCEPTED: first.JOB_NAME })
  expect(summary('reports/assist-nightly-29347118').comparison).not.toBeNull()
  expect(readdirSync(at('root'))).toEqual([])
})

describe('the guide', () => {
  const blocks = blocksOf('docs/guides/containers.md')

  test('shows the arguments of the CronJob', () => {
    const [block] = blocks.filter(({ language }) => language === 'yaml')
    const { args } = z.object({ args: z.array(z.string()) }).parse(parse(block?.text ?? ''))
    expect(containerOf('cronjob.yaml', 'assist-nightly').args.slice(0, args.length)).toEqual(args)
  })

  test.skipIf(!canContain)(
    'gives docker a command that runs as process 1 on a read-only root, and that a second container finishes',
    async () => {
      const today = new Date().toISOString().slice(0, 10)
      const line = blocks.flatMap(({ text }) => /^ {2}assist-harness (run .*)$/m.exec(text)?.[1] ?? [])[0]
      const env = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: KEY }
      const start = async () =>
        startPod({ args: splitWords(line?.replace('"$(date -u +%F)"', today) ?? '') }, env, {
          cwd: at('reports'),
          runtime: CONTAINER,
        })
      await expectStopped(await start())
      const { code, screen } = await (await start()).ended
      expect(code, screen).toBe(0)
      expect(rows(`reports/${today}/results.csv`)).toHaveLength(24)
    },
  )

  test('names no registry: users build the image', () => {
    const files = ['Dockerfile', 'cronjob.yaml', 'shards.yaml', 'compose.yaml']
    const texts = files.map(readContainerFile)
    const images = texts.flatMap((text) =>
      [...text.matchAll(/(?:^FROM|image:) (\S+)/gm)].map(([, name]) => name),
    )
    expect(new Set(images)).toEqual(new Set(['assist-harness', 'node:20-slim', 'redis:7-alpine']))
  })
})

describe.skipIf(skipsRedis)('with a Redis', () => {
  test('shards of an Indexed Job share a pace, outlive a drained node, and are merged', async () => {
    const redis = await openRedis()
    const shard = containerOf('shards.yaml', 'assist-shards')
    const variables = (index: number): Variables => ({
      ASSIST_REDIS_URL: redis.url,
      JOB_COMPLETION_INDEX: String(index),
    })
    await expectStopped(await startPod(shard, variablesOf(shard, variables(0))))
    await Promise.all([0, 1, 2].map(async (index) => expectPod(0, shard, variables(index))))
    await expectPod(0, containerOf('shards.yaml', 'assist-merge'))
    expect(rows('reports/2026-11-20/run/results.csv')).toHaveLength(24)
    const client = new Redis(redis.url)
    expect(await client.keys('assist-harness:*')).toHaveLength(1)
    client.disconnect()
  })

  test('the service of compose.yaml runs, and again as often as it is started', async () => {
    const { harness, redis: server } = services
    expect(server?.image).toBe('redis:7-alpine')
    expect(harness?.environment['ASSIST_API_KEY']).toMatch(/^\$\{ASSIST_API_KEY:\?/)
    const redis = await openRedis()
    const args = (harness?.command ?? []).map((word) => word.replaceAll(/\$\{RUN:\?[^}]+\}/g, 'composed'))
    const env = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: KEY, ASSIST_REDIS_URL: redis.url }
    const first = endpoint.calls.length
    for (const _ of ['starts it', 'finds it done']) {
      const ended = await (await startPod({ args }, env)).ended
      expect(ended.code, ended.screen).toBe(0)
      expect(endpoint.calls.length - first).toBe(24)
    }
  })
})
