// Which calls of a journal tell of the limit, and that a long record is forgotten only where it would not be read.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_CALLS, readCalls } from '../../../src/analysis/limit/calls.ts'
import { createCallGatherer, type GatheredCalls } from '../../../src/analysis/limit/gather-calls.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import type { CallSeen } from '../../../src/domain/limit.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { passed, refused, resultOf } from './records.ts'

const START = Date.UTC(2026, 10, 21)

function gather(records: readonly JournalRecord[]): GatheredCalls {
  const gatherer = createCallGatherer()
  for (const record of records) gatherer.add(record)
  return gatherer.finish()
}
const network = (httpStatus?: number): AttemptResult => ({
  kind: 'network',
  sent: true,
  code: 'ECONNRESET',
  message: 'cut off',
  ...(httpStatus === undefined ? {} : { httpStatus }),
})
const rejection = (httpStatus: number): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { message: '' },
})

describe('what a call tells', () => {
  test.each<[string, AttemptResult, boolean | undefined]>([
    ['a 2xx, whatever its shape', passed, false],
    ['429', refused, true],
    ['429, cut off', network(429), true],
    ['2xx, cut off', network(200), false],
    ['another refusal', rejection(403), undefined],
    ['a fault of the server', rejection(503), undefined],
    ['no status', network(), undefined],
    ['no answer in time', { kind: 'timeout', message: '' }, undefined],
    ['given up', { kind: 'abandoned', sent: true }, undefined],
  ])('%s', (_, result, expected) => {
    const { seen, calls, refusals } = gather([resultOf(result, START, 250)])
    expect(seen).toEqual(
      expected === undefined ? [] : [{ sentMs: START - 250, endedMs: START, refused: expected }],
    )
    expect([calls, refusals]).toEqual([seen.length, expected === true ? 1 : 0])
  })
})

test('refusals at the end of a sitting whose quota was spent are none of the rate limit', () => {
  const stop = { kind: 'quotaSpent', code: 'Q', rateLimitCodes: [], last: '', afterMs: 1 } as const
  const records = [refused, passed, refused, refused].map((one, at) => resultOf(one, START + at * 100, 10))
  const { seen, calls, refusals } = gather([...records, { kind: 'end', at: START + 500, stop }])
  expect(seen.map((one) => one.refused)).toEqual([true, false])
  expect([calls, refusals]).toEqual([2, 1])
})

test('calls come in the order of sending, in whatever order they ended', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5000), fc.nat(3000)), { maxLength: 40 }), (calls) => {
      const ended = calls.toSorted((a, b) => a[0] + a[1] - (b[0] + b[1]))
      const { seen } = gather(ended.map(([at, took]) => resultOf(passed, START + at + took, took)))
      expect(seen.map(({ sentMs }) => sentMs - START)).toEqual(
        calls.map(([at]) => at).toSorted((a, b) => a - b),
      )
    }),
  )
})

/** Refusals in a row are no more than eight, so that nothing of them is thinned on the way. */
function longRecord(count: number, seed: number): CallSeen[] {
  const random = seededRandom(seed)
  let [now, inRow, isRefusing] = [START, 0, false]
  return Array.from({ length: count }, () => {
    now += 1 + Math.floor(40 * random())
    if (inRow === 0) [isRefusing, inRow] = [!isRefusing, 1 + Math.floor(8 * random())]
    inRow -= 1
    const tookMs = isRefusing ? 20 : 200 + Math.floor(4000 * random())
    return { sentMs: now, endedMs: now + tookMs, refused: isRefusing }
  })
}

test('of a long record the inference reads the same as if all of it were held', () => {
  for (const [count, seed] of [
    [29_000, 1],
    [31_000, 2],
    [70_000, 3],
  ] as const) {
    const all = longRecord(count, seed)
    const records = all
      .toSorted((one, other) => one.endedMs - other.endedMs)
      .map((one) => resultOf(one.refused ? refused : passed, one.endedMs, one.endedMs - one.sentMs))
    const { seen, calls, refusals, wallAtZero } = gather(records)
    expect([calls, refusals]).toEqual([count, all.filter((one) => one.refused).length])
    expect(seen.length).toBeLessThan(6 * MOST_CALLS)
    const [few, whole] = [readCalls(seen, wallAtZero), readCalls(all, wallAtZero)]
    expect([...few.at]).toEqual([...whole.at])
    expect([...few.refused]).toEqual([...whole.refused])
  }
})

test('a flood of refusals takes no more room than its ends and a few between', () => {
  const gatherer = createCallGatherer()
  for (let at = 0; at < 100_000; at += 1) gatherer.add(resultOf(at === 3 ? passed : refused, START + at, 1))
  const { seen, calls, refusals } = gatherer.finish()
  expect([calls, refusals]).toEqual([100_000, 99_999])
  expect(seen.length).toBeLessThan(6 * MOST_CALLS)
  expect(seen[0]?.endedMs).toBe(START)
  expect(seen.filter((one) => !one.refused)).toEqual([
    { sentMs: START + 2, endedMs: START + 3, refused: false },
  ])
  expect(seen.at(-1)?.endedMs).toBe(START + 99_999)
})
