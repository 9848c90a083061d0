// In which order the questions of two runs are told: the candidate's as its set has them, then those that were removed.
import type { Pairing, QuestionPair } from './pair.ts'
import type { ChangedQuestion, RunReview } from './review-runs.ts'
import type { TurnSummary } from './turn-summary.ts'

export type ToldQuestion =
  | { readonly presence: 'both'; readonly question: ChangedQuestion }
  /** One of the two runs may have nothing of it. */
  | { readonly presence: 'edited' | 'added' | 'removed'; readonly question: QuestionPair<TurnSummary> }

/** Of the candidate's questions, as `questions`, `edited` and `added` have them one after the other, their places. */
export function orderOfRows({
  questions,
  edited,
  added,
}: Pick<RunReview, 'questions'> & Pick<Pairing<TurnSummary>, 'edited' | 'added'>): Uint32Array {
  const numbers = new Uint32Array(questions.length + edited.length + added.length)
  let place = 0
  const take = (first: TurnSummary | undefined): void => {
    numbers[place] = first?.index ?? 0
    place += 1
  }
  for (const { candidate } of questions) take(candidate[0])
  for (const { candidate } of edited) take(candidate[0])
  for (const candidate of added) take(candidate[0])
  return Uint32Array.from(numbers.keys()).sort(
    (some, other) => (numbers[some] ?? 0) - (numbers[other] ?? 0) || some - other,
  )
}

export function* inOrderOfRows({
  questions,
  order,
  pairing: { edited, added, removed },
}: Pick<RunReview, 'questions' | 'order' | 'pairing'>): Generator<ToldQuestion> {
  const told = (entry: number): ToldQuestion | undefined => {
    const [both, other, alone] = [
      questions.at(entry),
      edited.at(entry - questions.length),
      added.at(entry - questions.length - edited.length),
    ]
    if (both !== undefined) return { presence: 'both', question: both }
    if (other !== undefined) return { presence: 'edited', question: other }
    return alone && { presence: 'added', question: { baseline: [], candidate: alone } }
  }
  for (const entry of order) {
    const one = told(entry)
    if (one !== undefined) yield one
  }
  for (const baseline of removed) yield { presence: 'removed', question: { baseline, candidate: [] } }
}
