// Protects the counts of turns and calls in cases that no recorded run has, the quota account and a ledger beside it, the
// rates of a repeated question, and which answer counts once a failure was sent again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCallsOverTime, type UsageClass, usageClassOf } from '../../src/analysis/figures/account.ts'
import { createFigures } from '../../src/analysis/figures/figures.ts'
import { createFold, turnsLeft } from '../../src/analysis/figures/fold.ts'
import {
  confirmationOf,
  countedTry,
  isFlaky,
  mayBeConfirmed,
  summariseRepeats,
} from '../../src/analysis/figures/graded.ts'
import { compareWithLedger } from '../../src/analysis/figures/ledger.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { createTurnJoiner, type JournalRecord } from '../../src/domain/journal.ts'
import { callVerdict, type LimitCall } from '../../src/domain/limit.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import {
  callRecords,
  failed,
  journalOf,
  makeManifest,
  makeQuestion,
  makeReply,
  makeTurn,
  network,
  rejection,
  START,
  timeout,
} from '../support/recorded.ts'
import { readRows } from '../support/rows.ts'

const OPTIONS = {
  groundedSources: ['KNOWLEDGE_BASE'],
  passPolicy: 'all',
  quota: null,
  isWeighted: false,
} as const

test('contextSource may have any value, names of object properties included', () => {
  const figures = createFigures(OPTIONS)
  for (const source of ['__proto__', 'constructor', '']) {
    figures.add([makeTurn({ result: makeReply(source) })])
  }
  const { contextSource, coverage } = figures.finish().overall
  expect(JSON.parse(JSON.stringify(contextSource))).toEqual(
    JSON.parse('{"":1,"__proto__":1,"constructor":1}'),
  )
  expect(coverage.rate).toBe(0)
})

test('threads with one name in two files are two threads', () => {
  const figures = createFigures(OPTIONS)
  for (let index = 0; index < 12; index += 1) {
    const question = makeQuestion(`q${index}`, `t${index % 3}`, 1, { file: index % 2 })
    const result = makeReply(index < 6 ? 'KNOWLEDGE_BASE' : 'MODEL')
    figures.add([makeTurn({ index, question, result })])
  }
  expect(figures.finish().overall.coverage.cluster?.threads).toBe(6)
})

test('without weights there is no such figure', () => {
  const figures = createFigures(OPTIONS)
  figures.add([makeTurn()])
  expect(figures.finish().overall.coverage).not.toHaveProperty('weighted')
})

const SOURCES = ['KNOWLEDGE_BASE']
const passed = { grade: 'passed' } as const
const lacking = failed('lacks x')
const answered =
  (graded: Partial<AnsweredTurn>, source = 'KNOWLEDGE_BASE') =>
  (): AnsweredTurn =>
    makeTurn({ result: makeReply(source), failures: [], ...graded })
const without = (outcome: Outcome | undefined, result?: AttemptResult) => (): AnsweredTurn =>
  makeTurn({ outcome, result, grade: 'notGraded' })

const KINDS = {
  pass: answered(passed),
  fail: answered(lacking),
  'pass ungrounded': answered(passed, 'MODEL'),
  'fail ungrounded': answered(lacking, 'MODEL'),
  error: without('timeout', timeout),
  skipped: without('skipped'),
  'without context': answered({ grade: 'notGraded', contextLost: true }),
  'not sent': without(undefined),
} satisfies Readonly<Record<string, () => AnsweredTurn>>
type Kind = keyof typeof KINDS

/**
 * Which answer counts, by its index; and whether the first one is confirmed: by more than half. Of a must_pass question
 * that ended in an error, the errors count, too.
 */
type Tries = [tries: [Kind, ...Kind[]], counted: number, isConfirmed: boolean | null]
test.each(readRows<Tries>(new URL('fixtures/tries.ndjson', import.meta.url)))(
  'of %j the answer %i counts',
  (kinds, at, isConfirmed) => {
    const tries = kinds.map((kind): AnsweredTurn => KINDS[kind]())
    const [first = KINDS.pass(), ...again] = tries
    const counted = countedTry({ ...first, certain: 7 }, again, SOURCES)
    expect(counted.result).toBe(tries[at]?.result)
    expect(counted.failures).toBe(tries[at]?.failures)
    expect([counted.repeat, counted.certain]).toEqual([1, 7])
    expect(confirmationOf(counted, SOURCES)?.confirmed ?? null).toBe(isConfirmed)
  },
)

test.each<[string, confirm: number, boolean, baseline: string | null, Kind[]]>([
  ['nothing has to pass', 1, false, null, []],
  ['it must pass', 1, true, null, ['fail', 'fail ungrounded', 'error', 'skipped', 'without context']],
  ['there is a baseline', 1, false, 'b', ['fail', 'pass ungrounded', 'fail ungrounded']],
  ['nothing is sent again', 0, true, 'b', []],
])('what may be sent again decides nothing: where %s', (_, confirm, mustPass, baseline, expected) => {
  const question = makeQuestion('q', 't', 1, { mustPass })
  const options = { ...makeManifest().options, confirm, baseline }
  const kinds = Object.keys(KINDS) as Kind[]
  expect(kinds.filter((kind) => mayBeConfirmed({ ...KINDS[kind](), question }, options))).toEqual(expected)
})

const summarise = (first: Kind, ...others: readonly Kind[]) =>
  summariseRepeats([KINDS[first](), ...others.map((kind) => KINDS[kind]())], SOURCES)

test('rates leave out errors and lost contexts', () => {
  const counted = { answered: 1, passRate: 1, groundingRate: 1 }
  expect(summarise('error', 'skipped', 'without context', 'pass')).toMatchObject(counted)
  expect(summarise('error')).toMatchObject({ answered: 0, passRate: null, groundingRate: null })
})

test('a question is flaky if only its grounding differs', () => {
  expect(isFlaky(summarise('pass', 'pass ungrounded'))).toBe(true)
  expect(isFlaky(summarise('pass', 'pass'))).toBe(false)
  expect(isFlaky(summarise('error', 'skipped', 'without context', 'pass'))).toBe(false)
})

/** How a result counts toward the quota, and what it says of the limit. */
test.each<[string, AttemptResult, UsageClass, LimitCall['verdict'] | undefined]>([
  ['an answer', makeReply('X'), 'certain', 'accepted'],
  [
    'a malformed 2xx',
    { kind: 'malformed', httpStatus: 200, reason: 'r', excerpt: '' },
    'certain',
    'accepted',
  ],
  ['a 2xx cut off', network(true, 200), 'certain', 'accepted'],
  ['a 2xx that timed out', { ...timeout, httpStatus: 200 }, 'certain', 'accepted'],
  ['a 500', rejection(500), 'possible', 'unknown'],
  ['a timeout', timeout, 'possible', 'unknown'],
  ['a reset after sending', network(true), 'possible', 'unknown'],
  ['given up in flight', { kind: 'abandoned', sent: true }, 'possible', 'unknown'],
  ['a 429', rejection(429), 'notCounted', 'refused'],
  ['a 429 cut off', network(true, 429), 'possible', 'refused'],
  ['a 400', rejection(400), 'notCounted', 'unknown'],
  ['a redirect', rejection(302), 'notCounted', 'unknown'],
  ['no connection', network(false), 'notCounted', undefined],
  ['given up before sending', { kind: 'abandoned', sent: false }, 'notCounted', undefined],
])('%s counts', (_, result, usage, verdict) => {
  expect([usageClassOf(result), callVerdict(result)]).toEqual([usage, verdict])
})

const fromModel = makeReply('MODEL')
const RUN_START = Date.parse('2026-11-20T02:00:00.100Z')

const counted = (...calls: readonly (readonly [ms: number, result: AttemptResult])[]) => {
  const counter = createCallsOverTime()
  for (const [ms, result] of calls)
    counter.add({ kind: 'result', at: RUN_START + ms, attempt: 1, waitMs: 0, serviceMs: 1, result })
  return counter.finish()
}

test('a call counts in the bin of its end, by its result', () => {
  expect(counted()).toBeNull()
  expect(counted([0, fromModel], [100, rejection(429)], [600, rejection(503)], [601, timeout])).toEqual({
    from: '2026-11-20T02:00:00.000Z',
    binMs: 250,
    answered: [1, 0, 0],
    refused: [1, 0, 0],
    failed: [0, 0, 2],
  })
})

test('bins merge when there are more than 120, and every call stays in one bin', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40_000_000 }), { minLength: 1, maxLength: 60 }), (times) => {
      const found = counted(
        ...times.map((ms, place) => [ms, place % 3 === 0 ? rejection(429) : fromModel] as const),
      )
      const sum = (list: readonly number[] = []): number => list.reduce((all, one) => all + one, 0)
      expect(sum(found?.refused)).toBe(Math.ceil(times.length / 3))
      expect(sum(found?.answered)).toBe(times.length - Math.ceil(times.length / 3))
      expect(found?.answered.length).toBeLessThanOrEqual(120)
      expect(found?.refused.length).toBe(found?.answered.length)
    }),
  )
})

test('a ledger whose clock differs by up to five seconds counts the calls of the run', () => {
  const run = {
    from: RUN_START,
    until: RUN_START,
    conversationIds: new Set<string>(),
    endUserRefs: new Set<string>(),
  }
  const entries = [-5001, -5000, 5000, 5001].map((ms) => {
    return { at: RUN_START + ms, count: 1, conversationId: undefined, endUserRef: undefined, row: String(ms) }
  })
  const compared = compareWithLedger(entries, run, { min: 2, max: 2 })
  expect(compared).toMatchObject({ matchedBy: 'total', counted: 2, verdict: 'within' })
})

const first = makeQuestion('q1', 't', 1)
const questions = [first, makeQuestion('q2', 't', 2)]

test.each<[string, AttemptResult | undefined, boolean, number]>([
  ['whose next call was never sent', { kind: 'abandoned', sent: false }, false, 1],
  ['whose next call has no result', undefined, false, 2],
  ['whose next call was given up', { kind: 'abandoned', sent: true }, false, 2],
  // The call that finds it forgotten, and both again.
  ['that a new sandbox does not know', { kind: 'abandoned', sent: false }, true, 3],
])('of a conversation %s', (_, result, forgets, left) => {
  const place = { attempt: 2, question: 1, repeat: 1, conversation: 1, conversationId: 'c1' }
  const calls: JournalRecord[] = [
    ...callRecords(makeTurn({ index: 0, question: first, result: makeReply('MODEL') }), 1),
    { kind: 'intent', at: START, ...place },
  ]
  if (result !== undefined)
    calls.push({ kind: 'result', at: START, attempt: 2, waitMs: 0, serviceMs: 1, result })
  const fold = createFold()
  const join = createTurnJoiner()
  for (const [offset, record] of [...journalOf(questions, calls, {})].entries())
    fold.add(join(record), { journal: 0, offset, length: 0 })
  expect(turnsLeft(fold.finish(), forgets)).toBe(left)
})
