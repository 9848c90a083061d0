// A turn of a run: what counts of it, and for a report its answer, its cost and its grade.
import type { AttemptResult, ResultFacts } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { EXPECTATION_COLUMNS, Expectations, Question } from './question.ts'

export interface TurnEnd {
  /** Undefined: not sent, or its result is lost. */
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  readonly facts: ResultFacts
}

/** What counts of a turn: a run may have 100,000, so no text of an answer. */
export interface TurnFacts extends TurnEnd {
  readonly index: number
  readonly repeat: number
  readonly grade: Grade
  /** Service time of the attempt that decided it, milliseconds. */
  readonly serviceMs: number | undefined
  /** Time in limiter and backoff, over all attempts of the turn, milliseconds. */
  readonly waitMs: number | undefined
  /** Attempts over all conversations and sessions, by how they count toward the quota. */
  readonly certain: number
  readonly possible: number
  readonly notCounted: number
  readonly rateLimited: number
}

const NO_FACTS = { contextSource: undefined, status: undefined, httpStatus: undefined, code: undefined }
export const NO_RESULT = { facts: NO_FACTS, serviceMs: undefined, waitMs: undefined }
export const NO_USAGE = { certain: 0, possible: 0, notCounted: 0, rateLimited: 0 }

export interface Turn extends TurnFacts {
  readonly question: Question
}

export const attemptsOf = ({ certain, possible, notCounted }: TurnFacts): number =>
  certain + possible + notCounted

export const unsentTurn = (index: number, question: Question, repeat: number): Turn => ({
  index,
  question,
  repeat,
  outcome: undefined,
  contextLost: false,
  grade: question.expect === undefined ? 'none' : 'notGraded',
  ...NO_RESULT,
  ...NO_USAGE,
})

export interface AnsweredTurn extends Turn {
  /** It decided the outcome; undefined for a turn that was not sent. */
  readonly result: AttemptResult | undefined
  /** Reads and grades it again, from a journal that must still be open: 200,000 answers are 300 MB. */
  readonly readAgain: () => AnsweredTurn
  /** Empty unless its grade is `failed`. */
  readonly failures: readonly UnmetExpectation[]
  /** It failed, but enough answers to its question passed. */
  readonly isTolerated?: boolean
  /** All answers of a question that `--confirm` sent again, the first one first. This one counts. */
  readonly tries?: readonly AnsweredTurn[]
}

export interface UnmetExpectation {
  readonly expectation: (typeof EXPECTATION_COLUMNS)[keyof Expectations]
  /** What is wrong and what was found, as a sentence fragment. Untrusted: it quotes the answer. */
  readonly sentence: string
}

/** A place that shows the answer itself, or leads to it, leaves it out: sentences quote it last. */
export const withoutAnswer = (sentence: string): string =>
  sentence.replace(/; (?:the answer was|found in) .*$/s, '')

/** `none`: without expectations. `notGraded`: no answer in its context; an error is never an answer. */
export type Grade = 'none' | 'notGraded' | 'passed' | 'failed'

export const hasPassed = (grade: Grade): boolean | undefined =>
  grade === 'passed' || (grade === 'failed' ? false : undefined)

export function isGrounded(
  { outcome, contextLost, facts: { contextSource } }: TurnEnd,
  groundedSources: readonly string[],
): boolean | undefined {
  if (outcome !== 'answered' || contextLost || contextSource === undefined) return undefined
  return groundedSources.includes(contextSource)
}

export const PASS_POLICIES = ['all', 'majority', 'any'] as const

export type PassPolicy = (typeof PASS_POLICIES)[number]
