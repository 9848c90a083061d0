// A run's missing answers are filled in, each time in another way. Four scenarios are enough, and one for
// each value that a threshold counts: a missing answer enlarges the denominator of a share, both its numbers,
// or neither, so a figure is lowest in one of them and highest in another. Division of doubles is monotonic:
// that holds to the last digit.
import type { ResultFacts } from '../../domain/attempt.ts'
import { type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import { NO_RESULT, type Turn, type TurnEnd } from '../../domain/turn.ts'
import { threadKey } from '../figures/questions.ts'
import type { Threshold } from './threshold.ts'

interface Scenario extends TurnEnd {
  readonly isMet: boolean
  /** Each conversation ends with its first error at its first turn with this tag. */
  readonly tag?: string | undefined
}

/** No source, status or code that a threshold can name. */
const OTHER = ''

export function scenariosOf(
  thresholds: readonly Threshold[],
  groundedSources: readonly string[],
): readonly Scenario[] {
  const [grounded = OTHER] = groundedSources
  const answered = (contextSource: string, status = 'success'): Scenario => {
    const facts = { ...NO_RESULT.facts, contextSource, status }
    return { outcome: 'answered', facts, contextLost: false, isMet: true }
  }
  const failed = (outcome: Outcome, result: Partial<ResultFacts> = {}, tag?: string): Scenario => {
    return { outcome, facts: { ...NO_RESULT.facts, ...result }, contextLost: false, isMet: false, tag }
  }
  // All missing answers have the value that a threshold counts.
  const counted = ({ metric: { path }, key = OTHER, tag }: Threshold): Scenario[] => {
    const [group, name = ''] = path
    if (group === 'contextSource') return [answered(key)]
    if (group === 'status') return [answered(grounded, key)]
    const outcome = OUTCOMES.find((value) => value === name || (name === 'byOutcome' && value === key))
    if (group === 'turns') return outcome === undefined ? [] : [failed(outcome, {}, tag)]
    if (group !== 'errors') return []
    const httpStatus = name === 'byHttpStatus' ? Number(key) : 500
    const isRefusal = name.startsWith('by') && key !== 'none'
    return [failed(outcome ?? 'server_error', isRefusal ? { httpStatus, code: key } : {}, tag)]
  }
  const best = answered(grounded)
  const worst = { ...answered(OTHER, OTHER), isMet: false }
  const withoutContext = { ...best, contextLost: true }
  return [best, worst, failed('timeout'), withoutContext, ...thresholds.flatMap(counted)]
}

export function* fillIn(turns: readonly Turn[], scenario: Scenario): Generator<Turn> {
  const { isMet, tag, ...end } = scenario
  const isAnswer = end.outcome === 'answered'
  const failing = isAnswer ? undefined : firstMissing(turns, tag)
  for (const turn of turns) {
    if (turn.outcome !== undefined) yield turn
    else if (failing?.has(turn.question) === false) yield { ...turn, outcome: 'skipped' }
    else {
      const isGraded = turn.grade !== 'none' && isAnswer && !end.contextLost
      yield { ...turn, ...end, grade: !isGraded ? turn.grade : isMet ? 'passed' : 'failed' }
    }
  }
}

function firstMissing(turns: readonly Turn[], tag: string | undefined): Set<Question> {
  const first = new Map<string, Question>()
  for (const { question, outcome } of turns) {
    if (outcome !== undefined || (tag !== undefined && !question.tags.includes(tag))) continue
    const key = threadKey(question)
    if (question.turn < (first.get(key)?.turn ?? Infinity)) first.set(key, question)
  }
  return new Set(first.values())
}
