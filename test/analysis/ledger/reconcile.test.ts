// The account against the ledger: what is matched, by what, how surely, and that everything adds up.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UsageClass } from '../../../src/domain/usage.ts'
import { reconciliationSchema, type Reconciliation } from '../../../src/domain/reconciliation.ts'
import { makeCall, makeEntry, reconcileMade } from '../../support/ledgers.ts'

const timeout = { usage: 'possible', came: 'timeout' } as const
const refused = { usage: 'notCounted', came: 'HTTP 429' } as const
const HOUR = 3_600_000

describe('by conversation', () => {
  const calls = [
    makeCall(1, 0, 500, { returnedId: 'a' }),
    makeCall(2, 1000, 1500, { sentId: 'a', returnedId: 'a' }),
    makeCall(3, 2000, 32_000, { sentId: 'a', ...timeout }),
    makeCall(4, 40_000, 40_100, { returnedId: 'b' }),
  ]
  const rows = [
    makeEntry(2, 200, { conversationId: 'a' }),
    makeEntry(3, 1200, { conversationId: 'a' }),
    makeEntry(4, 40_050, { conversationId: 'b' }),
  ]

  test('an ambiguous call that was not counted is told from the answered ones beside it', () => {
    const { result } = reconcileMade(calls, rows)
    expect(result).toMatchObject({
      matched: { certain: 3, possible: 0 },
      unmatched: { certain: 0, possible: 1 },
      counted: { min: 3, max: 3 },
      verdict: { kind: 'within', by: 0 },
    })
  })

  test('one that was counted is told, too, and other traffic is left alone', () => {
    const others = [
      makeEntry(6, 2500, { conversationId: 'x' }),
      makeEntry(7, 40_080, { conversationId: 'y' }),
    ]
    const { result, calls: lines } = reconcileMade(calls, [
      ...rows,
      makeEntry(5, 2100, { conversationId: 'a' }),
      ...others,
    ])
    expect(result).toMatchObject({
      matched: { certain: 3, possible: 1 },
      unexplained: { own: 0, others: 2 },
      counted: { min: 4, max: 4 },
      verdict: { kind: 'within' },
    })
    expect(lines.filter(({ kind }) => kind === 'matched').every(({ sureness }) => sureness === 'sure')).toBe(
      true,
    )
  })

  test('a clock that is a minute ahead is found, with its size', () => {
    const late = [...rows, makeEntry(5, 2100, { conversationId: 'a' })].map((row) => ({
      ...row,
      at: (row.at ?? 0) + 61_000,
      until: row.until + 61_000,
    }))
    const { result } = reconcileMade(
      calls.filter(({ attempt }) => attempt !== 3),
      late.slice(0, 3),
    )
    expect(result.clock).toMatchObject({ from: 'conversation', agree: 3, of: 3 })
    expect(Math.abs(result.clock.offsetMs - 61_000)).toBeLessThan(300)
    expect(result.verdict.kind).toBe('within')
  })

  test('an answered call without a row, and a row too many, are both told though the sums agree', () => {
    const { result } = reconcileMade(calls.slice(0, 2), [
      makeEntry(2, 100, { conversationId: 'a' }),
      makeEntry(3, 200, { conversationId: 'a', count: 3 }),
    ])
    expect(result).toMatchObject({
      unexplained: { own: 2 },
      counted: { min: 4, max: 4 },
      verdict: { kind: 'above', by: 2 },
    })
  })

  test('a row for a whole conversation counts as often as it says', () => {
    const { result } = reconcileMade(calls, [
      makeEntry(2, 0, { conversationId: 'a', count: 3 }),
      makeEntry(3, 40_000, { conversationId: 'b' }),
    ])
    expect(result).toMatchObject({ matched: { certain: 3, possible: 1 }, counted: { min: 4, max: 4 } })
  })

  test('an answer from a fresh conversation is found under either id', () => {
    const lost = [
      makeCall(1, 0, 100, { returnedId: 'a' }),
      makeCall(2, 1000, 1100, { sentId: 'a', returnedId: 'b' }),
    ]
    for (const id of ['a', 'b'])
      expect(
        reconcileMade(lost, [
          makeEntry(2, 50, { conversationId: 'a' }),
          makeEntry(3, 1050, { conversationId: id }),
        ]).result.matched.certain,
      ).toBe(2)
  })
})

describe('by end user', () => {
  test('a first question whose answer was lost is found in a conversation that nobody here knows', () => {
    const calls = [makeCall(1, 0, 500, { returnedId: 'a' }), makeCall(2, 1000, 31_000, timeout)]
    const rows = [
      makeEntry(2, 200, { conversationId: 'a', endUserRef: 'run-1-1-1-1' }),
      makeEntry(3, 1200, { conversationId: 'z', endUserRef: 'run-1-2-1-1' }),
      makeEntry(4, 1300, { conversationId: 'y', endUserRef: 'somebody' }),
    ]
    const { result } = reconcileMade(calls, rows)
    expect(result.matched.byMethod).toMatchObject({ conversation: { certain: 1 }, user: { possible: 1 } })
    expect(result).toMatchObject({ unexplained: { own: 0, others: 1 }, counted: { min: 2, max: 2 } })
  })

  test('a person of the set who also asks elsewhere at other times is not taken for the run', () => {
    const calls = [
      makeCall(1, 0, 500, { refs: ['ann'] }),
      makeCall(2, 1000, 31_000, { ...timeout, refs: ['ann'] }),
    ]
    const rows = [makeEntry(2, 200, { endUserRef: 'ann' }), makeEntry(3, 60_000, { endUserRef: 'ann' })]
    expect(reconcileMade(calls, rows).result).toMatchObject({
      matched: { certain: 1, possible: 0 },
      unexplained: { own: 0 },
      elsewhere: 1,
    })
  })
})

describe('by time alone', () => {
  const calls = Array.from({ length: 20 }, (_, at) => makeCall(at + 1, at * 3000, at * 3000 + 400))

  test('matches what can only be it, and says that it is likely', () => {
    const { result, calls: lines } = reconcileMade(
      [...calls, makeCall(21, 60_000, 90_000, timeout)],
      [...calls.map((_, at) => makeEntry(at + 2, at * 3000 + 200)), makeEntry(40, 60_100)],
    )
    expect(result).toMatchObject({ matched: { certain: 20, possible: 1 }, counted: { min: 20, max: 21 } })
    expect(lines.every(({ sureness }) => sureness === 'likely')).toBe(true)
  })

  test('says that it is doubtful where other traffic could be it', () => {
    const rows = [
      ...calls.map((_, at) => makeEntry(at + 2, at * 3000 + 200)),
      makeEntry(40, 60_100),
      makeEntry(41, 70_000),
    ]
    const { result } = reconcileMade([...calls, makeCall(21, 60_000, 90_000, timeout)], rows)
    expect(result).toMatchObject({ counted: { min: 20, max: 21 }, unexplained: { others: 1 } })
  })

  test('refused calls that are counted are told prominently', () => {
    const more = Array.from({ length: 8 }, (_, at) =>
      makeCall(30 + at, 61_000 + at * 1000, 61_010 + at * 1000, refused),
    )
    const rows = [
      ...calls.map((_, at) => makeEntry(at + 2, at * 3000 + 200)),
      ...more.map((_, at) => makeEntry(50 + at, 61_005 + at * 1000)),
    ]
    const { result } = reconcileMade([...calls, ...more], rows)
    expect(result).toMatchObject({
      countedRefusals: [{ what: 'HTTP 429', counted: 8, of: 8, sureness: 'likely' }],
      verdict: { kind: 'above', by: 8 },
    })
  })

  test('refused calls on which other traffic happens to fall prove nothing', () => {
    const more = Array.from({ length: 8 }, (_, at) =>
      makeCall(30 + at, 61_000 + at * 1000, 61_010 + at * 1000, refused),
    )
    const others = Array.from({ length: 300 }, (_, at) => makeEntry(100 + at, at * 230 + 17))
    const rows = [...calls.map((_, at) => makeEntry(at + 2, at * 3000 + 200)), ...others]
    const { result } = reconcileMade([...calls, ...more], rows)
    expect(result).toMatchObject({
      countedRefusals: [],
      matched: { notCounted: 0 },
      verdict: { kind: 'within' },
    })
  })
})

describe('by totals', () => {
  const calls = Array.from({ length: 60 }, (_, at) =>
    makeCall(at + 1, at * 120_000, at * 120_000 + 1000, at % 10 === 9 ? timeout : {}),
  )

  test.each([
    ['as many as were answered', [27, 27], 'within', 0],
    ['as many as there can be', [30, 30], 'within', 0],
    ['more', [31, 40], 'above', 11],
    ['fewer', [27, 20], 'below', 7],
  ] as const)('%s', (_, [first, second], kind, by) => {
    const rows = [
      makeEntry(2, 0, { step: HOUR, count: first }),
      makeEntry(3, HOUR, { step: HOUR, count: second }),
    ]
    const { result } = reconcileMade(calls, [...rows, makeEntry(4, 5 * HOUR, { step: HOUR, count: 9 })])
    expect(result).toMatchObject({ mode: 'totals', verdict: { kind, by }, elsewhere: 9 })
    expect(result.buckets.map(({ min, max }) => [min, max])).toEqual([
      [27, 30],
      [27, 30],
    ])
  })

  test('a call over the turn of the hour may be in either', () => {
    const { result } = reconcileMade(
      [makeCall(1, HOUR - 500, HOUR + 500)],
      [makeEntry(2, 0, { step: HOUR, count: 1 }), makeEntry(3, HOUR, { step: HOUR, count: 1 })],
    )
    expect(result.buckets.map(({ min, max }) => [min, max])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  test('without any time there is one total to compare', () => {
    expect(reconcileMade(calls, [makeEntry(2, undefined, { count: 57 })]).result).toMatchObject({
      mode: 'untimed',
      verdict: { kind: 'within' },
      counted: { min: 54, max: 57 },
    })
  })
})

test('a ledger without the run says so, and asks for zone and day', () => {
  const { result } = reconcileMade([makeCall(1, 0, 100)], [makeEntry(2, 90 * HOUR)])
  expect(result.verdict).toMatchObject({
    kind: 'below',
    by: 1,
    words: expect.stringMatching(/--ledger-zone/),
  })
})

test('pauses between sittings are not the time of the run', () => {
  const calls = [makeCall(1, 0, 100), makeCall(2, 20 * HOUR, 20 * HOUR + 100)]
  const rows = [makeEntry(2, 50), makeEntry(3, 10 * HOUR), makeEntry(4, 20 * HOUR + 50)]
  expect(reconcileMade(calls, rows).result).toMatchObject({
    ledger: { inSpan: 2, between: 1, before: 0, after: 0 },
    unexplained: { others: 0 },
    verdict: { kind: 'within' },
  })
})

const ids = fc.option(fc.constantFrom('a', 'b', 'c', 'x'), { nil: undefined })
const classes = fc.constantFrom<UsageClass>('certain', 'possible', 'notCounted')
const calls = fc.array(
  fc.record({ from: fc.nat(60_000), length: fc.nat(5000), usage: classes, sentId: ids, returnedId: ids }),
  { maxLength: 25 },
)
const rows = fc.array(
  fc.record({
    at: fc.option(fc.integer({ min: -30_000, max: 90_000 }), { nil: undefined }),
    count: fc.integer({ min: 1, max: 4 }),
    step: fc.constantFrom(1, 1000, HOUR),
    conversationId: ids,
    endUserRef: fc.option(fc.constantFrom('run-1-1-1-1', 'run-1-2-1-1', 'else'), { nil: undefined }),
  }),
  { maxLength: 25 },
)
const sum = ({ certain, possible, notCounted }: Reconciliation['unmatched']): number =>
  certain + possible + notCounted

test('nothing is counted twice and nothing lost, whatever the two sides hold', () => {
  fc.assert(
    fc.property(calls, rows, fc.boolean(), (drawn, written, rotatingIds) => {
      const attempts = drawn.map(({ from, length, ...more }, at) =>
        makeCall(at + 1, from, from + length, more),
      )
      const entries = written.map(({ at, ...more }, line) => makeEntry(line + 2, at, more))
      const { result, calls: lines } = reconcileMade(attempts, entries, { rotatingIds })
      expect(reconciliationSchema.parse(result)).toEqual(result)
      const { ledger, matched, unexplained, totals, elsewhere, account, unmatched, inTotals } = result
      expect(ledger.inSpan + ledger.before + ledger.between + ledger.after + ledger.untimed).toBe(
        ledger.total,
      )
      expect(sum(matched) + unexplained.own + unexplained.others + totals + elsewhere).toBe(ledger.total)
      for (const name of ['certain', 'possible', 'notCounted'] as const) {
        expect(matched[name] + unmatched[name] + inTotals[name]).toBe(account[name])
        const methods = Object.values(matched.byMethod).reduce((all, one) => all + (one?.[name] ?? 0), 0)
        expect(methods).toBe(matched[name])
      }
      expect(account.attempts).toBe(attempts.length)
      const used = new Map<number, number>()
      for (const { kind, entry } of lines)
        if (kind === 'matched') used.set(entry?.line ?? 0, (used.get(entry?.line ?? 0) ?? 0) + 1)
      for (const { line, count } of entries) expect(used.get(line) ?? 0).toBeLessThanOrEqual(count)
      expect(lines.filter(({ call }) => call !== undefined)).toHaveLength(attempts.length)
      expect(result.counted.min).toBeLessThanOrEqual(result.counted.max)
    }),
    { numRuns: 200 },
  )
})

test('a ledger of the certain calls and of some possible ones always lies in the account', () => {
  fc.assert(
    fc.property(calls, fc.boolean(), fc.integer({ min: -100_000, max: 100_000 }), (drawn, hasIds, shift) => {
      // One after the other, each with a conversation of its own, as a ledger can tell them apart.
      const attempts = drawn.map(({ usage, length }, at) =>
        makeCall(at + 1, at * 10_000, at * 10_000 + length, {
          usage,
          returnedId: usage === 'certain' ? `c${at}` : undefined,
        }),
      )
      const counted = attempts.filter(
        ({ usage, attempt }) => usage === 'certain' || (usage === 'possible' && (attempt ?? 0) % 2 === 0),
      )
      const entries = counted.map(({ from, until, refs, attempt }, at) => ({
        ...makeEntry(
          at + 2,
          0,
          hasIds ? { conversationId: `c${(attempt ?? 0) - 1}`, endUserRef: refs[0] } : {},
        ),
        at: Math.floor((from + until) / 2) + shift,
        until: Math.floor((from + until) / 2) + shift + 1,
      }))
      const { result } = reconcileMade(attempts, entries, hasIds ? {} : { offsetMs: shift })
      expect(result.unmatched.certain).toBe(0)
      expect(result.verdict.kind).toBe(attempts.length === 0 ? 'unknown' : 'within')
      // By its time alone a row may always be another's.
      const min = hasIds ? counted.length : result.account.certain
      expect(result.counted).toEqual({ min, max: counted.length })
    }),
    { numRuns: 100 },
  )
})
