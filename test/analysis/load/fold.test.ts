// Protects the figures of a load test: of load tests that the runner played on a virtual clock, and the histograms of
// load.json. recorded/load covers their precision.
import fc from 'fast-check'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { expect, test } from 'vitest'
import { createLoadDurations } from '../../../src/analysis/load/durations.ts'
import { createLoadFold } from '../../../src/analysis/load/fold.ts'
import type { JournalEvent } from '../../../src/domain/journal.ts'
import { type LoadModel, type LoadReport, loadReportSchema } from '../../../src/domain/load.ts'
import type { Stop } from '../../../src/domain/stop.ts'
import {
  flat,
  goodAnswer,
  loadEvents,
  loadManifest,
  type LoadScript,
  makeLoad,
  WALL_START,
} from '../../support/play.ts'
import { journalOf, makeReply, makeThreads, rejection, timeout } from '../../support/recorded.ts'

function fold(load: LoadScript['load'], events: Iterable<JournalEvent>, ended?: Stop): LoadReport {
  const folded = createLoadFold(loadManifest(load), () => [])
  for (const event of events) folded.add(event)
  return folded.finish([], ended)
}
const reportOf = async (script: LoadScript, threads: readonly number[] = [1]): Promise<LoadReport> =>
  fold(script.load, await loadEvents(makeThreads(...threads), script))

const binsOf = ({ overTime }: LoadReport) => overTime?.bins ?? []
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

test('the report of a load test interrupted before its first thread matches the schema', () => {
  const load = makeLoad({ model: { kind: 'closed', users: 5, durationMs: 60_000 } })
  const stop = { kind: 'interrupted', signal: 'SIGINT' } as const
  const made = fold(load, [...journalOf([], [], { stop })] as JournalEvent[])
  expect(loadReportSchema.parse(JSON.parse(JSON.stringify(made)))).toEqual(made)
})

test('counts over time add up to the totals, whatever the results', async () => {
  const RESULTS = {
    answered: goodAnswer,
    ungrounded: () => makeReply('MODEL'),
    refused: () => rejection(429),
    failed: () => rejection(503),
    hung: () => timeout,
  }
  const results = fc.constantFrom(...(Object.keys(RESULTS) as (keyof typeof RESULTS)[]))
  await fc.assert(
    fc.asyncProperty(
      fc.array(results, { minLength: 5, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (sequence, turns) => {
        const resultOf = (number: number) => sequence[number % sequence.length] ?? 'answered'
        const made = await reportOf(
          {
            load: { model: flat(8, 4), maxInFlight: 3 },
            ms: ({ number }) => (resultOf(number) === 'hung' ? 900 : 50),
            answer: (call) => RESULTS[resultOf(call.number)](call),
          },
          [turns, 1, 2],
        )
        const total = (name: 'started' | 'dropped' | 'calls' | 'refused' | 'answered' | 'errors'): number =>
          sum(binsOf(made).map((bin) => bin[name]))
        expect(made.offered.threads).toBe(made.achieved.threads + made.dropped.threads)
        expect(made.responseMs.count).toBe(made.turns.answered + made.turns.timeout)
        expect(made.serviceMs.count).toBe(made.turns.answered)
        expect([total('started'), total('dropped')]).toEqual([made.achieved.threads, made.dropped.threads])
        expect([total('calls'), total('refused')]).toEqual([made.achieved.calls, made.pacing.rateLimited])
        expect([total('answered'), total('errors')]).toEqual([made.turns.answered, made.errors.errors])
        expect(sum(binsOf(made).flatMap((bin) => Object.values(bin.contextSource)))).toBe(made.turns.answered)
        expect(made.quota.attempts).toBe(made.achieved.calls)
        const { total: all, answered, rate_limited, skipped } = made.turns
        expect(all).toBe(answered + rate_limited + skipped + made.errors.errors)
      },
    ),
    { numRuns: 15 },
  )
})

test('an hour fits into the bins of a chart', async () => {
  const made = await reportOf({ load: { model: flat(0.2, 3600) } })
  expect([made.overTime?.binMs, binsOf(made).length]).toEqual([32_000, 113])
  expect(sum(binsOf(made).map(({ answered }) => answered))).toBe(720)
})

test('a second in which no call starts or ends shows the calls in flight', async () => {
  const bins = binsOf(await reportOf({ load: { model: flat(1, 5) }, ms: () => 8000 }))
  expect(bins.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 4, 3, 2, 1])
  expect(bins.map(({ answered }) => answered)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
})

const RISING: LoadModel = { kind: 'open', stages: [{ durationMs: 60_000, from: 0, to: 6 }] }

test.each<[string, LoadModel, calls: number | undefined, rate: number]>([
  ['at its first conversation', flat(5, 60), 1, 5],
  ['at its first conversation, of a rate that rises', RISING, 1, 1 / Math.sqrt(20)],
  ['at its last conversation', flat(5, 2), 10, 5],
  ['while calls are in flight', flat(4, 60), 12, 4],
  // It may have half a conversation more than were sent: its threads are whole numbers.
  ['never', flat(0.4, 4), undefined, 0.4],
])('interrupted %s, it has the rate of the timetable until then', async (_, model, calls, rate) => {
  const { offered, achieved } = await reportOf({
    load: { model },
    ms: () => 5000,
    onCall: ({ number }, interrupt) => number === calls && interrupt(),
  })
  expect([offered.threads, achieved.threads]).toEqual(Array(2).fill(calls ?? 2))
  expect([offered.rate, achieved.rate]).toEqual(Array(2).fill(expect.closeTo(rate, 9)))
})

test('an incomplete journal counts turns without outcome of started threads', async () => {
  const load = { model: flat(1, 10) }
  const events = await loadEvents(makeThreads(3), { load, ms: () => 3000 })
  const isWritten = (event: JournalEvent): boolean =>
    event.kind === 'question' || event.at <= WALL_START + 10_500
  const { turns, warnings } = fold(load, events.filter(isWritten), { kind: 'done' })
  // Ten threads of three turns, due at 0 to 9 s: 2 have ended, 3 have two answers, 3 have one, 2 have none.
  expect(turns).toMatchObject({ total: 30, answered: 15, notSent: 15 })
  expect(warnings.map(({ code }) => code)).toContain('turns-without-outcome')
})

test('an incomplete journal counts an intent without a result as possible', async () => {
  const events = await loadEvents(makeThreads(1), { load: {} })
  const folded = createLoadFold(loadManifest({}), () => [])
  for (const event of events.slice(0, 1 + events.findIndex(({ kind }) => kind === 'intent')))
    folded.add(event)
  folded.addLostIntent()
  expect(folded.finish()).toMatchObject({
    verdict: 'incomplete',
    exitCode: 4,
    state: 'interrupted',
    turns: { total: 1, notSent: 1 },
    quota: { attempts: 2, certain: 0, possible: 2 },
  })
})

/** Milliseconds in whole microseconds, from one microsecond to almost a day. */
const duration = fc
  .tuple(fc.integer({ min: 0, max: 35 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([power, part]) => Math.floor(2 ** power * part) / 1000)
const samples = fc.array(duration, { minLength: 1, maxLength: 200 })

function durationsOf(values: readonly number[]) {
  const durations = createLoadDurations()
  const record = {
    kind: 'result',
    at: 0,
    attempt: 1,
    waitMs: 0,
    serviceMs: 0,
    result: makeReply('MODEL'),
  } as const
  for (const lagMs of values) durations.add({ ...record, lagMs })
  return durations
}
const latencyOf = (values: readonly number[]) => durationsOf(values).latencies().sendLagMs

test('an empty histogram has no percentiles; negative values are 0; values above a day are a day', () => {
  const none = { p50: null, p90: null, p95: null, p99: null, max: null, mean: null, count: 0 }
  expect(latencyOf([])).toEqual(none)
  expect(latencyOf([-5])).toMatchObject({ p50: 0, max: 0, mean: 0 })
  expect(latencyOf([100_000_000]).max).toBe(86_400_000)
})

test('the sum of two histograms is the histogram of all values', () => {
  fc.assert(
    fc.property(samples, samples, (some, others) => {
      const read = (values: readonly number[]) =>
        decodeFromCompressedBase64(durationsOf(values).encoded().sendLagMs, 64)
      const [joined, other, both] = [read(some), read(others), read([...some, ...others])]
      joined.add(other)
      expect(joined.totalCount).toBe(some.length + others.length)
      for (const percent of [1, 50, 95, 99.9, 100])
        expect(joined.getValueAtPercentile(percent)).toBe(both.getValueAtPercentile(percent))
    }),
    { numRuns: 30 },
  )
})
