// Protects docs/containers, as far as that goes without Docker and a cluster: the files say what a safe pod
// needs, and each of their commands runs as a process, with what a pod would find: another user, a read-only
// root, no home, a volume, and a SIGTERM. Docker builds no image here.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { serveFile } from '../support/endpoint.ts'
import { freePort } from '../support/free-port.ts'
import { main, projectRoot, splitWords } from '../support/program.ts'
import { skipsRedis, startRedis } from '../support/redis-server.ts'
import { blocksOf } from '../support/readme-blocks.ts'
import { openWorkspace } from '../support/workspace.ts'

interface Container {
  readonly command?: readonly string[]
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
}

const read = (name: string): string => readFileSync(join(projectRoot, 'docs/containers', name), 'utf8')
const jobs = ['cronjob.yaml', 'shards.yaml'].flatMap((file) =>
  parseAllDocuments(read(file)).flatMap((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    const { kind, metadata, spec } = document.toJS()
    const pod = (spec.jobTemplate?.spec ?? spec).template?.spec
    return kind === 'PersistentVolumeClaim' ? [] : [{ name: metadata.name as string, spec, pod }]
  }),
)
const containerOf = (name: string): Container => jobs.find((job) => job.name === name)?.pod.containers[0]
const compose = parse(read('compose.yaml')).services

test.each(jobs)('$name has a safe pod, whose keys are secrets', ({ name, spec, pod }) => {
  // After a SIGTERM the program gives calls in flight 8 s.
  expect(pod.terminationGracePeriodSeconds ?? 30).toBe(30)
  expect(pod).toMatchObject({
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  })
  const [container] = pod.containers
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  for (const { name: key, valueFrom } of (container as Container).env)
    if (/KEY$|REDIS/.test(key)) expect(valueFrom).toEqual({ secretKeyRef: { name: 'assist-harness', key } })
  const mounts = container.volumeMounts.map((mount: { name: string }) => mount.name)
  expect(pod.volumes.map((volume: { name: string }) => volume.name)).toEqual(mounts)
  if (name === 'assist-nightly') expect(spec).toMatchObject({ concurrencyPolicy: 'Forbid' })
  // It waits for a person.
  if (name === 'assist-merge') expect(spec).toMatchObject({ suspend: true, backoffLimit: 0 })
})

test('image and services run as a user by number, and hold no secret and no tool of development', () => {
  for (const service of Object.values(compose))
    expect(service).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  expect(compose.harness.environment.ASSIST_API_KEY).toMatch(/^\$\{ASSIST_API_KEY:\?/)
  const image = read('Dockerfile').replaceAll(/\\\n\s*/g, '')
  expect(image).toMatch(/^USER 1000:1000$(?![^]*^RUN )/m)
  expect(image).toMatch(/^ENTRYPOINT \["node", "\/app\/node_modules\/assist-harness\/dist\/cli\/main.js"\]$/m)
  expect(image).toMatch(/^RUN .*npm install .*--omit=dev/m)
  expect(image).not.toMatch(/^(?:ENV|ARG) .*(?:KEY|TOKEN|SECRET)/im)
  const ignored = read('Dockerfile.dockerignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.env.*', 'node_modules', 'reports']))
})

const KEY = 'pod-key-0123456789abcdef'
const POD_USER = 1000
const { at, folder, rows, summary } = openWorkspace({
  'sets/questions.csv': `id,message\n${Array.from({ length: 24 }, (_, index) => `q${index},Question ${index}?\n`).join('')}`,
})
const isRoot = process.getuid?.() === 0
chmodSync(folder, 0o755)
mkdirSync(at('bin'))
symlinkSync(main, at('bin/assist-harness'))
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
if (!canContain) console.warn('no namespaces here: pods run without a read-only root')

let onCall: (() => void) | undefined
const endpoint = await serveFile(() => onCall?.())

/** What a container runtime does with a command: paths of the volumes, the environment and the user. */
async function startPod({ command = ['node', main], args, env }: Container, values: Record<string, string>) {
  const given: Record<string, string> = { ASSIST_BASE_URL: endpoint.url, ASSIST_API_KEY: KEY, ...values }
  const declared = env.map(({ name, value }) => [name, given[name] ?? value ?? `no ${name}`] as const)
  const variables: Record<string, string> = { ...Object.fromEntries(declared), ...values }
  const port = await freePort()
  const words = [...command, ...args].map((word) =>
    word
      .replaceAll(/\$\((\w+)\)/g, (_, name: string) => variables[name] ?? `$(${name})`)
      .replaceAll('/reports/', `${at('reports')}/`)
      .replaceAll('/sets/', `${at('sets')}/`)
      .replaceAll('0.0.0.0:9464', `127.0.0.1:${port}`),
  )
  const [file = '', ...typed] = canContain ? [...CONTAINER, ...words] : words
  const PATH = `${at('bin')}:${process.env['PATH'] ?? ''}`
  const child = spawn(file, typed, {
    cwd: at('reports'),
    env: { PATH, HOME: '/nonexistent', TMPDIR: '/nonexistent', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && !canContain ? { uid: POD_USER, gid: POD_USER } : {}),
  })
  let screen = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      screen += text
    })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, screen }))
  return { pid: child.pid ?? 0, ended }
}

async function expectPod(
  code: number,
  container: Container,
  values: Record<string, string>,
): Promise<string> {
  const ended = await (await startPod(container, values)).ended
  expect(ended.code, ended.screen).toBe(code)
  return ended.screen
}

test('a night whose node is drained is finished by the next pod, and is the baseline once accepted', async () => {
  const nightly = containerOf('assist-nightly')
  const first = { JOB_NAME: 'assist-nightly-29345678' }
  const { pid, ended } = await startPod(nightly, first)
  onCall = () => {
    if (endpoint.calls.length !== 3) return
    const child = canContain ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() : String(pid)
    // A 0 would name the group of this process.
    if (!/^[1-9]\d*$/.test(child)) throw new Error(`process ${pid} has not one child, but '${child}'`)
    process.kill(Number(child), 'SIGTERM')
  }
  const drained = await ended
  onCall = undefined
  expect(drained.code, drained.screen).toBe(143)
  expect(await expectPod(0, nightly, first)).not.toContain(KEY)
  expect(rows('reports/assist-nightly-29345678/results.csv')).toHaveLength(24)
  expect(readdirSync(at('reports/assist-nightly-29345678'))).toContain('journal.2.ndjson')
  expect(summary('reports/assist-nightly-29345678').comparison).toBeNull()
  // As `kubectl set env cronjob/assist-nightly ACCEPTED=…`.
  await expectPod(0, nightly, { JOB_NAME: 'assist-nightly-29347118', ACCEPTED: first.JOB_NAME })
  expect(summary('reports/assist-nightly-29347118').comparison).not.toBeNull()
})

test('the guide shows the arguments of the CronJob, and gives docker a command that runs', async () => {
  const blocks = blocksOf('docs/guides/containers.md')
  const { args } = parse(blocks.find(({ language }) => language === 'yaml')?.text ?? '')
  expect(containerOf('assist-nightly').args.slice(0, args.length)).toEqual(args)
  const [line = ''] = blocks.flatMap(({ text }) => /^ {2}assist-harness (run .*)$/m.exec(text)?.[1] ?? [])
  const words = splitWords(line.replace('"$(date -u +%F)"', 'today'))
  const env = [{ name: 'ASSIST_BASE_URL' }, { name: 'ASSIST_API_KEY' }]
  await expectPod(0, { args: words, env }, {})
  expect(rows('reports/today/results.csv')).toHaveLength(24)
})

test.skipIf(skipsRedis)(
  'with a Redis, shards are sent and merged, and the service of compose.yaml runs',
  async () => {
    const redis = await startRedis()
    onTestFinished(async () => redis.close())
    const env = { ASSIST_REDIS_URL: redis.url }
    const shard = containerOf('assist-shards')
    await Promise.all(
      ['0', '1', '2'].map(async (index) => expectPod(0, shard, { ...env, JOB_COMPLETION_INDEX: index })),
    )
    await expectPod(0, containerOf('assist-merge'), {})
    expect(rows('reports/2026-11-20/run/results.csv')).toHaveLength(24)
    const command: string[] = compose.harness.command
    const args = command.map((word) => word.replaceAll(/\$\{RUN:\?[^}]+\}/g, 'composed'))
    const names = Object.keys(compose.harness.environment).map((name) => ({ name }))
    await expectPod(0, { args, env: names }, env)
    expect(rows('reports/composed/results.csv')).toHaveLength(24)
  },
)
