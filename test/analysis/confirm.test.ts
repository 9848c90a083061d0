// Protects which answer counts once a failure was sent again. scenarios/confirm.yaml and properties/confirm
// cover what is sent.
import { expect, test } from 'vitest'
import { confirmationOf, countedTry, mayBeConfirmed } from '../../src/analysis/confirm.ts'
import type { Grade, GradedTurn } from '../../src/domain/turn.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const SOURCES = ['KNOWLEDGE_BASE']
const passed: Grade = { kind: 'passed' }
const failed: Grade = { kind: 'failed', failures: [{ expectation: 'expect_contains', sentence: 'lacks x' }] }
const answered =
  (grade: Grade, source = 'KNOWLEDGE_BASE') =>
  (): GradedTurn => ({
    turn: makeTurn({ result: makeReply(source) }),
    grade,
  })

const KINDS = {
  pass: answered(passed),
  fail: answered(failed),
  'pass ungrounded': answered(passed, 'MODEL'),
  'fail ungrounded': answered(failed, 'MODEL'),
  error: () => ({
    turn: makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
    grade: { kind: 'notGraded' },
  }),
  skipped: () => ({
    turn: makeTurn({ outcome: 'skipped', result: undefined }),
    grade: { kind: 'notGraded' },
  }),
  'not sent': () => ({
    turn: makeTurn({ outcome: undefined, result: undefined }),
    grade: { kind: 'notGraded' },
  }),
} satisfies Readonly<Record<string, () => GradedTurn>>
type Kind = keyof typeof KINDS

/** Which answer counts, by its index; and whether the first one is confirmed. */
test.each<[tries: readonly [Kind, ...Kind[]], counted: number, isConfirmed: boolean | undefined]>([
  [['fail'], 0, undefined],
  [['fail', 'not sent', 'not sent'], 0, undefined],
  [['fail', 'error', 'skipped'], 0, undefined],
  [['fail', 'fail', 'pass'], 0, true],
  [['fail', 'pass', 'pass'], 1, false],
  [['fail', 'error', 'pass'], 2, false],
  [['fail', 'fail', 'error'], 0, true],
  // Not more than half.
  [['fail', 'pass'], 1, false],
  [['fail', 'fail', 'pass', 'pass', 'pass'], 2, false],
  [['fail', 'fail', 'fail', 'pass', 'pass'], 0, true],
  [['pass ungrounded', 'pass ungrounded', 'pass'], 0, true],
  [['pass ungrounded', 'pass', 'pass'], 1, false],
  [['fail ungrounded', 'fail', 'pass'], 1, true],
  [['fail ungrounded', 'pass ungrounded', 'fail'], 0, true],
  [['fail ungrounded', 'fail', 'pass ungrounded'], 0, true],
  [['fail', 'fail ungrounded', 'pass ungrounded'], 1, true],
  // Of a must_pass question that ended in an error, the errors count, too.
  [['error', 'pass', 'pass'], 1, false],
  [['error', 'error', 'pass'], 0, true],
])('of %j the answer %i counts', (kinds, at, isConfirmed) => {
  const tries = kinds.map((kind): GradedTurn => KINDS[kind]())
  const [first = KINDS.pass(), ...again] = tries
  const usage = { attempts: 7, certain: 7, possible: 0, notCounted: 0, min: 7, max: 7 }
  const counted = countedTry({ ...first, turn: { ...first.turn, usage } }, again, SOURCES)
  expect(counted.turn.result).toBe(tries[at]?.turn.result)
  expect(counted.grade).toBe(tries[at]?.grade)
  expect([counted.turn.repeat, counted.turn.usage]).toEqual([1, usage])
  expect(confirmationOf(counted, SOURCES)?.confirmed).toBe(isConfirmed)
})

test('only what may be sent again decides nothing', () => {
  const may = (kind: Kind, mustPass: boolean, hasBaseline: boolean, confirms = true): boolean => {
    const { grade, turn } = KINDS[kind]()
    const question = { ...makeQuestion('q', 't', 1), mustPass }
    return mayBeConfirmed(
      { grade, turn: { ...turn, question } },
      { confirms, hasBaseline, groundedSources: SOURCES },
    )
  }
  const kindsOf = (mustPass: boolean, hasBaseline: boolean): Kind[] =>
    (Object.keys(KINDS) as Kind[]).filter((kind) => may(kind, mustPass, hasBaseline))
  expect(kindsOf(false, false)).toEqual([])
  expect(kindsOf(true, false)).toEqual(['fail', 'fail ungrounded', 'error', 'skipped'])
  expect(kindsOf(false, true)).toEqual(['fail', 'pass ungrounded', 'fail ungrounded'])
  expect(may('fail', true, true, false)).toBe(false)
})
