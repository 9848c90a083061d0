// Turns in every state that a comparison tells apart, and turns of two runs made for its tests.
import { turnSummaryOf, type TurnSummary } from '../../src/analysis/comparison/question.ts'
import type { Grade, TurnRecord } from '../../src/domain/turn.ts'
import { makeQuestion } from './questions.ts'
import { makeReply, makeTurn } from './turns.ts'

const passed: Grade = { kind: 'passed' }
const failed: Grade = { kind: 'failed', failures: [{ expectation: 'expect_source', sentence: 'is wrong' }] }
const none: Grade = { kind: 'none' }
const summary = (more: Partial<TurnRecord>, grade: Grade = none): TurnSummary =>
  turnSummaryOf({ turn: makeTurn({ question: makeQuestion('q', 't', 1), ...more }), grade }, [
    'KNOWLEDGE_BASE',
  ])

export const states = {
  grounded: summary({}, passed),
  wrong: summary({}, failed),
  ungrounded: summary({ result: makeReply('LLM') }, failed),
  odd: summary({ result: makeReply('(error)') }),
  timeout: summary({ outcome: 'timeout', result: undefined }, { kind: 'notGraded', reason: 'error' }),
  skipped: summary({ outcome: 'skipped', result: undefined }, { kind: 'notGraded', reason: 'skipped' }),
  notAsked: summary({ outcome: undefined, result: undefined }, { kind: 'notGraded', reason: 'notAsked' }),
  lost: summary({ contextLost: true }, { kind: 'notGraded', reason: 'contextLost' }),
}
export type State = keyof typeof states

/** A run's turns of single-turn threads `q0`, `q1`, …, unless said otherwise. */
export const turnsIn = (
  given: readonly (State | (Partial<TurnSummary> & { readonly state: State }))[],
): TurnSummary[] =>
  given.map((one, index) => {
    const { state, ...more } = typeof one === 'string' ? { state: one } : one
    const id = `q${index}`
    return { ...states[state], index, id, thread: id, message: `What about ${id}?`, ...more }
  })
