// TF-IDF of questions: a question as a vector of its terms, where rare terms weigh most. A term counts once,
// even if it is repeated, because questions are short.
import { countEach } from '../../domain/counts.ts'

/** A question's weights by term, normalised to length 1. */
export type Vector = ReadonlyMap<string, number>

export const countQuestions = (questions: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  countEach(questions.flatMap((terms) => [...new Set(terms)]))

/**
 * The smoothed inverse document frequency ln((1 + n)/(1 + df)) + 1 (Salton and Buckley 1988; this form as in
 * scikit-learn).
 */
export const inverseFrequency = (questions: number, withTerm: number): number =>
  Math.log((1 + questions) / (1 + withTerm)) + 1

export function unitVector(weights: Vector): Vector {
  const length = Math.hypot(...weights.values())
  return new Map([...weights].map(([term, weight]) => [term, weight / length]))
}
