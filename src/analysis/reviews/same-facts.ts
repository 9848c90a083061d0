// Whether what was thought of one answer holds for another that is worded otherwise.
import { factsOf, saysTheSame } from '../comparison/facts.ts'
import type { FactKind } from '../comparison/facts/rule.ts'
import { tokenF1 } from '../grading/similarity.ts'

/**
 * Of two answers' words so much must be shared: as with `min_similarity`, less is about something else, though the
 * same date may stand in both.
 */
export const LEAST_SIMILARITY = 0.5

/**
 * That nothing was denied before and now, or that both speak of the VPN, vouches for nothing: "allowed abroad" and
 * "forbidden abroad" have these facts in common.
 */
const VOUCHING_FOR_NOTHING: ReadonlySet<FactKind> = new Set<FactKind>(['negation', 'name'])

export interface Wording {
  readonly answer: string
  /** `tokensOf` the answer. */
  readonly words: readonly string[]
}

/**
 * How much of the words is shared (token F1, 0 to 1), where the answer after says the same; undefined where a person
 * must look. All facts must be the same, and among them one that can be checked. Two answers without any would agree
 * whatever they say, so there the words must be the same in the same order: only punctuation and mark-up may differ.
 */
export function similarityOfSame(before: Wording, after: Wording): number | undefined {
  const similarity = tokenF1(before.words, after.words)
  if (similarity < LEAST_SIMILARITY || after.words.length === 0) return undefined
  if (!saysTheSame(before.answer, after.answer)) return undefined
  const isVouchedFor =
    isSameOrder(before.words, after.words) ||
    factsOf(after.answer).some(({ kind }) => !VOUCHING_FOR_NOTHING.has(kind))
  return isVouchedFor ? similarity : undefined
}

const isSameOrder = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((word, place) => word === others[place])
