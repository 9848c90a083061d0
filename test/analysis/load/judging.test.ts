// What a load test is judged by, and what it is warned of.
import { describe, expect, test } from 'vitest'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import { type LoadModel, type LoadOptions, LOAD_METRICS } from '../../../src/domain/load.ts'
import { renderLoadScreen } from '../../../src/report/load-screen.ts'
import { headlineSentence } from '../../../src/report/load-words.ts'
import { checkThresholds } from '../../../src/library/manifest.ts'
import { loadManifest, loadRecords, makeLoad, type SimulatedLoad } from '../../support/load-journal.ts'
import { manifest } from '../../support/summaries.ts'
import { reportOf } from '../../report/example-loads.ts'

const open = (...stages: readonly (readonly [seconds: number, from: number, to: number])[]): LoadModel => ({
  kind: 'open',
  arrivals: 'constant',
  stages: stages.map(([seconds, from, to]) => ({ durationMs: seconds * 1000, from, to })),
})

const reportFor = async (
  load: LoadOptions,
  simulated: Omit<SimulatedLoad, 'load'>,
  gates: { readonly thresholds?: string[] } = {},
) =>
  reportOf({
    manifest: loadManifest(load, { options: { ...manifest.options, threshold: gates.thresholds ?? [] } }),
    simulated: { ...simulated, load },
  })

describe('gates', () => {
  const failing =
    (fails: 'rate_limited' | 'server_error', every: number): SimulatedLoad['came'] =>
    ({ number }) =>
      number % every === 0 ? { serviceMs: 20, fails } : { serviceMs: 100 }

  test.each([
    ['429s fail nothing of themselves', failing('rate_limited', 10), {}, 0, /no threshold was given/],
    ['failures do', failing('server_error', 10), {}, 1, /120 turns failed of 1200 asked/],
    [
      'unless a threshold takes the place of the rule',
      failing('server_error', 10),
      { thresholds: ['errors<=10%'] },
      0,
      /passed/,
    ],
    [
      'a threshold on 429s',
      failing('rate_limited', 10),
      { thresholds: ['rate429<5%'] },
      1,
      /rate429 is 10%, wanted < 5%/,
    ],
    [
      'on response times',
      failing('rate_limited', 10),
      { thresholds: ['response.p95<50ms'] },
      1,
      /response.p95 is 100.2 ms/,
    ],
    ['on rates', failing('rate_limited', 10), { thresholds: ['achieved.rate>=1200/min'] }, 0, /passed/],
    [
      'that another version understood',
      failing('rate_limited', 10),
      { thresholds: ['latency.p42<1s'] },
      1,
      /cannot be read/,
    ],
    ['nothing was answered', failing('rate_limited', 1), {}, 1, /no turn was answered/],
  ] as const)('%s', async (_, came, gates, exitCode, reason) => {
    const made = await reportFor(
      makeLoad(),
      { came },
      { ...gates, thresholds: [...('thresholds' in gates ? gates.thresholds : [])] },
    )
    expect(made.reason).toMatch(reason)
    expect(made.exitCode).toBe(exitCode)
  })

  test('a test of version 0.1 that --abort-on ended failed', async () => {
    const stop = { kind: 'aborted', expression: 'errors<=5%', reason: 'errors is 9%, wanted <= 5%' } as const
    const made = await reportFor(makeLoad(), { came: () => ({ serviceMs: 1 }), stop })
    expect(made).toMatchObject({ verdict: 'failed', exitCode: 1 })
    expect(made.reason).toBe('ended early, as errors<=5% was so: errors is 9%, wanted <= 5%')
  })

  test('without a threshold it is done, with one that holds it has passed', async () => {
    const came: SimulatedLoad['came'] = ({ number }) =>
      number % 100 < 63 ? { serviceMs: 20, fails: 'rate_limited' } : { serviceMs: 100 }
    const [done, passed] = await Promise.all(
      [[], ['rate429<=70%']].map(async (thresholds) => reportFor(makeLoad(), { came }, { thresholds })),
    )
    expect(done).toMatchObject({
      verdict: 'done',
      exitCode: 0,
      reason: '63 % of the turns were not answered; no threshold was given',
    })
    expect(passed).toMatchObject({
      verdict: 'passed',
      exitCode: 0,
      reason: '63 % of the turns were not answered; every gate passed',
    })
  })

  test('names are those of the figures, and of a run where it has the same', () => {
    const names = LOAD_METRICS.map(({ name }) => name)
    for (const name of ['response.p95', 'service.p95', 'latency.p95', 'wait.p95', 'lag.p99', 'dropped'])
      expect(names).toContain(name)
    for (const name of ['dropped.rate', 'errors', 'rate429', 'coverage', 'achieved.rate', 'quota.max'])
      expect(names).toContain(name)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each([
    [
      'respnse.p95<1s',
      /threshold 'respnse.p95<1s' names 'respnse.p95', which is no figure of load.json; did you mean response.p95\?/,
    ],
    ['achieved.rate>=10%', /a percentage is the limit of a share, not of a rate/],
    ['achieved.rate>=10s', /a time is the limit of a time, not of a rate/],
    ['achieved.rate>=fast', /write it like 20\/s/],
    ['coverage[vpn]>=10%', /coverage is not counted by tag/],
  ])('%s is refused', (expression, message) => {
    expect(() => checkThresholds([expression], 'load')).toThrow(message)
  })
})

describe('refusals', () => {
  const refusedWith = async (code: string) => {
    const load = makeLoad({ model: open([20, 10, 10]) })
    const gatherer = createLoadGatherer(loadManifest(load))
    const came: SimulatedLoad['came'] = ({ number }) =>
      number < 150 ? { serviceMs: 50 } : { serviceMs: 20, lagMs: 400, fails: 'rate_limited' }
    for (const record of loadRecords({ load, threads: [1], came }))
      gatherer.add(
        record.kind === 'result' && record.result.kind === 'rejection'
          ? { ...record, result: { ...record.result, error: { code, message: 'no' } } }
          : record,
      )
    return gatherer.finish()
  }

  test('are counted by their code, and a spent quota is no rate limit', async () => {
    const report = await refusedWith('QUOTA_EXHAUSTED')
    expect(report.refusals).toEqual({ byCode: { QUOTA_EXHAUSTED: 50 } })
    expect(report).toMatchObject({
      exitCode: 4,
      reason: 'the quota seems to be spent: calls were refused (QUOTA_EXHAUSTED)',
    })
    expect(headlineSentence(report)).toContain('(429 QUOTA_EXHAUSTED: 50 of 200)')
    expect(renderLoadScreen(report)).toMatch(/50 refused with 429 \(25.0 %: QUOTA_EXHAUSTED 50\)/)
    expect(renderLoadScreen(report)).not.toContain('rate limit')
  })

  test('of a rate limit are named', async () => {
    const report = await refusedWith('RATE_LIMITED')
    expect(headlineSentence(report)).toContain('(429 RATE_LIMITED: 50 of 200)')
  })
})

test('calls that left late are warned of, once', async () => {
  const warningsOf = async (lagMs: number): Promise<string[]> => {
    const { warnings } = await reportFor(makeLoad(), { came: () => ({ serviceMs: 100, lagMs }) })
    return warnings.filter((one) => one.includes('send lag'))
  }
  expect(await warningsOf(49)).toEqual([])
  expect(await warningsOf(80)).toEqual([
    expect.stringContaining('send lag p99 is 80 ms, above 50 ms') as string,
  ])
})

test('a test says how much of it was dropped', async () => {
  const report = await reportFor(makeLoad({ model: open([10, 8, 8]) }), {
    came: ({ number }) => (number % 4 === 0 ? { serviceMs: 50 } : 'dropped'),
  })
  expect(report).toMatchObject({ verdict: 'done', exitCode: 0 })
  expect(report.reason).toBe('75 % of the threads were dropped; no threshold was given')
})

describe('a test that failed nothing says what it lost', () => {
  const short = makeLoad({ model: open([10, 8, 8]) })
  const asked = async (
    came: SimulatedLoad['came'],
    gates: { readonly thresholds?: string[] } = {},
    more: Partial<SimulatedLoad> = {},
  ) => reportFor(short, { threads: [1], ...more, came }, gates)

  test('turns that were refused, failed or skipped were not answered', async () => {
    const refused = await asked(({ number }) =>
      number % 2 === 0 ? { serviceMs: 50 } : { serviceMs: 20, fails: 'rate_limited' },
    )
    expect(refused).toMatchObject({ verdict: 'done', exitCode: 0 })
    expect(refused.reason).toBe('50 % of the turns were not answered; no threshold was given')
    // Of 80 threads of three turns a quarter fails in the first: 60 of 240 turns are refused, failed or skipped.
    const failed = await asked(
      ({ number }) => (number % 4 === 0 ? { serviceMs: 50, fails: 'server_error' } : { serviceMs: 50 }),
      { thresholds: ['errors<=20%'] },
      { threads: [3] },
    )
    expect(failed.turns).toMatchObject({ total: 240, server_error: 20, skipped: 40 })
    expect(failed.reason).toBe('25 % of the turns were not answered; every gate passed')
  })

  test('turns that the end cut off were not answered', async () => {
    const gatherer = createLoadGatherer(loadManifest(short))
    // The second turn of each thread is begun and has no outcome, or never begun.
    for (const record of loadRecords({ load: short, threads: [2], came: () => ({ serviceMs: 100 }) }))
      if (
        !('question' in record) ||
        record.question !== 1 ||
        (record.kind === 'intent' && record.repeat > 40)
      )
        gatherer.add(record)
    const { turns, reason } = await gatherer.finish()
    expect(turns).toMatchObject({ total: 160, answered: 80, notAsked: 80 })
    expect(reason).toBe('50 % of the turns were not answered; no threshold was given')
  })

  test('the largest share first', async () => {
    const mixed = async (drops: number) =>
      asked(({ number }) =>
        number % 10 < drops
          ? 'dropped'
          : number % 10 < 5
            ? { serviceMs: 20, fails: 'rate_limited' }
            : { serviceMs: 50 },
      )
    expect((await mixed(4)).reason).toBe(
      '40 % of the threads were dropped; 16.7 % of the turns were not answered; no threshold was given',
    )
    expect((await mixed(1)).reason).toBe(
      '44.4 % of the turns were not answered; 10 % of the threads were dropped; no threshold was given',
    )
  })

  test('but not of one in a hundred', async () => {
    const { reason } = await reportFor(makeLoad({ model: open([10, 20, 20]) }), {
      threads: [1],
      came: ({ number }) =>
        number % 100 === 0 ? { serviceMs: 20, fails: 'rate_limited' } : { serviceMs: 50 },
    })
    expect(reason).toBe('the load was offered; no threshold was given')
  })
})
