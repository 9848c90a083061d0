// A turn of a run: what counts of it, and for a report its answer, its cost and its grade.
import type { AttemptResult, ResultFacts } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { EXPECTATION_COLUMNS, Expectations, Question } from './question.ts'

export interface TurnEnd {
  /** It is undefined if it was not sent, or its result is lost. */
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  readonly facts: ResultFacts
}

/** A run may have 100,000 turns, so this holds no text of an answer. */
export interface TurnFacts extends TurnEnd {
  readonly index: number
  readonly repeat: number
  readonly grade: Grade
  readonly serviceMs: number | undefined
  /** All attempts of the turn waited these milliseconds in limiter and backoff. */
  readonly waitMs: number | undefined
  /** Attempts over all conversations and sessions count by how they count toward the quota. */
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
  readonly failures: readonly UnmetExpectation[]
  /** `--confirm` sent the question again: its first answer comes first. This one counts. */
  readonly tries?: readonly AnsweredTurn[]
}

/** What is wrong with a turn, as fragments of a sentence. Untrusted: they quote the endpoint. */
export interface Unmet {
  readonly sentence: string
  /** Quotes the answer. A place that shows or links it leaves this out. */
  readonly found?: string
}

export interface UnmetExpectation extends Unmet {
  readonly expectation: (typeof EXPECTATION_COLUMNS)[keyof Expectations]
}

export const withAnswer = ({ sentence, found }: Unmet): string =>
  found === undefined ? sentence : `${sentence}; ${found}`

/** `none` has no expectations. `notGraded` has no answer in its context; an error is never an answer. */
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

/** Says what happened to a question of a run, over all its repeats. */
export type Outcomes =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly why: string }
  | {
      readonly kind: 'failed' | 'errored'
      /** The type is the first expectation that was not met, or the outcome. */
      readonly type: string
      readonly unmet: readonly Unmet[]
    }

export type Standing = Outcomes & {
  readonly question: Question
  readonly serviceMs: number
  /** The first failures of a run keep their answers. */
  readonly turns?: readonly AnsweredTurn[] | undefined
}

/** Orders failures, those that fail the run first; `known` ones fail in the baseline, too. */
export const RANKS = ['newly', 'mustPass', 'other', 'tolerated', 'known'] as const

type FailedStanding = Extract<Standing, { readonly kind: 'failed' | 'errored' }>

/** `unmet` contains untrusted text of the endpoint; `excuse` says why it does not fail the run. */
export type Failure = FailedStanding & {
  readonly rank: (typeof RANKS)[number]
  readonly excuse?: string
}

export type JudgedStanding = Exclude<Standing, FailedStanding> | Failure
