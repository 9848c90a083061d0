// Protects run folders on a full disk and on an odd file system, with a jumping clock, of a process that is
// stopped, and of several targets of which one cannot be written.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerJson, goodReply, openEndpoint, type Behaviour } from '../support/endpoint.ts'
import { KEY_ENV, main, runCommand } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 60 }, (_, place) => `q${place},Question ${place}?`)
const workspace = openWorkspace(
  {
    'assist-harness.yaml': 'rate: unlimited\nconcurrency: 4\n',
    'set.csv': `id,message\n${rows.join('\n')}\n`,
  },
  KEY_ENV,
)
const { at, has, put, read, json, rows: rowsOf, summary, start, expectExit } = workspace
/** Answers of 64 KiB, which soon fill a small disk. */
const long: Behaviour = (call) =>
  answerJson(call, 200, { ...goodReply(call), message: 'long answer '.repeat(5500) })
const mount = (options: string, ...more: string[]): void =>
  void execFileSync('mount', ['-o', options, ...more], { stdio: 'ignore' })
const unmount = (path: string): void => void execFileSync('umount', [path], { stdio: 'ignore' })
const runSet = async (code: number, out: string, url: string, env?: Record<string, string>) =>
  expectExit(code, `run set.csv --base-url ${url} --out ${out}`, env)
const isAnswered = (out: string): boolean =>
  rowsOf(out, 'results.csv').every(({ outcome }) => outcome === 'answered')

const canMount = ((): boolean => {
  mkdirSync(at('probe'))
  try {
    mount('size=64k', '-t', 'tmpfs', 'tmpfs', at('probe'))
    unmount(at('probe'))
    return true
  } catch {
    return false
  }
})()
if (!canMount) console.log('tmpfs cannot be mounted: the tests of a full disk are skipped')

describe.skipIf(!canMount)('a full disk', () => {
  beforeEach(() => {
    mkdirSync(at('disk'), { recursive: true })
    mount('size=3m', '-t', 'tmpfs', 'tmpfs', at('disk'))
    return () => unmount(at('disk'))
  })

  test('ends the run; recorded answers stay, and the run can be resumed when there is space', async () => {
    const { url, calls } = await openEndpoint(long)
    const { screen } = await runSet(4, 'disk/run', url)
    expect(screen).toMatch(/Incomplete · the journal cannot be written \(ENOSPC.*\s.*sending stopped/)
    const left = Number(/without an outcome: (\d+)/.exec(screen)?.[1])
    expect(screen).toMatch(/^ *Resume: +npx assist-harness run --resume disk\/run$/m)
    expect(screen).toMatch(/^The reports cannot be written: ENOSPC/m)
    expect(screen).toMatch(/^Fix that, then run: npx assist-harness report /m)
    const sent = calls.length
    expect(sent).toBeLessThan(60)
    const journal = read('disk/run/journal.ndjson')
    expect(journal.endsWith('\n')).toBe(true)
    const lines = journal.trimEnd().split('\n')
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow()
    const recorded = lines.filter((line) => line.includes('"kind":"result"')).length
    // At most the four calls in flight are not recorded.
    expect(sent - recorded).toBeLessThanOrEqual(4)
    expect(left).toBe(60 - recorded)

    mount('remount,size=64m', at('disk'))
    const report = await expectExit(4, 'report disk/run')
    expect(report.screen).toMatch(/^ *Resume: +npx assist-harness run --resume /m)
    expect(summary('disk/run').quota).toMatchObject({ certain: recorded })
    expect(summary('disk/run').quota.max).toBeGreaterThanOrEqual(sent)
    await expectExit(0, 'run --resume disk/run')
    expect(calls).toHaveLength(60 + sent - recorded)
    expect(isAnswered('disk/run')).toBe(true)
  })

  test('ends a load test, and no call was sent without its intent', async () => {
    const { url, calls } = await openEndpoint(long)
    const offer = '--arrival-rate 19/s --duration 10s'
    const line = `load set.csv --base-url ${url} --out disk/load ${offer}`
    // Whether the reports find room depends on how much the journal could not write at once.
    const { screen } = await expectExit(4, line)
    expect(screen).toMatch(
      /the journal cannot be written \(ENOSPC: no space left on device,\s+write\): sending stopped/,
    )
    expect(calls.length).toBeGreaterThan(10)
    const intents = read('disk/load/journal.ndjson').match(/^\{"kind":"intent"/gm)
    expect(intents?.length).toBeGreaterThanOrEqual(calls.length)
  })
})

test.each([
  ['stderr', 0, ''],
  ['stdout', 0, 'stdout cannot be written: ENOSPC'],
  ['stdout of --json', 4, 'stdout cannot be written: ENOSPC'],
] as const)('%s on a full disk does not end the run', async (stream, code, said) => {
  const { url } = await openEndpoint()
  const out = stream.replaceAll(' ', '-')
  const flags = stream.endsWith('json') ? '--json' : ''
  const line = `"$0" "$1" run set.csv --base-url ${url} --out ${out} ${flags} ${stream === 'stderr' ? '2' : '1'}>/dev/full`
  const ended = await runCommand('sh', ['-c', line, process.execPath, main], { cwd: at(''), env: KEY_ENV })
  expect([ended.code, ended.screen]).toEqual([code, expect.stringContaining(said)])
  expect(isAnswered(out)).toBe(true)
  expect(has(out, 'lock')).toBe(false)
})

/** Replaces functions in the program, of `node:fs` or its own. */
const withPatch = (name: string, body: string) => {
  put(
    name,
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
const fault = (code) => Object.assign(new Error(code + ': injected'), { code });
${body}
syncBuiltinESMExports()`,
  )
  return { NODE_OPTIONS: `--import ${at(name)}` }
}

test('a file system that cannot sync a folder is no fault', async () => {
  const { url } = await openEndpoint()
  const env = withPatch(
    'sync.mjs',
    `const real = fs.fsyncSync; let nth = 0
fs.fsyncSync = (file) => {
  if (fs.fstatSync(file).isDirectory()) throw fault((nth += 1) % 2 ? 'EINVAL' : 'EISDIR')
  return real(file)
}`,
  )
  await runSet(0, 'sync', url, env)
  expect(isAnswered('sync')).toBe(true)
})

/** The manifest is renamed at the start, at the end, and with the reports. */
test.each<[string, string, number, string]>([
  ['once', '=== 2', 0, 'complete'],
  ['again', '> 1', 4, 'running'],
])('run.json that cannot be written %s at the end', async (name, when, code, state) => {
  const { url } = await openEndpoint()
  const env = withPatch(
    `rename-${name}.mjs`,
    `const real = fs.renameSync; let nth = 0
fs.renameSync = (from, to) => {
  if (String(to).endsWith('run.json') && (nth += 1) ${when}) throw fault('EBUSY')
  return real(from, to)
}`,
  )
  const out = `rename-${name}`
  const { screen } = await runSet(code, out, url, env)
  expect(json(out, 'run.json')).toMatchObject({ state })
  expect(readdirSync(at(out)).filter((file) => file.endsWith('.tmp'))).toEqual([])
  if (code === 0) return
  expect(screen).toMatch(/^The reports cannot be written: run.json: EBUSY/m)
  await expectExit(0, `report ${out}`)
  expect(json(out, 'run.json')).toMatchObject({ state: 'complete' })
})

test('a clock that jumps by a day changes no duration and loses no turn', async () => {
  const { url } = await openEndpoint()
  const jumping = 'real() + (Math.floor((calls += 1) / 20) % 2 ? -864e5 : 864e5)'
  const env = withPatch('jump.mjs', `const real = Date.now; let calls = 0; Date.now = () => ${jumping}`)
  await runSet(0, 'jumping', url, env)
  expect(isAnswered('jumping')).toBe(true)
  const { startedAt, endedAt } = summary('jumping').run
  const tookMs = Date.parse(endedAt ?? '') - Date.parse(startedAt)
  expect([tookMs >= 0, tookMs < 60_000]).toEqual([true, true])
  for (const { latency_ms: latency, wait_ms: wait } of rowsOf('jumping/results.csv')) {
    expect(Number(latency)).toBeGreaterThanOrEqual(0)
    expect(Number(latency)).toBeLessThan(60_000)
    expect(Number(wait)).toBeLessThan(60_000)
  }
  await expectExit(0, 'run --resume jumping')
})

test(
  'a stopped process is taken over; awake again, it sends and writes nothing',
  { timeout: 120_000 },
  async () => {
    const { url, calls } = await openEndpoint()
    const line = `run set.csv --base-url ${url} --out pod --continue`
    const stopped = start(`${line} --rate 10/s`)
    await expect.poll(() => calls.length, { timeout: 20_000 }).toBeGreaterThan(2)
    stopped.signal('SIGSTOP')
    // As another host wrote it: nobody here can tell that its process lives.
    const lock = json('pod/lock') as object
    writeFileSync(at('pod/lock'), JSON.stringify({ ...lock, host: 'another-pod', space: 'another' }))
    const { screen } = await expectExit(0, line)
    expect(screen).toMatch(/process \d+ on another-pod was silent for 30 s: this process takes over/)
    const state = () => [calls.length, read('pod/journal.ndjson'), read('pod/results.csv')]
    const before = state()
    stopped.signal('SIGCONT')
    const ended = await stopped.ended
    expect([ended.code, ended.screen]).toEqual([
      4,
      expect.stringContaining('another process has taken over pod: this one stopped'),
    ])
    expect(state()).toEqual(before)
    expect(has('pod/lock')).toBe(false)
  },
)

test('a target gets its reports even if those of another cannot be written', async () => {
  const taken = (): void => void mkdirSync(at('partly/one/junit.xml'), { recursive: true })
  const [one, two] = [await openEndpoint(taken), await openEndpoint()]
  put(
    'partly.yaml',
    `rate: unlimited\ntargets: { one: { baseUrl: "${one.url}" }, two: { baseUrl: "${two.url}" } }\n`,
  )
  const line = 'run set.csv --config partly.yaml --target one --target two --out partly'
  expect((await expectExit(4, line)).screen).toContain('report partly/one')
  expect(rowsOf('partly', 'two', 'results.csv')).toHaveLength(60)
})
