// A load test's report from journals whose truth is known.
import fc from 'fast-check'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import { createLiveGatherer } from '../../../src/analysis/load/live-gatherer.ts'
import { createLiveView } from '../../../src/analysis/load/live.ts'
import { loadReportSchema, type LoadReport, type LoadOptions } from '../../../src/domain/load.ts'
import {
  LOAD_START,
  loadManifest,
  loadRecords,
  makeLoad,
  type Arrival,
  type Came,
} from '../../support/load-journal.ts'
import {
  evenRate,
  exampleReport,
  nothingDue,
  rampIntoALimit,
  reportOf,
  slowGenerator,
} from '../../report/example-loads.ts'

const steady = (rate: number, seconds: number): LoadOptions['model'] => ({
  kind: 'open',
  arrivals: 'constant',
  stages: [{ durationMs: seconds * 1000, from: rate, to: rate }],
})

async function report(
  came: (arrival: Arrival) => Came | 'dropped',
  load: Partial<LoadOptions> = {},
  threads: readonly number[] = [1, 1, 1, 1, 1],
): Promise<LoadReport> {
  const options = makeLoad(load)
  return reportOf({ manifest: loadManifest(options), simulated: { load: options, threads, came } })
}

const bins = ({ overTime }: LoadReport) => overTime?.bins ?? []
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

describe('the shape', () => {
  test.each([
    ['a ramp into a limit', rampIntoALimit],
    ['an even rate', evenRate],
    ['a slow generator', slowGenerator],
    ['nothing due', nothingDue],
  ])('of %s is the published one, as JSON brings it back', async (_, example) => {
    const made = await exampleReport(example)
    const read: unknown = JSON.parse(JSON.stringify(made))
    expect(loadReportSchema.parse(read)).toEqual(made)
  })
})

describe('counts', () => {
  test('are exact: threads, calls, turns by outcome, 429s apart from failures, quota', async () => {
    // Of 100 threads: 10 dropped, 10 refused, 5 failed, 5 timed out, 70 answered.
    const made = await report(
      ({ number }) => {
        const kind = number % 20
        if (kind < 2) return 'dropped'
        if (kind < 4) return { serviceMs: 25, fails: 'rate_limited' }
        if (kind === 4) return { serviceMs: 500, fails: 'server_error' }
        if (kind === 5) return { serviceMs: 9000, fails: 'timeout' }
        return { serviceMs: 100, source: kind < 13 ? 'KNOWLEDGE_BASE' : 'MODEL' }
      },
      { model: steady(10, 10) },
    )
    expect(made.offered).toEqual({ threads: 100, rate: 10 })
    expect(made.achieved).toMatchObject({ threads: 90, rate: 9, turns: 70, calls: 90 })
    expect(made.dropped).toEqual({ threads: 10, rate: 0.1 })
    expect(made.turns).toMatchObject({
      total: 90,
      answered: 70,
      rate_limited: 10,
      server_error: 5,
      timeout: 5,
    })
    expect(made.errors).toMatchObject({ errors: 10, asked: 90, byOutcome: { server_error: 5, timeout: 5 } })
    expect(made.errors.byHttpStatus).toEqual({ 503: 5, none: 5 })
    expect(made.pacing).toEqual({ rate429: 10 / 90, rateLimited: 10 })
    expect(made.contextSource).toEqual({ KNOWLEDGE_BASE: 35, MODEL: 35 })
    expect(made.coverage).toMatchObject({ grounded: 35, answered: 70, lostToErrors: 20 })
    expect(made.quota).toMatchObject({ attempts: 90, certain: 70, possible: 10, notCounted: 10 })
    expect(made.serviceMs).toMatchObject({ count: 70, max: 100 })
    expect(made.refusedMs).toMatchObject({ count: 10, max: 25 })
    expect(made.failureMs).toMatchObject({ count: 10, max: 9000 })
  })

  test('over time add up to those of the whole, whatever came', async () => {
    const kinds = fc.array(fc.constantFrom('kb', 'other', 'drop', '429', 'fail'), {
      minLength: 5,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(kinds, fc.integer({ min: 1, max: 3 }), async (kinds_, turns) => {
        const model: LoadOptions['model'] = {
          kind: 'open',
          arrivals: 'constant',
          stages: [{ durationMs: 4000, from: 2, to: 12 }],
        }
        const made = await report(
          ({ number, turn }) => {
            const kind = kinds_[(number + turn) % kinds_.length]
            if (kind === 'drop' && turn === 1) return 'dropped'
            if (kind === '429') return { serviceMs: 20, fails: 'rate_limited' }
            if (kind === 'fail') return { serviceMs: 20, fails: 'server_error' }
            return { serviceMs: 50, source: kind === 'kb' ? 'KNOWLEDGE_BASE' : 'MODEL' }
          },
          { model },
          [turns, 1, 2],
        )
        expect(made.offered.threads).toBe(made.achieved.threads + made.dropped.threads)
        expect(made.responseMs.count).toBe(made.turns.answered)
        expect(sum(bins(made).map(({ offered }) => offered))).toBe(made.offered.threads)
        expect(sum(bins(made).map(({ calls }) => calls))).toBe(made.achieved.calls)
        expect(sum(bins(made).map(({ answered }) => answered))).toBe(made.turns.answered)
        expect(sum(bins(made).map(({ grounded }) => grounded))).toBe(made.coverage.grounded)
        expect(sum(bins(made).map(({ refused }) => refused))).toBe(made.pacing.rateLimited)
        const outcomes = sum(bins(made).flatMap((bin) => Object.values(bin.outcomes)))
        expect(outcomes).toBe(made.turns.total - made.turns.skipped)
        expect(sum(bins(made).flatMap(({ status }) => Object.values(status)))).toBe(made.turns.answered)
        expect(made.quota.attempts).toBe(made.achieved.calls)
        expect(made.turns.total).toBe(
          made.turns.answered + made.turns.rate_limited + made.turns.skipped + made.errors.errors,
        )
      }),
      { numRuns: 15 },
    )
  })

  test('of a test of hours stand in as many bins as a chart shows', async () => {
    const made = await report(() => ({ serviceMs: 100 }), { model: steady(0.2, 3600) })
    expect(made.overTime?.binMs).toBe(32_000)
    expect(bins(made).length).toBeLessThanOrEqual(120)
    expect(sum(bins(made).map(({ answered }) => answered))).toBe(720)
    expect(bins(made).every(({ serviceMs }) => serviceMs.p50 === 100)).toBe(true)
  })

  test('of values that the endpoint makes up do not grow with the calls', async () => {
    const made = await report(
      ({ number }) => ({ serviceMs: 1, source: `S${number}`, status: `s${number}` }),
      {
        model: steady(20, 20),
      },
    )
    expect(Object.keys(made.contextSource)).toHaveLength(101)
    expect(made.contextSource['(others)']).toBe(300)
    expect(sum(Object.values(made.status))).toBe(400)
  })
})

describe('times', () => {
  test('are each of what they say: service, response from the due moment, lag', async () => {
    const made = await report(() => ({ serviceMs: 100, lagMs: 40 }))
    expect(made.serviceMs).toMatchObject({ p50: 100, p99: 100, max: 100, count: 1200 })
    expect(made.responseMs).toMatchObject({ p50: 140, max: 140 })
    expect(made.sendLagMs).toMatchObject({ p50: 40, count: 1200 })
    expect(made.waitMs).toMatchObject({ max: 0 })
  })

  test('a 429 that version 0.1 sent again is in the response and the waiting, not in the service', async () => {
    const made = await report(({ number }) => ({ serviceMs: 100, lagMs: 0, refusals: number === 7 ? 1 : 0 }))
    // 30 ms refused, a second of waiting, 100 ms.
    expect(made.responseMs.max).toBe(1130)
    expect(made.serviceMs.max).toBe(100)
    expect(made.waitMs).toMatchObject({ max: 1000, count: 1200 })
    expect(made.refusedMs).toMatchObject({ count: 1, max: 30 })
    expect(made.sendLagMs.count).toBe(1201)
    expect(made.turns).toMatchObject({ answered: 1200, rate_limited: 0 })
    expect(made.pacing.rateLimited).toBe(1)
  })

  test('a stall of the endpoint is in the response of all that were due meanwhile: nothing is omitted or filled in', async () => {
    // 100 a second; all that is due in the first of every five seconds is answered at its end.
    const made = await report(
      ({ since }) => ({ serviceMs: since % 5000 < 1000 ? 1000 - (since % 5000) + 10 : 10, lagMs: 0 }),
      { model: steady(100, 50) },
    )
    expect(made.responseMs.count).toBe(5000)
    // One call in five meets the stall: a tenth of all waits 500 ms or more.
    expect(made.responseMs.p90).toBeGreaterThan(490)
    expect(made.responseMs.p90).toBeLessThan(530)
  })

  test('as histograms of two tests add up to the histogram of both', async () => {
    const fast = await report(({ number }) => ({ serviceMs: 10 + number }))
    const slow = await report(({ number }) => ({ serviceMs: 1000 + 7 * number }))
    const both = await report(
      ({ number }) =>
        number < 1200 ? { serviceMs: 10 + number } : { serviceMs: 1000 + 7 * (number - 1200) },
      {
        model: steady(20, 120),
      },
    )
    const [one, other, all] = [fast, slow, both].map(({ histograms }) =>
      decodeFromCompressedBase64(histograms.serviceMs, 64),
    )
    if (one === undefined || other === undefined) throw new Error('three were made')
    one.add(other)
    expect(one.totalCount).toBe(2400)
    for (const p of [0.1, 25, 50, 90, 95, 99, 99.9])
      expect(one.getValueAtPercentile(p)).toBe(all?.getValueAtPercentile(p))
  })

  test('by percentile rise to the longest', async () => {
    const { curves, responseMs } = await exampleReport(rampIntoALimit)
    const times = curves.responseMs.map(({ ms }) => ms)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeCloseTo(responseMs.max ?? 0, 3)
    expect(times.length).toBeLessThan(40)
  })
})

describe('a damaged journal', () => {
  const records = loadRecords({ came: () => ({ serviceMs: 100 }) })

  test('that ends at once counts what was sent as possible, and says what has no outcome', async () => {
    const gatherer = createLoadGatherer(loadManifest())
    const cut = records.findIndex(({ kind }) => kind === 'intent') + 1
    for (const record of records.slice(0, cut)) gatherer.add(record)
    gatherer.addLostIntent()
    const made = await gatherer.finish()
    expect(made).toMatchObject({ verdict: 'incomplete', exitCode: 4, state: 'interrupted' })
    expect(made.turns).toMatchObject({ total: 1, notAsked: 1 })
    expect(made.quota).toMatchObject({ attempts: 2, certain: 0, possible: 2 })
  })

  test('that has lost an intent keeps its account', async () => {
    const gatherer = createLoadGatherer(loadManifest())
    const lost = records.findIndex(({ kind }) => kind === 'intent')
    for (const [place, record] of records.entries())
      if (place === lost) gatherer.addLostIntent()
      else gatherer.add(record)
    const made = await gatherer.finish()
    expect(made.turns.answered).toBe(1199)
    expect(made.quota).toMatchObject({ attempts: 1200, certain: 1200, possible: 0 })
  })
})

test('the live view is of the last seconds, and counts since the start', () => {
  const gatherer = createLiveGatherer(loadManifest())
  for (const record of loadRecords({ came: ({ since }) => ({ serviceMs: since < 30_000 ? 100 : 400 }) }))
    if (record.kind === 'question' || record.at <= LOAD_START + 45_000) gatherer.add(record)
  const live = gatherer.live(LOAD_START + 45_000)
  expect(live).toMatchObject({
    elapsedMs: 45_000,
    plannedMs: 60_000,
    offeredRate: 20,
    dropped: 0,
    refused: 0,
  })
  expect(live.p50).toBeGreaterThanOrEqual(400)
  expect(live.p50).toBeLessThan(404)
  expect(live.threadRate).toBeGreaterThan(19)
  expect(live.threadRate).toBeLessThan(21.5)
  expect(live.inFlight).toBe(8)
  expect(live.answered).toBe(892)

  const still = gatherer.live(LOAD_START + 75_000)
  expect(still).toMatchObject({ threadRate: 0, callRate: 0, p50: null, p95: null, answered: 892 })
})

test('what begins again after a silence is not said to have been so fast for seconds', () => {
  const view = createLiveView(makeLoad())
  view.call(LOAD_START, false)
  for (let call = 0; call < 100; call += 1) view.call(LOAD_START + 20_000, true)
  expect(view.snapshot(LOAD_START + 20_100, 0, LOAD_START).callRate).toBe(20)
  // Nothing was there before the test.
  const fresh = createLiveView(makeLoad())
  for (let call = 0; call < 10; call += 1) fresh.call(LOAD_START + call * 100, false)
  expect(fresh.snapshot(LOAD_START + 1000, 0, LOAD_START).callRate).toBe(10)
})
