// Protects which answer counts once a failure was sent again. scenarios/confirm.yaml and properties/confirm
// cover what is sent.
import { expect, test } from 'vitest'
import { confirmationOf, countedTry, mayBeConfirmed } from '../../src/analysis/confirm.ts'
import type { Grade, GradedTurn } from '../../src/domain/turn.ts'
import { makeQuestion } from '../support/questions.ts'
import { readRows } from '../support/rows.ts'
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

/**
 * Which answer counts, by its index; and whether the first one is confirmed: by more than half. Of a must_pass question
 * that ended in an error, the errors count, too.
 */
test.each(
  readRows<[tries: [Kind, ...Kind[]], counted: number, isConfirmed: boolean | null]>(
    new URL('fixtures/tries.ndjson', import.meta.url),
  ),
)('of %j the answer %i counts', (kinds, at, isConfirmed) => {
  const tries = kinds.map((kind): GradedTurn => KINDS[kind]())
  const [first = KINDS.pass(), ...again] = tries
  const usage = { attempts: 7, certain: 7, possible: 0, notCounted: 0, min: 7, max: 7 }
  const counted = countedTry({ ...first, turn: { ...first.turn, usage } }, again, SOURCES)
  expect(counted.turn.result).toBe(tries[at]?.turn.result)
  expect(counted.grade).toBe(tries[at]?.grade)
  expect([counted.turn.repeat, counted.turn.usage]).toEqual([1, usage])
  expect(confirmationOf(counted, SOURCES)?.confirmed ?? null).toBe(isConfirmed)
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
