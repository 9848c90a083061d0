// In which order the questions of two runs are told: the candidate's as its set has them, then those that were removed.
import type { QuestionPair } from './pair.ts'
import type { ChangedQuestion, RunReview } from './review-runs.ts'
import type { TurnSummary } from './turn-summary.ts'

export type ToldQuestion =
  | { readonly presence: 'both'; readonly question: ChangedQuestion }
  /** One of the two runs may have nothing of it. */
  | { readonly presence: 'edited' | 'added' | 'removed'; readonly question: QuestionPair<TurnSummary> }

export function* inOrderOfRows({
  questions,
  pairing: { edited, added, removed },
}: Pick<RunReview, 'questions' | 'pairing'>): Generator<ToldQuestion> {
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
  const numbers = Uint32Array.from(candidateNumbers(questions, edited, added))
  const order = Uint32Array.from(numbers.keys()).sort(
    (some, other) => (numbers[some] ?? 0) - (numbers[other] ?? 0) || some - other,
  )
  for (const entry of order) {
    const one = told(entry)
    if (one !== undefined) yield one
  }
  for (const baseline of removed) yield { presence: 'removed', question: { baseline, candidate: [] } }
}

function* candidateNumbers(
  questions: Iterable<ChangedQuestion>,
  edited: Iterable<QuestionPair<TurnSummary>>,
  added: Iterable<readonly TurnSummary[]>,
): Generator<number> {
  for (const { candidate } of questions) yield candidate[0]?.index ?? 0
  for (const { candidate } of edited) yield candidate[0]?.index ?? 0
  for (const candidate of added) yield candidate[0]?.index ?? 0
}
