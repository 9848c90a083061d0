// Whether the endpoint kept up, and at what rate threads were due: tests whose truth is known.
import { describe, expect, test } from 'vitest'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import type { LoadModel } from '../../../src/domain/load/load-options.ts'
import type { LoadReport } from '../../../src/domain/load/load-report.ts'
import { judgementOf } from '../../../src/report/load-judgement.ts'
import { headlineSentence } from '../../../src/report/load-words.ts'
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

/** Each answer takes longer the more is offered, and the endpoint answers all the same. */
const slowerUnderLoad: CameOf =
  () =>
  ({ rate }) => ({ serviceMs: 200 + 20 * rate })

const made = async (model: LoadModel, came: CameOf, warmUpMs = 0): Promise<LoadReport> => {
  const load = makeLoad({ model, warmUpMs })
  return reportOf({ manifest: loadManifest(load), simulated: { load, threads: [1, 1, 1], came: came() } })
}

describe('the endpoint', () => {
  test.each<readonly [string, LoadModel, CameOf, 'kept' | 'behind' | 'unknown']>([
    ['that answers at once, keeps up', open([60, 20, 20]), within(100, 900), 'kept'],
    ['near its limit, keeps up', open([60, 20, 20]), serial(49), 'kept'],
    ['that is saturated, falls behind', open([8, 14, 14]), serial(1000 / 6.6), 'behind'],
    ['that is saturated by a little for long', open([600, 20, 20]), serial(52), 'behind'],
    ['that a ramp saturates late', open([60, 1, 20], [20, 20, 20]), serial(60), 'behind'],
    ['that is slower under more load', open([60, 1, 20], [60, 20, 20]), slowerUnderLoad, 'kept'],
    ['that had caught up by the end', open([20, 20, 20], [60, 5, 5]), serial(70), 'kept'],
    ['in less time than answers take', open([2, 20, 20]), within(1500, 1600), 'unknown'],
    ['of few calls', open([10, 1, 1]), serial(3000), 'unknown'],
    ['of users who wait', { kind: 'closed', users: 5, durationMs: 60_000 }, within(1, 2), 'unknown'],
  ])('%s', async (_, model, came, verdict) => {
    const { keepingUp } = await made(model, came)
    expect(keepingUp?.verdict).toBe(verdict)
  })

  test('that is saturated from the warm-up on has fallen behind as well', async () => {
    const { keepingUp } = await made(open([20, 14, 14]), serial(150), 5000)
    expect(keepingUp?.verdict).toBe('behind')
  })

  test('that fell behind is said to have, with its figures, also where every gate passed', async () => {
    const report = await made(open([8, 14, 14]), serial(1000 / 6.6))
    expect(judgementOf(report)).toBe('behind')
    expect(headlineSentence(report)).toContain(
      'the endpoint did not keep up: answers came at 6.5 a second of 14 asked for, and waited longer and longer (counted from 6.0 s to 8.0 s)',
    )
    expect(report.reason).toBe(
      'the load was offered, and every gate passed, though the endpoint did not keep up',
    )
  })

  test('that is shut as the arrivals end is said to answer what it does in whole openings', async () => {
    let taken = 0
    const windows: CameOf =
      () =>
      ({ since }) => {
        const opens = Math.floor(taken / 20) * 10_000
        taken += 1
        return { serviceMs: Math.max(since, opens) + 50 - since, lagMs: 0 }
      }
    const report = await made(open([20, 6, 6]), windows)
    // The first answers after the pause come 10.05 s after the start: 20 of 61 that were due by then.
    expect(headlineSentence(report)).toMatch(
      /answers came at 1\.99 a second of 6\.07 asked for, .* \(counted from the start to 10\.1 s\)/,
    )
  })
})

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
  const load = makeLoad({ model: open([5, 1, 1]) })
  const generator = (second: number) => ({ inFlight: Math.min(5, second) })
  const came = () => ({ serviceMs: 8000 })
  const gatherer = createLoadGatherer(loadManifest(load))
  for (const record of loadRecords({ load, threads: [1], came, generator })) gatherer.add(record)
  for (const second of [6, 7])
    gatherer.add({
      kind: 'generator',
      at: LOAD_START + second * 1000,
      loopDelayP99Ms: 1,
      loopDelayMaxMs: 1,
      cpu: 0,
      cores: 2,
      inFlight: 5,
      waiting: 0,
    })
  const { overTime } = await gatherer.finish()
  expect(overTime?.bins.slice(4, 8).map(({ inFlight }) => inFlight)).toEqual([5, 5, 5, 0])
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
