// A question in two runs: its side in each, and how they differ.
import { replyOf } from './attempt.ts'
import type { NamedQuestion } from './conversations.ts'
import type { Outcome } from './outcome.ts'
import type { Question } from './question.ts'
import type { Reviewing } from './review.ts'
import type { AnsweredTurn, Unmet } from './turn.ts'

/** Source and rates are over all repeats; the rest is of the repeat that shows the change. */
export interface ListedSide {
  readonly repeat: number
  /** It is the answer's `contextSource`, or in brackets why it does not count: `(error)`, `(not sent)`, … */
  readonly source: string
  readonly outcome: Outcome | null
  /** The rate is grounded ÷ answered. Like `passRate`, it is null without a denominator. */
  readonly groundingRate: number | null
  readonly passRate: number | null
  /** Each expectation that was not met has a sentence; else one says why the turn failed. */
  readonly failures: readonly string[]
  readonly latencyMs: number | null
}

export interface Side extends Omit<ListedSide, 'failures'> {
  readonly failures: readonly Unmet[]
  /** The rate is answered ÷ sent. Turns skipped after an error count as sent; null if none was sent. */
  readonly answerRate: number | null
  readonly availability: 'answer' | 'error' | 'skipped' | 'notSent'
  /** An answer was given without the earlier turns of its conversation. */
  readonly contextLost: boolean
  readonly question: Question
  readonly index: number
  /** Reads the answer from the journal, which must still be open: those of 200,000 turns are 300 MB. */
  readonly readTurn: () => AnsweredTurn
  /** Each repeat is a side; empty for a question that was sent once. */
  readonly repeats: readonly Side[]
}

export const answerOf = ({ availability, readTurn }: Side): string | null =>
  availability === 'answer' ? (replyOf(readTurn().result)?.message ?? null) : null

export const ANSWER_KINDS = ['same', 'rephrased', 'factsChanged', 'otherAnswer'] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

export interface ChangedFact {
  readonly kind: string
  readonly text: string
}

/** A word such as "nothing" alone is unclear in reports. */
export const factText = ({ kind, text }: ChangedFact): string =>
  kind === 'negation' ? `negation: ${text}` : text

/** Writes `14 days → 10 days`. Where only one answer has such a fact: `only before: 14 days`. */
export function changedFactsText({ factsLost, factsGained }: Change): string {
  const [lost, gained] = [factsLost, factsGained].map((facts) => facts.map(factText).join(', '))
  if (!lost || !gained) return lost ? `only before: ${lost}` : gained ? `only now: ${gained}` : ''
  return `${lost} → ${gained}`
}

export interface Change extends NamedQuestion {
  readonly baselineMessage: string | null
  readonly kinds: readonly ChangeKind[]
  /** Token F1 of the two answers is 0 to 1; null if a run has none. */
  readonly similarity: number | null
  readonly factsLost: readonly ChangedFact[]
  readonly factsGained: readonly ChangedFact[]
  readonly baseline: ListedSide
  readonly candidate: ListedSide
}

export interface Row extends Omit<Change, 'baseline' | 'candidate'> {
  readonly presence: 'both' | 'added' | 'removed' | 'edited'
  readonly answers: AnswerKind | null
  readonly baseline: Side | null
  readonly candidate: Side | null
  readonly reviewing: Reviewing | null
}

/** Files list them in this order. A question may have several. */
export const CHANGE_KINDS = [
  'groundingLost',
  'passToFail',
  'groundingGained',
  'failToPass',
  'flaky',
  'answerToError',
  'answerToSkipped',
  'errorToAnswer',
  'skippedToAnswer',
  'contextLost',
  'contextRegained',
  'factsChanged',
  'otherAnswer',
  'sourceChanged',
  'failInBoth',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What can be wrong with a question, and the kinds of change with which it begins and ends. */
export const PROBLEMS: readonly {
  readonly name: string
  readonly begins: readonly ChangeKind[]
  readonly ends: readonly ChangeKind[]
}[] = [
  { name: 'gap', begins: ['groundingLost'], ends: ['groundingGained'] },
  { name: 'failure', begins: ['passToFail'], ends: ['failToPass'] },
  {
    name: 'missing answer',
    begins: ['answerToError', 'answerToSkipped'],
    ends: ['errorToAnswer', 'skippedToAnswer'],
  },
  { name: 'lost context', begins: ['contextLost'], ends: ['contextRegained'] },
]

interface ChangeList {
  readonly name: string
  /** The heading also stands after a number: "3 newly failing". */
  readonly label: string
  readonly tone: 'bad' | 'good' | 'warn' | 'muted'
  readonly kinds: readonly ChangeKind[]
}

export const CHANGE_LISTS: readonly ChangeList[] = [
  { name: 'lost', label: 'lost grounding', tone: 'bad', kinds: ['groundingLost'] },
  { name: 'newlyFailing', label: 'newly failing', tone: 'bad', kinds: ['passToFail'] },
  { name: 'noAnswer', label: 'no answer now', tone: 'bad', kinds: ['answerToError', 'answerToSkipped'] },
  { name: 'contextLost', label: 'lost the context', tone: 'bad', kinds: ['contextLost'] },
  { name: 'factsChanged', label: 'facts changed', tone: 'warn', kinds: ['factsChanged'] },
  { name: 'otherAnswer', label: 'another answer', tone: 'warn', kinds: ['otherAnswer'] },
  { name: 'sourceChanged', label: 'another source', tone: 'warn', kinds: ['sourceChanged'] },
  { name: 'gained', label: 'gained grounding', tone: 'good', kinds: ['groundingGained'] },
  { name: 'fixed', label: 'fixed', tone: 'good', kinds: ['failToPass'] },
  {
    name: 'answeredAgain',
    label: 'answered again',
    tone: 'good',
    kinds: ['errorToAnswer', 'skippedToAnswer'],
  },
  { name: 'contextRegained', label: 'regained the context', tone: 'good', kinds: ['contextRegained'] },
  { name: 'flaky', label: 'flaky', tone: 'muted', kinds: ['flaky'] },
  { name: 'failInBoth', label: 'failing in both', tone: 'muted', kinds: ['failInBoth'] },
]

export const listsOf = (kinds: readonly ChangeKind[]): readonly ChangeList[] =>
  CHANGE_LISTS.filter((list) => list.kinds.some((kind) => kinds.includes(kind)))

export const EDITED = { name: 'edited', label: 'edited', tone: 'warn' } as const
