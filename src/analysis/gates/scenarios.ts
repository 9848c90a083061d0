// How a run can end: its missing answers filled in, each time in another way. And turns without an answer.
//
// Four scenarios are enough, and one for each value that a threshold counts: a missing answer enlarges the
// denominator of a share, both its numbers, or neither, so a figure is lowest in one of them and highest in
// another. The worst answers are ungrounded, too. Division of doubles is monotonic: that holds to the last
// digit.
import type { AttemptResult } from '../../domain/attempt.ts'
import { type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import type { GradedTurn } from '../../domain/turn.ts'
import { threadKey } from '../questions.ts'
import { countUsage } from '../quota.ts'
import type { Threshold } from './threshold.ts'

const NO_COST = {
  serviceMs: undefined,
  waitMs: undefined,
  usage: countUsage({ certain: 0, possible: 0, notCounted: 0 }),
  rateLimited: 0,
}

export const unsentTurn = (index: number, question: Question, repeat: number): GradedTurn => ({
  turn: { index, question, repeat, outcome: undefined, result: undefined, contextLost: false, ...NO_COST },
  grade: { kind: question.expect === undefined ? 'none' : 'notGraded' },
})

const UNMET: GradedTurn['grade'] = {
  kind: 'failed',
  failures: [{ expectation: 'expect_contains', sentence: '' }],
}

/** What the gates judge of a turn: a run may have 100,000 answers. */
export function withoutTexts({ turn, grade }: GradedTurn): GradedTurn {
  const { result } = turn
  const plain =
    result?.kind === 'reply'
      ? { ...result, reply: { ...result.reply, conversationId: '', message: '' } }
      : result
  return { turn: { ...turn, ...NO_COST, result: plain }, grade: grade.kind === 'failed' ? UNMET : grade }
}

/** How every missing answer ends. */
interface Scenario {
  readonly outcome: Outcome
  readonly result: AttemptResult
  readonly contextLost: boolean
  /** Whether it meets what the question expects. */
  readonly isMet: boolean
  /** Each conversation ends with its first error: that is at its first turn with this tag. */
  readonly tag?: string | undefined
}

/** No source, status or code that a threshold can name. */
const OTHER = ''
const TIMEOUT: AttemptResult = { kind: 'timeout', message: '' }

export function scenariosOf(
  thresholds: readonly Threshold[],
  groundedSources: readonly string[],
): readonly Scenario[] {
  const [grounded = OTHER] = groundedSources
  const answered = (contextSource: string, status = 'success'): Scenario => {
    const reply = { conversationId: '', message: '', status, contextSource }
    const result = { kind: 'reply', httpStatus: 200, reply } as const
    return { outcome: 'answered', result, contextLost: false, isMet: true }
  }
  const failed = (outcome: Outcome, result = TIMEOUT, tag?: string): Scenario => ({
    outcome,
    result,
    contextLost: false,
    isMet: false,
    tag,
  })
  /** All missing answers have the value that a threshold counts. */
  const counted = ({ metric: { path }, key = OTHER, tag }: Threshold): Scenario[] => {
    const [group, name = ''] = path
    if (group === 'contextSource') return [answered(key)]
    if (group === 'status') return [answered(grounded, key)]
    const outcome = OUTCOMES.find((one) => one === name || (name === 'byOutcome' && one === key))
    if (group === 'turns') return outcome === undefined ? [] : [failed(outcome, TIMEOUT, tag)]
    if (group !== 'errors') return []
    const httpStatus = name === 'byHttpStatus' ? Number(key) : 500
    const refusal = { kind: 'rejection', httpStatus, error: { code: key, message: '' } } as const
    const isRefusal = name.startsWith('by') && key !== 'none'
    return [failed(outcome ?? 'server_error', isRefusal ? refusal : TIMEOUT, tag)]
  }
  const best = answered(grounded)
  const worst = { ...answered(OTHER, OTHER), isMet: false }
  const withoutContext = { ...best, contextLost: true }
  return [best, worst, failed('timeout'), withoutContext, ...thresholds.flatMap(counted)]
}

export function* fillIn(turns: readonly GradedTurn[], scenario: Scenario): Generator<GradedTurn> {
  const { outcome, result, contextLost, isMet, tag } = scenario
  const isAnswer = outcome === 'answered'
  const failing = isAnswer ? undefined : firstMissing(turns, tag)
  for (const one of turns) {
    const { turn, grade } = one
    if (turn.outcome !== undefined) yield one
    else if (failing?.has(turn.question) === false) yield { turn: { ...turn, outcome: 'skipped' }, grade }
    else {
      const isGraded = grade.kind !== 'none' && isAnswer && !contextLost
      yield {
        turn: { ...turn, outcome, result, contextLost },
        grade: !isGraded ? grade : isMet ? { kind: 'passed' } : UNMET,
      }
    }
  }
}

/** Of each thread, the first question with the tag that has no answer. */
function firstMissing(turns: readonly GradedTurn[], tag: string | undefined): Set<Question> {
  const first = new Map<string, Question>()
  for (const { turn } of turns) {
    const { question, outcome } = turn
    if (outcome !== undefined || (tag !== undefined && !question.tags.includes(tag))) continue
    const key = threadKey(question)
    if (question.turn < (first.get(key)?.turn ?? Infinity)) first.set(key, question)
  }
  return new Set(first.values())
}
