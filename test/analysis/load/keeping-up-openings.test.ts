// Whether an endpoint that answers by openings kept up must not hang on where in one of them the arrivals end.
import { describe, expect, test } from 'vitest'
import { createKeepingUp } from '../../../src/analysis/load/keeping-up.ts'
import type { KeepingUp } from '../../../src/domain/load/keeping-up.ts'

/** When each turn ends, milliseconds after the start; turns come first, first served. */
type Endpoint = (due: readonly number[]) => number[]

const SERVICE_MS = 100

/** So many calls in each window, some `spent` before the first turn; what is refused is asked again as the next one opens. */
const fixedWindow =
  (limit: number, windowMs: number, phaseMs: number, spent = 0): Endpoint =>
  (due) => {
    let [window, used] = [0, spent]
    return due.map((moment) => {
      const now = Math.floor((moment + phaseMs) / windowMs)
      if (now > window) [window, used] = [now, 0]
      if (used === limit) [window, used] = [window + 1, 0]
      used += 1
      const opens = window * windowMs - phaseMs
      return opens > moment ? opens + 10 * used + SERVICE_MS : moment + SERVICE_MS
    })
  }

/** A call in `eachMs`, but none in the first quarter of each 20 s. */
const stalling =
  (eachMs: number, phaseMs: number): Endpoint =>
  (due) => {
    let freeAt = 0
    return due.map((moment) => {
      const begin = Math.max(moment, freeAt)
      const inPeriod = (begin + phaseMs) % 20_000
      const sent = begin + Math.max(0, 5000 - inPeriod)
      freeAt = sent + eachMs
      return sent + SERVICE_MS
    })
  }

/** Answers nothing any more from then on. */
const outage =
  (fromMs: number, endpoint: Endpoint): Endpoint =>
  (due) =>
    endpoint(due).map((end, place) => ((due[place] ?? 0) >= fromMs ? Infinity : end))

function judge(seconds: number, rate: number, endpoint: Endpoint): KeepingUp {
  const stage = { durationMs: seconds * 1000, from: rate, to: rate }
  const watch = createKeepingUp({ kind: 'open', arrivals: 'constant', stages: [stage] })
  const due = Array.from({ length: Math.round(seconds * rate) }, (_, place) => (place * 1000) / rate)
  const ends = endpoint(due)
  for (const [place, moment] of due.entries()) {
    watch.due(moment)
    const end = ends[place] ?? Infinity
    if (end < Infinity) watch.end(moment, end, end - moment)
  }
  return watch.finish(seconds * 1000)
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => from + place * step)

const PHASES = [0, 2500, 4500, 7000, 9500]

describe('a limit of 20 calls in windows of 10 s', () => {
  test.each([3, 4, 6])('that %d a second exceed is not kept up with again in a longer test', (rate) => {
    for (const phase of PHASES) {
      const verdicts = range(22, 61, 3).map((seconds) => judge(seconds, rate, fixedWindow(20, 10_000, phase)))
      const found = verdicts.map(({ verdict }) => verdict)
      expect(found).toEqual([...found].sort().reverse())
      expect(found.at(-1)).toBe('behind')
      for (const { verdict, due, ended } of verdicts)
        if (verdict === 'behind') {
          // The first window is met in its midst: what it still takes counts to no time of its own.
          expect(ended).toBeGreaterThan(1.9)
          expect(ended).toBeLessThan(3)
          expect(due).toBeCloseTo(rate, 0)
        }
    }
  })

  test('answers 2 a second of 6, though the last quarter lies in a shut window', () => {
    const { verdict, due, ended, unanswered } = judge(20, 6, fixedWindow(20, 10_000, 0))
    expect([verdict, due?.toFixed(1), ended?.toFixed(1), unanswered]).toEqual(['behind', '6.0', '2.0', 80])
  })

  test('that is not reached is kept up with, whatever the phase', () => {
    for (const phase of PHASES)
      for (const seconds of range(30, 62, 8))
        expect(judge(seconds, 1.9, fixedWindow(20, 10_000, phase)).verdict).toBe('kept')
  })
})

describe('a window that is partly spent as the test begins', () => {
  /** What is said of tests in which more is offered than the limit lets through, beside what it does, calls a second. */
  const said = [
    { limit: 20, windowMs: 10_000 },
    { limit: 30, windowMs: 20_000 },
  ].flatMap(({ limit, windowMs }) =>
    [0, 0.3, 0.7, 1].flatMap((spent) =>
      [0, 0.3, 0.7].flatMap((phase) =>
        [1.2, 1.5, 2, 3, 4, 5].flatMap((times) =>
          [1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6].map((windows) => {
            const truth = (limit * 1000) / windowMs
            const endpoint = fixedWindow(limit, windowMs, phase * windowMs, Math.round(spent * limit))
            const found = judge((windows * windowMs) / 1000, times * truth, endpoint)
            return { ...found, windows, off: Math.abs((found.ended ?? 0) / truth - 1) }
          }),
        ),
      ),
    ),
  )
  const behind = said.filter(({ verdict }) => verdict === 'behind')

  test('does not make a wrong rate of what was answered until it opened', () => {
    expect([said.length, behind.length]).toEqual([2016, 1144])
    // Of the time up to the first opening alone, 105 were off by more than 30 %, by 70 % at most.
    expect(behind.filter(({ off }) => off > 0.3).length).toBeLessThanOrEqual(47)
    expect(Math.max(...behind.map(({ off }) => off))).toBeLessThan(0.6)
    // A test of less than two windows need not hold a whole one, from one opening to the next.
    const longer = behind.filter(({ windows }) => windows > 2.2)
    expect(longer.length).toBeGreaterThan(600)
    expect(longer.filter(({ off }) => off > 0.3)).toEqual([])
  })

  test('is told by the whole test, where it opened once', () => {
    const { verdict, due, ended } = judge(16, 6, fixedWindow(20, 10_000, 0, 14))
    // 6 before it opened at 10 s, 20 after it.
    expect([verdict, due, ended]).toEqual(['behind', 6, 26 / 16])
  })
})

describe('an endpoint that stalls now and then', () => {
  test.each([
    ['quick', 20],
    ['faster by half than asked', 1000 / 6],
  ])('and is %s in between keeps up, wherever the test ends', (_, eachMs) => {
    for (const phase of [0, 4000, 8000, 12_000, 16_000])
      for (const seconds of range(40, 81, 4))
        expect([phase, seconds, judge(seconds, 4, stalling(eachMs, phase)).verdict]).toEqual([
          phase,
          seconds,
          'kept',
        ])
  })

  test('and is faster by too little in between is behind, wherever the test ends', () => {
    for (const phase of [4000, 6000, 8000])
      for (const seconds of range(48, 98, 5))
        expect([phase, seconds, judge(seconds, 4, stalling(1000 / 4.4, phase)).verdict]).toEqual([
          phase,
          seconds,
          'behind',
        ])
  })

  test('and does not come back from the last is behind all the same, and judged since the opening before it', () => {
    const { verdict, due, ended } = judge(80, 4, outage(60_000, stalling(20, 10_000)))
    // It opened at 55 s, answered what had waited since 50 s, and 5 s later nothing more.
    expect([verdict, due, ended]).toEqual(['behind', expect.closeTo(4, 1), expect.closeTo(40 / 25, 1)])
  })
})

test.each([
  [0.9, 'kept'],
  [0.8, 'behind'],
  [0.5, 'behind'],
] as const)('an outage from %d of the time on, where none was before', (share, expected) => {
  const { verdict, due, ended } = judge(60, 10, outage(60_000 * share, fixedWindow(1e9, 1e9, 0)))
  expect([verdict, due]).toEqual([expected, expect.closeTo(10, 1)])
  expect(ended).toBeCloseTo(10 * share, 0)
})
