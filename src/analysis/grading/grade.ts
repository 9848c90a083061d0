// A turn's grade: whether its answer keeps what the question expects. Pure but for the clock on regular expressions.
import type { Failure, Grade, UngradedReason, TurnRecord } from '../../domain/turn.ts'
import type { Expectations, Question } from '../../domain/question.ts'
import { sourceFailures, timeFailures } from './measured.ts'
import type { RegexOutcome } from './regex.ts'
import { tokenF1 } from './similarity.ts'
import { containsFailures, notContainsFailures, regexFailures, similarityFailures } from './text-checks.ts'
import { tokensOf } from './tokens.ts'

export type GradedTurn = Pick<TurnRecord, 'outcome' | 'contextLost' | 'result' | 'serviceMs'> & {
  readonly question: Pick<Question, 'expect'>
}

export interface GradePorts {
  /** Runs a regular expression (flags `iu`) with a limit of time; never throws. */
  readonly matches: (source: string, text: string) => RegexOutcome
}

/**
 * Every expectation is looked at, so all failures show at once, in the order of the columns. Only an answer with
 * its context is graded: an error never is, and neither is its text. `must_pass` is no expectation of its own: a
 * `must_pass` question without others is of kind `none` (see `mustPassFailure` for the gate).
 */
export function grade(turn: GradedTurn, ports: GradePorts): Grade {
  const { expect } = turn.question
  if (expect === undefined) return { kind: 'none' }
  const { outcome, result, contextLost } = turn
  if (outcome !== 'answered' || result?.kind !== 'reply' || contextLost)
    return { kind: 'notGraded', reason: whyNot(turn) }
  const { message, contextSource } = result.reply
  const similarity = expect.answer && tokenF1(tokensOf(message), tokensOf(expect.answer.text))
  const [first, ...rest] = [
    ...sourceFailures(expect, contextSource),
    ...textFailures(expect, message, ports, similarity),
    ...timeFailures(expect, turn.serviceMs),
  ]
  const scored = similarity === undefined ? {} : { similarity }
  return first === undefined
    ? { kind: 'passed', ...scored }
    : { kind: 'failed', failures: [first, ...rest], ...scored }
}

function textFailures(
  expect: Expectations,
  message: string,
  { matches }: GradePorts,
  similarity: number | undefined,
): Failure[] {
  return [
    ...containsFailures(expect, message),
    ...notContainsFailures(expect, message),
    ...(expect.regex === undefined
      ? []
      : regexFailures(expect.regex, message, matches(expect.regex, message))),
    ...(expect.answer === undefined || similarity === undefined
      ? []
      : similarityFailures(expect.answer, message, similarity)),
  ]
}

export function whyNot({
  outcome,
  contextLost,
}: Pick<TurnRecord, 'outcome' | 'contextLost'>): UngradedReason {
  if (outcome === undefined) return 'notAsked'
  if (outcome === 'skipped') return 'skipped'
  return outcome === 'answered' && contextLost ? 'contextLost' : 'error'
}
