// Protects the rates of a repeated question, and which answer counts once a failure was sent again. test/recorded
// and scenarios/confirm.yaml cover whole runs.
import { expect, test } from 'vitest'
import {
  confirmationOf,
  countedTry,
  isFlaky,
  mayBeConfirmed,
  summariseRepeats,
} from '../../src/analysis/figures/graded.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { failed, makeManifest, makeQuestion, makeReply, makeTurn, timeout } from '../support/recorded.ts'
import { readRows } from '../support/rows.ts'

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
