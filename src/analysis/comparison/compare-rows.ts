// Every question of either run with its answers' texts, one at a time: what `comparison.csv` lists and changes are drawn from.
import {
  type ChangedFact,
  type ChangeKind,
  type ComparisonRow,
  CHANGE_KINDS,
} from '../../domain/comparison/change.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { AnswerChange } from './answers.ts'
import { askedFacts, sideOf, type ToldTurn, answerOf, otherAnswers } from './compared-side.ts'
import type { QuestionPair } from './pair.ts'
import { type ChangedQuestion, type RunReview, inOrderOfRows } from './review-runs.ts'
import { tellingPair } from './shown-pair.ts'
import type { TurnSummary } from './turn-summary.ts'

/** Reads a turn again, with its answer; both runs graded by what the candidate expects. */
export interface TurnTexts {
  readonly baseline: (turn: TurnSummary) => ToldTurn
  readonly candidate: (turn: TurnSummary) => ToldTurn
}

/** What people think of an answer; undefined where no review is known at all. */
export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

/** The candidate's questions in its order, then those that were removed. */
export function* comparisonRows(
  review: Pick<RunReview, 'questions' | 'order' | 'pairing'>,
  texts: TurnTexts,
  reviewOf: ReviewOf,
): Generator<ComparisonRow> {
  for (const one of inOrderOfRows(review)) {
    if (one.presence === 'both') yield rowOf(one.question, readOnce(texts), reviewOf)
    else yield apart(one.presence, one.question, texts, reviewOf)
  }
}

/** Each turn of one question is read from the disk once, however often it is looked at. */
function readOnce(texts: TurnTexts): TurnTexts {
  const once = (read: TurnTexts['baseline']): TurnTexts['baseline'] => {
    const known = new Map<TurnSummary, ToldTurn>()
    return (turn) => {
      const one = known.get(turn) ?? read(turn)
      known.set(turn, one)
      return one
    }
  }
  return { baseline: once(texts.baseline), candidate: once(texts.candidate) }
}

function rowOf(question: ChangedQuestion, texts: TurnTexts, reviewOf: ReviewOf): ComparisonRow {
  const {
    shown: { baseline: before, candidate: after, difference },
    furthest,
  } = tellingPair(question, {
    baseline: (turn) => answerOf(texts.baseline(turn).turn),
    candidate: (turn) => answerOf(texts.candidate(turn).turn),
  })
  const [was, is] = [texts.baseline(before), texts.candidate(after)]
  const [baseline, candidate] = [sideOf(was, question.baseline), sideOf(is, question.candidate)]
  // Where the source moved, so did all that the answer says: that is no news beside it.
  const isMoved =
    question.flakyGrounding ||
    question.kinds.some((kind) => kind === 'groundingLost' || kind === 'groundingGained')
  const drift = isMoved ? undefined : driftOf(furthest)
  const kinds = new Set<ChangeKind>([...question.kinds, ...(drift === undefined ? [] : [drift])])
  // The repeat that is shown may have no answer, or the same one, where another says something else.
  const told = drift !== undefined && driftOf(difference) === undefined ? furthest : difference
  return {
    ...whereOf(after),
    presence: 'both',
    kinds: CHANGE_KINDS.filter((kind) => kinds.has(kind)),
    answers: difference?.kind ?? null,
    similarity: similarityOf(difference),
    ...factsOf(told),
    baseline,
    candidate,
    others: othersOf(question, texts, was, is),
    asked: askedFacts(is, after),
    reviewing: reviewingOf(candidate, reviewOf),
  }
}

/** Of questions that only one run has, or whose texts differ, nothing is compared. */
function apart(
  presence: 'added' | 'removed' | 'edited',
  { baseline, candidate }: QuestionPair<TurnSummary>,
  texts: TurnTexts,
  reviewOf: ReviewOf,
): ComparisonRow {
  const [before, after] = [baseline[0], candidate[0]]
  const where = after ?? before
  if (where === undefined) throw new Error('a question without a turn')
  const [was, is] = [
    before === undefined ? undefined : texts.baseline(before),
    after === undefined ? undefined : texts.candidate(after),
  ]
  const [old, now] = [
    was === undefined ? null : sideOf(was, baseline),
    is === undefined ? null : sideOf(is, candidate),
  ]
  const nothing = { kinds: [], answers: null, similarity: null, factsLost: [], factsGained: [] }
  return {
    ...whereOf(where),
    presence,
    ...nothing,
    baseline: old,
    candidate: now,
    others: othersOf({ baseline, candidate }, texts, was, is),
    asked: is === undefined || after === undefined ? null : askedFacts(is, after),
    reviewing: now === null ? null : reviewingOf(now, reviewOf),
  }
}

const othersOf = (
  { baseline, candidate }: QuestionPair<TurnSummary>,
  texts: TurnTexts,
  was: ToldTurn | undefined,
  is: ToldTurn | undefined,
): ComparisonRow['others'] => ({
  baseline: otherAnswers(baseline, was, texts.baseline),
  candidate: otherAnswers(candidate, is, texts.candidate),
})

const whereOf = ({ id, thread, turn, message, tags, file, mustPass }: TurnSummary) => ({
  id,
  file,
  thread,
  turn,
  message,
  tags,
  mustPass,
})

function reviewingOf(
  { id, answer }: { readonly id: string; readonly answer: string | null },
  reviewOf: ReviewOf,
): Reviewing | null {
  return answer === null ? null : (reviewOf?.(id, answer) ?? null)
}

function similarityOf(difference: AnswerChange | undefined): number | null {
  if (difference === undefined) return null
  return difference.kind === 'same' ? 1 : difference.similarity
}

function factsOf(difference: AnswerChange | undefined): Pick<ComparisonRow, 'factsLost' | 'factsGained'> {
  if (difference?.kind !== 'factsChanged' && difference?.kind !== 'otherAnswer')
    return { factsLost: [], factsGained: [] }
  const { lost, gained } = difference
  return { factsLost: lost.map(changedFact), factsGained: gained.map(changedFact) }
}

const changedFact = ({ kind, text }: ChangedFact): ChangedFact => ({ kind, text })

function driftOf(difference: AnswerChange | undefined): ChangeKind | undefined {
  const kind = difference?.kind
  return kind === 'factsChanged' || kind === 'otherAnswer' ? kind : undefined
}
