// Percentiles of two runs and their differences: by hand, and by law.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reviewLatency, type TimedPair } from '../../../src/analysis/comparison/latency-review.ts'
import type { LatencyReview } from '../../../src/domain/comparison/comparison.ts'

const pair = (thread: string, baseline?: number, candidate?: number, wait = 0): TimedPair => ({
  thread,
  service: { baseline, candidate },
  wait: { baseline: wait, candidate: 2 * wait },
})
const options = { seed: 1 }

test('percentiles by nearest rank, over turns that both runs answered', () => {
  const pairs = [
    ...Array.from({ length: 20 }, (_, place) =>
      pair(`t${place}`, 10 * (place + 1), 10 * (place + 1) + 5, place),
    ),
    pair('t1', 9999, undefined, 9999),
    pair('t2', undefined, 9999, 9999),
  ]
  const { turns, service, wait } = reviewLatency(pairs, options)
  expect(turns).toBe(20)
  // Of 20 samples the ranks ⌈p·20⌉: 10, 18, 19, 20.
  expect(Object.values(service).map(({ baseline }) => baseline)).toEqual([100, 180, 190, 200])
  expect(Object.values(service).map(({ candidate }) => candidate)).toEqual([105, 185, 195, 205])
  expect(Object.values(service).map(({ difference }) => difference?.estimate)).toEqual([5, 5, 5, 5])
  expect(Object.values(wait).map(({ baseline }) => baseline)).toEqual([9, 17, 18, 19])
  expect(Object.values(wait).map(({ candidate }) => candidate)).toEqual([18, 34, 36, 38])
})

test('no bounds where fewer than three threads lie beyond a percentile, and never for waiting', () => {
  const isBounded = (threads: number, turns: number): (keyof LatencyReview['service'])[] => {
    const pairs = Array.from({ length: turns }, (_, place) =>
      pair(`t${place % threads}`, place, 2 * place, 1),
    )
    const { service, wait } = reviewLatency(pairs, options)
    for (const { difference, p } of Object.values(wait)) {
      expect(difference).toEqual({ estimate: 1, low: null, high: null })
      expect(p).toBeNull()
    }
    return (['p50', 'p90', 'p95', 'p99'] as const).filter((name) => {
      const { difference, p } = service[name]
      expect(difference?.low === null).toBe(p === null)
      expect(difference?.high === null).toBe(p === null)
      return p !== null
    })
  }
  // 300 turns: 150, 30, 15 and 3 beyond.
  expect(isBounded(300, 300)).toEqual(['p50', 'p90', 'p95', 'p99'])
  expect(isBounded(200, 200)).toEqual(['p50', 'p90', 'p95'])
  expect(isBounded(59, 59)).toEqual(['p50', 'p90'])
  // However many turns, they are of two threads.
  expect(isBounded(2, 300)).toEqual([])
})

test('nothing in both runs: nothing is said', () => {
  const nothing = { baseline: null, candidate: null, difference: null, p: null }
  const review = reviewLatency([pair('t1', 5, undefined), pair('t2', undefined, 5)], options)
  expect(review.turns).toBe(0)
  expect([...Object.values(review.service), ...Object.values(review.wait)]).toEqual(
    Array.from({ length: 8 }, () => nothing),
  )
  const one = reviewLatency([pair('t1', 5, 7)], options)
  expect(one.service.p50).toEqual({
    baseline: 5,
    candidate: 7,
    difference: { estimate: 2, low: null, high: null },
    p: null,
  })
  const untimed = { thread: 't1', service: { baseline: 5, candidate: 7 }, wait: { baseline: 0 } }
  expect(reviewLatency([untimed], options).wait.p50).toEqual(nothing)
})

const pairs = fc.array(
  fc
    .record({
      thread: fc.nat(9),
      baseline: fc.integer({ min: 1, max: 40 }),
      candidate: fc.integer({ min: 1, max: 40 }),
    })
    .map(({ thread, baseline, candidate }) => pair(`t${thread}`, baseline, candidate, baseline)),
  { minLength: 1, maxLength: 60 },
)
const swap = ({ thread, service, wait }: TimedPair): TimedPair => ({
  thread,
  service: { baseline: service.candidate, candidate: service.baseline },
  wait: { baseline: wait.candidate, candidate: wait.baseline },
})
const same = ({ thread, service, wait }: TimedPair): TimedPair => ({
  thread,
  service: { baseline: service.baseline, candidate: service.baseline },
  wait: { baseline: wait.baseline, candidate: wait.baseline },
})
const negated = (value: number | null = null): number | null => (value === null ? null : 0 - value)

test('swapping the runs negates differences and intervals, and leaves p', () => {
  fc.assert(
    fc.property(pairs, (drawn) => {
      const [there, back] = [reviewLatency(drawn, options), reviewLatency(drawn.map(swap), options)]
      for (const of of ['service', 'wait'] as const)
        for (const name of ['p50', 'p90', 'p95', 'p99'] as const) {
          const [some, other] = [there[of][name], back[of][name]]
          expect([other.baseline, other.candidate, other.p]).toEqual([some.candidate, some.baseline, some.p])
          expect(other.difference?.estimate).toBe(negated(some.difference?.estimate))
          expect(other.difference?.low).toBe(negated(some.difference?.high))
          expect(other.difference?.high).toBe(negated(some.difference?.low))
        }
    }),
    { numRuns: 30 },
  )
})

test('a run compared with itself differs by 0, for certain', () => {
  fc.assert(
    fc.property(pairs, (drawn) => {
      const { service, wait } = reviewLatency(drawn.map(same), options)
      for (const { difference, p } of [...Object.values(service), ...Object.values(wait)]) {
        expect(difference?.estimate).toBe(0)
        expect([0, null]).toContain(difference?.low)
        expect([0, null]).toContain(difference?.high)
        expect([1, null]).toContain(p)
      }
    }),
    { numRuns: 30 },
  )
})
