// How one answer differs from another: in words, in facts, or altogether.
import { fold } from '../grading/fold.ts'
import { tokenF1, tokensOf } from '../grading/similarity.ts'
import { changedFacts, type Fact, factsOf, sharedFacts } from './facts.ts'

/**
 * Two answers with less similarity and no fact in common are taken for different ones. Of two sections of the shipped
 * knowledge base, from two articles, one pair in 50 reaches it, by words such as "your" and "to"; of rewordings, most do
 * ("Ask your manager to approve the request", "Your manager has to sign off on it first": 0.4).
 */
export const LEAST_SIMILARITY = 0.25

/** `similarity`: token F1, 0 to 1, as `min_similarity` has it, but 0 where one of the texts has no words. */
export type AnswerChange =
  /** The same text, but for case, white space and typographic signs. */
  | { readonly kind: 'same' }
  /** Other words with the same facts, or none. */
  | { readonly kind: 'rephrased'; readonly similarity: number }
  /** Facts came or went: another deadline, a price less, a "not". */
  | {
      readonly kind: 'factsChanged'
      readonly similarity: number
      readonly lost: readonly Fact[]
      readonly gained: readonly Fact[]
    }
  /** Something else, as far as can be told: hardly a word and no fact in common, or one of the two is empty. */
  | {
      readonly kind: 'otherAnswer'
      readonly similarity: number
      readonly lost: readonly Fact[]
      readonly gained: readonly Fact[]
    }

/**
 * What changed from one answer to another, apart from how often it says a fact. Compared the other way round, `lost`
 * and `gained` change places. Never throws; linear time.
 */
export function compareAnswers(before: string, after: string): AnswerChange {
  if (before === after) return { kind: 'same' }
  const [foldedBefore, foldedAfter] = [fold(before), fold(after)]
  if (foldedBefore === foldedAfter) return { kind: 'same' }
  const similarity = similarityOf(tokensOf(before, foldedBefore), tokensOf(after, foldedAfter))
  const [old, now] = [factsOf(before), factsOf(after)]
  const { lost, gained } = changedFacts(old, now)
  if (similarity < LEAST_SIMILARITY && isAllChance(sharedFacts(old, now)))
    return { kind: 'otherAnswer', similarity, lost, gained }
  if (lost.length > 0 || gained.length > 0) return { kind: 'factsChanged', similarity, lost, gained }
  return { kind: 'rephrased', similarity }
}

/** Whether no fact is shared, or but one small number, as "two" and "3" stand in many a text. */
const isAllChance = (shared: readonly Fact[]): boolean =>
  shared.length === 0 || (shared.length === 1 && shared.every(isSmallNumber))

const isSmallNumber = ({ kind, value }: Fact): boolean =>
  kind === 'number' && /^\d{1,2}$/.test(value) && Number(value) <= 12

/** Texts without words are equal to the F1 of SQuAD; these differ, as 👍 and 👎 do. */
const similarityOf = (some: readonly string[], others: readonly string[]): number =>
  some.length === 0 || others.length === 0 ? 0 : tokenF1(some, others)
