// `estimate` through the built program: no key or call needed, and what it says is what a run and its reports say.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Estimate } from '../../src/domain/estimate.ts'
import { estimate as estimateLibrary, type EstimateOptions } from '../../src/library/estimate.ts'
import { SHIPPED_KNOWLEDGE_BASE } from '../../src/library/shipped.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { projectRoot, readSummary, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const go = async (words: readonly string[], env = {}): Promise<Ended> =>
  runProgram(words, { cwd: folder, env })

/** No environment, no key, no network: whatever it prints stands before the first call. */
async function estimate(...words: readonly string[]): Promise<Estimate> {
  const { code, stdout, stderr } = await go(['estimate', ...words, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Estimate
}

let sound: RunningSandbox
beforeAll(async () => {
  sound = await startSandbox({ knowledgeBase: SHIPPED_KNOWLEDGE_BASE })
})
afterAll(async () => sound.close())

test('any number of repeats is estimated at once', async () => {
  const set = join(projectRoot, 'datasets/quickstart.csv')
  const { calls, time } = await estimate(set, '--rate', '20/s', '--repeat', '999999999999999')
  expect([calls.base / 999_999_999_999_999, calls.worst / calls.base]).toEqual([48, 2])
  const perSecond = time.pace.kind === 'paced' ? time.pace.perSecond : Number.NaN
  expect(time.ms).toBe(((calls.base - 1) * 1000) / perSecond)
})

let runs = 0
async function run(sets: readonly string[], ...more: string[]): Promise<Ended> {
  const out = ['--out', join(folder, `run-${(runs += 1)}`)]
  const rate = more.includes('--rate') ? [] : ['--rate', 'unlimited']
  const where = ['--base-url', sound.url, ...rate, ...out]
  return go(['run', ...sets, ...where, ...more], { ASSIST_API_KEY: sound.apiKey })
}

const write = (name: string, ...lines: readonly string[]): string => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  return name
}
const two = write('two.csv', 'thread,message,tags', 'a,Where?,x', 'a,And then?,x', ',Who?,y')

const other = write('other.csv', 'message', 'Why?')
type TargetEstimate = Estimate & { readonly target: string | null }
/** In this process. */
const plan = async (
  sets: readonly string[],
  options: Omit<EstimateOptions, 'datasets'> = {},
): Promise<Estimate> => estimateLibrary({ datasets: sets.map((set) => join(folder, set)), ...options })

describe('options', () => {
  test('select, repeat and cap as in a run', async () => {
    const part = await plan([two], { tag: ['x'], repeat: 3 })
    expect(part.calls).toMatchObject({ base: 6, worst: 12 })
    const capped = await plan([two], { maxCalls: 2, onAmbiguous: 'fail' })
    expect(capped).toMatchObject({ calls: { base: 3, worst: 2 }, maxCalls: 2 })
  })

  test('of a shard without a question: no figures', async () => {
    const all = await Promise.all(
      ['1/3', '2/3', '3/3'].map(async (shard) => {
        const { code, stdout, stderr } = await go(['estimate', two, '--shard', shard, '--json'])
        expect(code, stderr).toBe(0)
        return { estimate: JSON.parse(stdout) as Estimate, stderr }
      }),
    )
    // Two threads in three shards leave one empty at least.
    const empty = all.find(({ estimate: { questions } }) => questions === 0)
    expect(empty?.estimate).toMatchObject({ calls: { base: 0, worst: 0 }, messages: [] })
    expect(empty?.stderr).toMatch(/^Estimate: two\.csv +0 questions in 0 conversations$/m)
    expect(empty?.stderr).toMatch(/^ {2}Calls +0 +at most 0; a 429 does not count$/m)
  })

  test('of targets of the config file, whose keys nobody has', async () => {
    const config = write(
      'two-targets.yaml',
      'quota: 1000',
      'targets:',
      '  a: { baseUrl: https://a.example.com, rate: 60/min }',
      '  b: { baseUrl: https://b.example.com, onAmbiguous: fail, quota: 30 }',
    )
    // What costs nothing is taken all the same, so that `run` may be exchanged for `estimate`.
    const ofRun = ['--timeout', '5s', '--threshold', 'errors<=1%', '--out', 'nowhere']
    const words = ['--config', config, '--target', 'a', '--target', 'b', '--json', ...ofRun]
    const { stdout, stderr } = await go(['estimate', two, other, ...words])
    const all = JSON.parse(stdout) as TargetEstimate[]
    const told = all.map(({ target, calls, quota }) => [target, calls.worst, quota?.calls, quota?.period])
    expect(told).toEqual([
      ['a', 8, 1000, 'month'],
      ['b', 4, 30, 'month'],
    ])
    // Several sets stand each for itself.
    expect(all[1]?.files.map(({ path, calls }) => [path, calls.base])).toEqual([
      ['two.csv', 3],
      ['other.csv', 1],
    ])
    expect(all[1]?.nightly.base).toBe(122)
    expect(stderr).toMatch(/^Estimate: two\.csv, other\.csv · b +4 questions in 3 conversations$/m)
  })

  test('a faulty set is refused as a run refuses it', async () => {
    const faults = write('faulty.csv', 'id,message', 'a,', 'a,x', 'a,y')
    const [estimated, asked] = [await go(['estimate', faults]), await go(['run', faults, '--sandbox'])]
    expect(estimated.code).toBe(2)
    expect(estimated.stderr).toBe(asked.stderr)
  })
})

test('an allowance is said after a run, judged by thresholds, and changed by report and resume', async () => {
  const gates = ['--threshold', 'quota.shareOfQuota<=5%', '--threshold', 'quota.shareOfQuota[x]<=2%']
  const { code, stdout, stderr } = await run([two], '--rate', '50/s', '--quota', '100', ...gates)
  const out = join(folder, `run-${runs}`)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^ {2}Calls counted +3 +0\/3 got 429 · 3\.0 % of the quota$/m)
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toMatch(/run nightly.*?>91\.3 %</)
  const whole = readSummary(out)
  expect(whole).toMatchObject({
    quota: { max: 3, shareOfQuota: 0.03 },
    run: { quota: { calls: 100, period: 'month' } },
    tags: { x: { quota: { shareOfQuota: 0.02 } } },
  })

  await go(['report', out, '--quota', '30'])
  expect(readSummary(out)).toMatchObject({ quota: { shareOfQuota: 0.1 }, run: { quota: { calls: 30 } } })

  const cut = await run([two], '--max-calls', '1')
  expect(cut.code).toBe(4)
  const begun = join(folder, `run-${runs}`)
  const resumed = await go(['run', '--resume', begun, '--max-calls', '9', '--quota', '10'], {
    ASSIST_API_KEY: sound.apiKey,
  })
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(readSummary(begun).quota.shareOfQuota).toBe(0.3)

  const compared = await go(['compare', out, begun, '--quota', '60', '--out', 'compared', '--json'])
  expect(JSON.parse(compared.stdout)).toMatchObject({
    candidates: [{ quota: { baseline: { shareOfQuota: 0.05 }, candidate: { shareOfQuota: 0.05 } } }],
  })
}, 120_000)
