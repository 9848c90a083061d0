// What a load test is judged by: grounding under load, the generator itself, gates, and what ends it early.
import { describe, expect, test } from 'vitest'
import { createAbortWatch } from '../../../src/analysis/load/abort-watch.ts'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import { createGeneratorWatch } from '../../../src/analysis/load/generator-health.ts'
import { parseLoadThreshold } from '../../../src/analysis/load/judge-load.ts'
import { bandsOf } from '../../../src/analysis/load/timetable-rate.ts'
import type { Threshold } from '../../../src/analysis/gates/expression.ts'
import type { LoadModel, LoadOptions } from '../../../src/domain/load/load-options.ts'
import { NO_GATES, type GateOptions } from '../../../src/domain/gate.ts'
import { LOAD_METRICS } from '../../../src/domain/load/load-metric.ts'
import { renderLoadScreen } from '../../../src/report/load-screen.ts'
import { headlineSentence } from '../../../src/report/load-words.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { loadThresholds } from '../../../src/cli/load/load-thresholds.ts'
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
  gates: Partial<GateOptions> = {},
) =>
  reportOf({
    manifest: loadManifest(load, { options: { ...manifest.options, gates: { ...NO_GATES, ...gates } } }),
    simulated: { ...simulated, load },
  })

describe('does grounding fall under load?', () => {
  const ramp = makeLoad({ model: open([60, 2, 20], [30, 20, 2]) })
  const answering = (share: (rate: number) => number, seed = 1): SimulatedLoad['came'] => {
    const random = seededRandom(seed)
    return ({ rate }) => ({ serviceMs: 50, source: random() < share(rate) ? 'KNOWLEDGE_BASE' : 'MODEL' })
  }
  const threads = [1, 2, 1, 3, 1, 1, 1]

  test('yes, where it does, and by how much', async () => {
    const changes: number[] = []
    for (let seed = 1; seed <= 5; seed += 1) {
      const came = answering((rate) => 0.9 - 0.02 * rate, seed)
      const { groundingTrend } = await reportFor(ramp, { threads, came })
      expect(groundingTrend).toMatchObject({ verdict: 'falls', onlyRose: false })
      expect(groundingTrend.p).toBeLessThan(0.001)
      changes.push(groundingTrend.change ?? 0)
    }
    // The lowest band is of 3 threads a second on average, the highest of 19: 32 points apart.
    expect(changes.reduce((sum, one) => sum + one, 0) / changes.length).toBeCloseTo(-0.32, 1)
  })

  test('no, where the endpoint answers each question the same whatever the rate', async () => {
    const { groundingTrend } = await reportFor(ramp, {
      threads,
      came: ({ thread }) => ({ serviceMs: 50, source: thread % 2 === 0 ? 'KNOWLEDGE_BASE' : 'MODEL' }),
    })
    expect(groundingTrend).toMatchObject({ verdict: 'none', p: 1 })
    // What was observed: the threads are not the same ones in both bands.
    expect(Math.abs(groundingTrend.change ?? 1)).toBeLessThan(0.02)
  })

  test('by 100 points at most: what was seen, not a line drawn out', async () => {
    const steps = makeLoad({ model: open([40, 1, 1], [20, 8, 8], [20, 10, 10]) })
    const { groundingTrend } = await reportFor(steps, {
      threads: [1, 1],
      came: ({ rate }) => ({ serviceMs: 50, source: rate < 5 ? 'KNOWLEDGE_BASE' : 'MODEL' }),
    })
    expect(groundingTrend).toMatchObject({
      verdict: 'falls',
      change: -1,
      between: { low: { from: 1, to: 1 }, high: { from: 10, to: 10 } },
    })
  })

  test('is false alarm once in twenty times at most, where turns of a conversation move together', async () => {
    let alarms = 0
    const short = makeLoad({ model: open([15, 2, 14]) })
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = seededRandom(seed)
      const ofConversation = new Map<number, boolean>()
      const { groundingTrend } = await reportFor(short, {
        threads: [3, 3, 3],
        came: ({ number }) => {
          const grounded = ofConversation.get(number) ?? random() < 0.6
          ofConversation.set(number, grounded)
          return { serviceMs: 5, source: grounded ? 'KNOWLEDGE_BASE' : 'MODEL' }
        },
      })
      if (groundingTrend.verdict !== 'none') alarms += 1
    }
    expect(alarms).toBeLessThanOrEqual(5)
  })

  test('cannot be told of one rate', async () => {
    const { groundingTrend, byOfferedRate } = await reportFor(makeLoad(), { came: answering(() => 0.5) })
    expect(groundingTrend).toMatchObject({ verdict: 'untested', p: null, lowest: 20, highest: 20 })
    expect(byOfferedRate).toHaveLength(1)
  })

  test.each([
    [open([10, 5, 5], [10, 10, 10], [10, 20, 20]), ['5 to 5', '10 to 10', '20 to 20']],
    [open([60, 1, 20]), ['1 to 5', '5 to 10', '10 to 15', '15 to 20']],
    [open([60, 0, 2], [60, 2, 2]), ['0 to 0.5', '0.5 to 1', '1 to 1.5', '1.5 to 2']],
    [{ kind: 'closed', users: 3, durationMs: 1000 } as const, []],
  ])('rates fall in bands of round numbers', (model, bands) => {
    expect(bandsOf(model).map(({ from, to }) => `${from} to ${to}`)).toEqual(bands)
  })
})

describe('was the generator the limit?', () => {
  const healthy = { loopDelayP99Ms: 11, loopDelayMaxMs: 14, cpu: 0.3, foreignCpu: 0.5, cores: 2 }
  const bad = (seconds: number, of: Partial<typeof healthy>) =>
    Array.from({ length: 60 }, (_, second) => ({ ...healthy, ...(second < seconds ? of : {}) }))

  test.each([
    ['healthy', bad(0, {}), 1, 300, []],
    ['calls left late for answers as fast as that', bad(0, {}), 20, 100, [/left 20.0 ms late/]],
    ['as late, but next to slow answers', bad(0, {}), 20, 3000, []],
    ['nothing was answered, and calls left late', bad(0, {}), 20, null, [/10.0 ms that do no harm/]],
    ['a late loop for a moment', bad(2, { loopDelayP99Ms: 90 }), 1, 300, []],
    ['a late loop for long', bad(9, { loopDelayP99Ms: 90 }), 1, 300, [/event loop .* in 9 of 60 seconds/]],
    ['a busy processor', bad(30, { cpu: 0.97 }), 1, 300, [/more than 0.9 of a processor core/]],
    ['a busy machine that did no harm', bad(30, { foreignCpu: 1.7 }), 1, 300, []],
    [
      'a busy machine that did',
      bad(30, { foreignCpu: 1.7 }),
      50,
      300,
      [/left 50.0 ms/, /no processor core was free/],
    ],
  ])('%s', (_, seconds, lag, response, reasons) => {
    const watch = createGeneratorWatch()
    for (const second of seconds) watch.add({ kind: 'generator', at: 0, inFlight: 0, waiting: 0, ...second })
    const health = watch.finish({ lag, response, calls: 100, isRefused: false })
    expect(health.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason) as string))
    expect(health.limited).toBe(reasons.length > 0)
  })
})

test.each([
  ['of too few calls', 99, false],
  ['whose key was refused', 1000, true],
])('the generator was not the limit of a test %s', (_, calls, isRefused) => {
  const watch = createGeneratorWatch()
  expect(watch.finish({ lag: 500, response: 100, calls, isRefused })).toMatchObject({
    limited: false,
    reasons: [],
  })
})

describe('gates', () => {
  const failing =
    (fails: 'rate_limited' | 'server_error', every: number): SimulatedLoad['came'] =>
    ({ number }) =>
      number % every === 0 ? { serviceMs: 20, fails } : { serviceMs: 100 }

  test.each([
    ['429s fail nothing of themselves', failing('rate_limited', 10), {}, 0, /every gate passed/],
    ['failures do', failing('server_error', 10), {}, 1, /120 turns failed of 1200 asked/],
    ['unless they are allowed', failing('server_error', 10), { allowErrors: '10%' }, 0, /every gate passed/],
    [
      'or a threshold takes the place of the rule',
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

  test('a test that was ended early failed', async () => {
    const stop = { kind: 'aborted', expression: 'errors<=5%', reason: 'errors is 9%, wanted <= 5%' } as const
    const made = await reportFor(makeLoad(), { came: () => ({ serviceMs: 1 }), stop })
    expect(made).toMatchObject({ verdict: 'failed', exitCode: 1 })
    expect(made.reason).toBe('ended early by --abort-on errors<=5%: errors is 9%, wanted <= 5%')
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
      /--threshold 'respnse.p95<1s' names 'respnse.p95', which is no figure of load.json; did you mean response.p95\?/,
    ],
    ['achieved.rate>=10%', /a percentage is the limit of a share, not of a rate/],
    ['achieved.rate>=10s', /a time is the limit of a time, not of a rate/],
    ['achieved.rate>=fast', /write it like 20\/s/],
    ['coverage[vpn]>=10%', /coverage is not counted by tag/],
  ])('%s is refused', (expression, message) => {
    expect(() => loadThresholds([expression], '--threshold')).toThrow(message)
  })
})

describe('what ends a test early', () => {
  function abortedAt(expressions: readonly string[], came: SimulatedLoad['came'], load = makeLoad()) {
    const gatherer = createLoadGatherer(loadManifest(load))
    const watch = createAbortWatch(loadThresholds(expressions, '--abort-on'), gatherer)
    let looks = 0
    const counting = { look: (at: number) => ((looks += 1), watch.look(at)) }
    for (const record of loadRecords({ load, came })) {
      gatherer.add(record)
      if (record.kind === 'question') continue
      const found = counting.look(record.at)
      if (found !== undefined) return { ...found, turns: gatherer.figures().turns.total, looks }
    }
    return undefined
  }

  test('a broken threshold, once enough is known', () => {
    const found = abortedAt(['errors<=10%'], ({ since }) =>
      since < 20_000 ? { serviceMs: 10 } : { serviceMs: 10, fails: 'server_error' },
    )
    expect(found?.expression).toBe('errors<=10%')
    // It looks each second: 20 of 420 are below, 40 of 440, and 60 of 460 above.
    expect(found).toMatchObject({ turns: 460, reason: 'errors is 13.04%, wanted <= 10%' })
  })

  test.each([
    [
      'one early failure ends nothing',
      ['errors<=10%'],
      ({ number }) => (number === 0 ? { serviceMs: 1, fails: 'server_error' } : { serviceMs: 1 }),
    ],
    [
      'nor does what holds',
      ['response.p95<1s', 'coverage>=90%', 'achieved.rate>=15', 'dropped<=0'],
      () => ({ serviceMs: 100 }),
    ],
    ['nor what has no denominator', ['failureLatency.p95<1ms'], () => ({ serviceMs: 100 })],
  ] satisfies [string, string[], SimulatedLoad['came']][])('%s', (_, expressions, came) => {
    expect(abortedAt(expressions, came)).toBeUndefined()
  })

  test.each(['coverage>=60%', 'coverage.low>=30%'])('%s, where the knowledge base is lost', (expression) => {
    const found = abortedAt([expression], ({ since }) => ({
      serviceMs: 10,
      source: since < 10_000 ? 'KNOWLEDGE_BASE' : 'MODEL',
    }))
    expect(found?.expression).toBe(expression)
    expect(found?.turns).toBeGreaterThan(200)
  })

  test('a count at once, and nothing within the warm-up', () => {
    const drop: SimulatedLoad['came'] = ({ number }) => (number === 30 ? 'dropped' : { serviceMs: 10 })
    expect(abortedAt(['dropped<=0'], drop)?.reason).toBe('dropped is 1, wanted <= 0')
    expect(abortedAt(['dropped<=0'], drop, makeLoad({ warmUpMs: 5000 }))).toBeUndefined()
  })

  test.each([
    ['errors>10%', '<='],
    ['turns.answered>=100', '<'],
    ['coverage<=50%', '>'],
    ['errors<=10%', '<='],
  ])('%s ends the test where %s no longer holds', (expression, relation) => {
    expect(loadThresholds([expression], '--abort-on')[0]).toMatchObject({ expression, relation })
  })

  test('what a moment may break is refused', () => {
    expect(() => loadThresholds(['response.p95==1s'], '--abort-on')).toThrow(
      /cannot be told from chance while the test goes on: compare with <= or </,
    )
  })

  test('looks once a second at most', () => {
    let looked = 0
    const threshold = parseLoadThreshold('errors<=10%') as { threshold: Threshold }
    const gatherer = createLoadGatherer(loadManifest())
    const watch = createAbortWatch([threshold.threshold], {
      figures: () => {
        looked += 1
        return gatherer.figures()
      },
    })
    for (let at = 0; at < 10_000; at += 10) watch.look(at)
    expect(looked).toBe(10)
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

  test('are counted by their code, and a spent quota is no rate limit and no fault of the generator', async () => {
    const report = await refusedWith('QUOTA_EXHAUSTED')
    expect(report.refusals).toEqual({ byCode: { QUOTA_EXHAUSTED: 50 } })
    expect(report.generator.limited).toBe(false)
    expect(report).toMatchObject({
      exitCode: 4,
      reason: 'the quota seems to be spent: calls were refused (QUOTA_EXHAUSTED)',
    })
    expect(headlineSentence(report)).toContain('part of it was refused: QUOTA_EXHAUSTED')
    expect(renderLoadScreen(report)).toMatch(/50 refused with 429 \(25.0 %: QUOTA_EXHAUSTED 50\)/)
    expect(renderLoadScreen(report)).not.toContain('rate limit')
  })

  test('of a rate limit are called that, and named', async () => {
    const report = await refusedWith('RATE_LIMITED')
    expect(report.generator.limited).toBe(true)
    const sentence = headlineSentence({ ...report, generator: { ...report.generator, limited: false } })
    expect(sentence).toContain('the rate limit of the endpoint refused part of it')
    expect(sentence).toContain('(429 RATE_LIMITED: 50 of 200)')
  })
})

test('a passed test says how much of it was dropped', async () => {
  const report = await reportFor(makeLoad({ model: open([10, 8, 8]) }), {
    came: ({ number }) => (number % 4 === 0 ? { serviceMs: 50 } : 'dropped'),
  })
  expect(report).toMatchObject({ verdict: 'passed', exitCode: 0 })
  expect(report.reason).toBe('every gate passed, though 75 % of the threads were dropped')
})

describe('a passed test says in spite of what', () => {
  const short = makeLoad({ model: open([10, 8, 8]) })
  const asked = async (
    came: SimulatedLoad['came'],
    gates: Partial<GateOptions> = {},
    more: Partial<SimulatedLoad> = {},
  ) => reportFor(short, { threads: [1], ...more, came }, gates)

  test('turns that were refused, failed or skipped were not answered', async () => {
    const refused = await asked(({ number }) =>
      number % 2 === 0 ? { serviceMs: 50 } : { serviceMs: 20, fails: 'rate_limited' },
    )
    expect(refused).toMatchObject({ verdict: 'passed', exitCode: 0 })
    expect(refused.reason).toBe('every gate passed, though 50 % of the turns were not answered')
    // Of 80 threads of three turns a quarter fails in the first: 60 of 240 turns are refused, failed or skipped.
    const failed = await asked(
      ({ number }) => (number % 4 === 0 ? { serviceMs: 50, fails: 'server_error' } : { serviceMs: 50 }),
      { allowErrors: '20%' },
      { threads: [3] },
    )
    expect(failed.turns).toMatchObject({ total: 240, server_error: 20, skipped: 40 })
    expect(failed.reason).toBe('every gate passed, though 25 % of the turns were not answered')
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
    expect(reason).toBe('every gate passed, though 50 % of the turns were not answered')
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
      'every gate passed, though 40 % of the threads were dropped and 16.7 % of the turns were not answered',
    )
    expect((await mixed(1)).reason).toBe(
      'every gate passed, though 44.4 % of the turns were not answered and 10 % of the threads were dropped',
    )
  })

  test('that its endpoint did not keep up among them', async () => {
    let freeAt = 0
    const { reason } = await asked(({ number, since }) => {
      if (number % 10 === 0) return { serviceMs: 20, fails: 'rate_limited' }
      freeAt = Math.max(freeAt, since) + 250
      return { serviceMs: freeAt - since }
    })
    expect(reason).toBe(
      'every gate passed, though the endpoint did not keep up and 10 % of the turns were not answered',
    )
  })

  test('but not of one in a hundred', async () => {
    const { reason } = await reportFor(makeLoad({ model: open([10, 20, 20]) }), {
      threads: [1],
      came: ({ number }) =>
        number % 100 === 0 ? { serviceMs: 20, fails: 'rate_limited' } : { serviceMs: 50 },
    })
    expect(reason).toBe('the load was offered, and every gate passed')
  })
})
