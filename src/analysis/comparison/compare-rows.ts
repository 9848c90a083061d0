// Every question of either run with its answers' texts, one at a time: what `comparison.csv` lists and changes are drawn from.
import type { ChangedFact, ChangeKind, ComparisonRow } from '../../domain/comparison/change.ts'
import type { GradedTurn } from '../../domain/graded-turn.ts'
import type { Reviewing } from '../../domain/review.ts'
import { CHANGE_KINDS } from '../../domain/comparison/change.ts'
import { compareAnswers, type AnswerChange } from './answers.ts'
import { askedFacts, sideOf } from './compared-side.ts'
import { otherAnswers } from './other-answers.ts'
import type { QuestionPair } from './pair.ts'
import type { ChangedQuestion, RunReview } from './review-runs.ts'
import type { TurnSummary } from './turn-summary.ts'

/** Reads a turn again, with its answer; both runs graded by what the candidate expects. */
export interface TurnTexts {
  readonly baseline: (turn: TurnSummary) => GradedTurn
  readonly candidate: (turn: TurnSummary) => GradedTurn
}

/** What people think of an answer; undefined where no review is known at all. */
export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

/** The candidate's questions in its order, then those that were removed. */
export function* comparisonRows(
  { questions, pairing }: RunReview,
  texts: TurnTexts,
  reviewOf: ReviewOf,
): Generator<ComparisonRow> {
  const changed = new Map(questions.map((question) => [question.candidate[0]?.index, question]))
  const edited = new Map(pairing.edited.map((pair) => [pair.candidate[0]?.index, pair]))
  const rows = [
    ...questions,
    ...pairing.edited,
    ...pairing.added.map((candidate) => ({ baseline: [], candidate })),
  ]
  rows.sort((some, other) => (some.candidate[0]?.index ?? 0) - (other.candidate[0]?.index ?? 0))
  for (const pair of rows) {
    const index = pair.candidate[0]?.index
    const both = changed.get(index)
    if (both !== undefined) yield rowOf(both, texts, reviewOf)
    else yield apart(edited.has(index) ? 'edited' : 'added', pair, texts, reviewOf)
  }
  for (const baseline of pairing.removed) yield apart('removed', { baseline, candidate: [] }, texts, reviewOf)
}

function rowOf(question: ChangedQuestion, texts: TurnTexts, reviewOf: ReviewOf): ComparisonRow {
  const { baseline: before, candidate: after } = showing(question)
  const [was, is] = [texts.baseline(before), texts.candidate(after)]
  const [baseline, candidate] = [sideOf(was, question.baseline), sideOf(is, question.candidate)]
  const difference =
    baseline.answer === null || candidate.answer === null
      ? undefined
      : compareAnswers(baseline.answer, candidate.answer)
  // Where the source moved, so did all that the answer says: that is no news beside it.
  const isMoved =
    question.flakyGrounding ||
    question.kinds.some((kind) => kind === 'groundingLost' || kind === 'groundingGained')
  const drift = isMoved ? undefined : driftOf(difference)
  const kinds = new Set<ChangeKind>([...question.kinds, ...(drift === undefined ? [] : [drift])])
  return {
    ...whereOf(after),
    presence: 'both',
    kinds: CHANGE_KINDS.filter((kind) => kinds.has(kind)),
    answers: difference?.kind ?? null,
    similarity: similarityOf(difference),
    ...factsOf(difference),
    baseline,
    candidate,
    others: othersOf(question, texts, was, is),
    asked: askedFacts(is),
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
    asked: is === undefined ? null : askedFacts(is),
    reviewing: now === null ? null : reviewingOf(now, reviewOf),
  }
}

/** The repeat that shows a change, where repeats pair; else the first of each. */
function showing({ baseline, candidate }: QuestionPair<TurnSummary>): {
  baseline: TurnSummary
  candidate: TurnSummary
} {
  const [before, after] = [baseline[0], candidate[0]]
  if (before === undefined || after === undefined) throw new Error('a question without a turn')
  const others = new Map(candidate.map((turn) => [turn.repeat, turn]))
  const shown = baseline.find((turn) => {
    const other = others.get(turn.repeat)
    if (other === undefined) return false
    return turn.grounded !== other.grounded || turn.passed !== other.passed || turn.outcome !== other.outcome
  })
  const other = shown === undefined ? undefined : others.get(shown.repeat)
  if (shown !== undefined && other !== undefined) return { baseline: shown, candidate: other }
  return { baseline: before, candidate: others.get(before.repeat) ?? after }
}

const othersOf = (
  { baseline, candidate }: QuestionPair<TurnSummary>,
  texts: TurnTexts,
  was: GradedTurn | undefined,
  is: GradedTurn | undefined,
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
