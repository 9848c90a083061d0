// A load test over time, and at what rate threads were due: tests whose truth is known.
import { describe, expect, test } from 'vitest'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import type { LoadModel, LoadReport } from '../../../src/domain/load.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import {
  LOAD_START,
  loadManifest,
  loadRecords,
  makeLoad,
  type SimulatedLoad,
} from '../../support/load-journal.ts'
import { reportOf } from '../../report/example-loads.ts'

type CameOf = () => SimulatedLoad['came']

const open = (...stages: readonly (readonly [seconds: number, from: number, to: number])[]): LoadModel => ({
  kind: 'open',
  arrivals: 'constant',
  stages: stages.map(([seconds, from, to]) => ({ durationMs: seconds * 1000, from, to })),
})

/** Answers one call after the other, each in that time. */
const serial =
  (eachMs: number): CameOf =>
  () => {
    let freeAt = 0
    return ({ since }) => {
      freeAt = Math.max(freeAt, since) + eachMs
      return { serviceMs: freeAt - since, lagMs: 0 }
    }
  }

const within =
  (fromMs: number, toMs: number): CameOf =>
  () => {
    const random = seededRandom(11)
    return () => ({ serviceMs: fromMs + (toMs - fromMs) * random() ** 3 })
  }

const made = async (model: LoadModel, came: CameOf): Promise<LoadReport> => {
  const load = makeLoad({ model })
  return reportOf({ manifest: loadManifest(load), simulated: { load, threads: [1, 1, 1], came: came() } })
}

test('over time, answers stand where they came, and calls in flight last until they end', async () => {
  const report = await made(open([8, 14, 14]), serial(1000 / 6.6))
  const bins = report.overTime?.bins ?? []
  expect(bins.slice(0, 9).map(({ turnsDue }) => turnsDue)).toEqual([14, 14, 14, 14, 14, 14, 14, 14, 0])
  expect(bins.slice(0, 16).every(({ answers }) => answers === 6 || answers === 7)).toBe(true)
  // Arrivals end with some 60 in flight; 6.6 a second end.
  const after = bins.slice(8).map(({ inFlight }) => inFlight)
  expect(after[0]).toBeGreaterThan(50)
  expect(after).toEqual([...after].sort((a, b) => b - a))
  expect(after.at(-1)).toBeGreaterThan(0)
})

test('over time, a second in which no call begins or ends has those in flight', async () => {
  const report = await made(open([5, 1, 1]), () => () => ({ serviceMs: 8000, lagMs: 0 }))
  const inFlight = report.overTime?.bins.map((bin) => bin.inFlight)
  expect(inFlight).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 4, 3, 2, 1])
})

describe('the rate', () => {
  test.each([
    [1, 1, 1],
    [2, 10, 2],
    [14, 8, 14],
  ])('of %d a second for %d s is that', async (rate, seconds, expected) => {
    const { offered, achieved } = await made(open([seconds, rate, rate]), within(300, 12_000))
    expect(offered.rate).toBeCloseTo(expected, 9)
    expect(achieved.rate).toBeCloseTo(expected, 9)
  })

  test('of an interrupted test is of the time until then, not of the wait for what was under way', async () => {
    const load = makeLoad({ model: open([60, 4, 4]) })
    const records = loadRecords({ load, threads: [1], came: () => ({ serviceMs: 5000 }) })
    const gatherer = createLoadGatherer(loadManifest(load))
    for (const record of records)
      if (
        record.kind === 'question' ||
        (record.kind === 'intent' ? record.at < LOAD_START + 3000 : record.at < LOAD_START + 8000)
      )
        gatherer.add(record)
    const { offered } = await gatherer.finish([], { kind: 'interrupted', signal: 'SIGINT' })
    expect(offered).toEqual({ threads: 12, rate: 4 })
  })

  test('of chance arrivals counts from when the test began', async () => {
    const load = makeLoad({ model: { ...open([10, 1, 1]), arrivals: 'poisson' } as LoadModel })
    const gatherer = createLoadGatherer(loadManifest(load))
    gatherer.add({ kind: 'pace', at: LOAD_START, pace: null, cause: 'start' })
    for (const record of loadRecords({ load, threads: [1], came: () => ({ serviceMs: 10 }) }))
      if (record.kind === 'question' || record.at >= LOAD_START + 3000) gatherer.add(record)
    const { offered, overTime } = await gatherer.finish()
    expect(offered).toEqual({ threads: 7, rate: 0.7 })
    expect(overTime?.from).toBe(new Date(LOAD_START).toISOString())
  })
})

test('turns of threads that the end cut off are counted and told of, asked or not', async () => {
  const load = makeLoad({ model: open([10, 1, 1]) })
  const gatherer = createLoadGatherer(loadManifest(load))
  for (const record of loadRecords({ load, threads: [3], came: () => ({ serviceMs: 3000 }) }))
    if (record.kind === 'question' || record.at <= LOAD_START + 10_500) gatherer.add(record)
  const { turns, warnings } = await gatherer.finish([], { kind: 'done' })
  // Of ten threads of three turns, due at 0 to 9 s: 2 are over, 3 have two answers, 3 have one, 2 have none.
  expect(turns).toMatchObject({ total: 30, answered: 15, notAsked: 15 })
  expect(warnings.filter((one) => one.includes('the test ended before'))).toEqual([
    '8 turns were begun and have no outcome: the test ended before',
    '7 turns of threads that were started were never asked: the test ended before',
  ])
})
