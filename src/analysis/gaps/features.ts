// A question's terms weighed: single terms, pairs of neighbours, and pieces of unspaced words.
import { isUnspaced } from '../grading/similarity.ts'
import type { Term } from './terms.ts'

/** Half: "credit card" tells more than "card", but repeats it. */
const PAIR_WEIGHT = 0.5
/** What was asked before in the thread, for questions such as "How long does it take?" */
const CONTEXT_WEIGHT = 0.5
/** A question with fewer terms of its own is not understood alone. */
const ENOUGH_TERMS = 3

/** Key to weight. A term counts once, however often it is said: questions are short. */
export function featuresOf(terms: readonly Term[], context: readonly Term[]): Map<string, number> {
  const features = new Map<string, number>()
  for (const [place, { key }] of terms.entries()) {
    features.set(key, 1)
    const next = terms[place + 1]
    if (next !== undefined && next.key !== key) features.set(pairKey(key, next.key), PAIR_WEIGHT)
    for (const piece of piecesOf(key)) if (!features.has(piece)) features.set(piece, PAIR_WEIGHT)
  }
  if (new Set(terms.map(({ key }) => key)).size < ENOUGH_TERMS)
    for (const { key } of context) if (!features.has(key)) features.set(key, CONTEXT_WEIGHT)
  return features
}

/** No term holds a space. */
export const pairKey = (key: string, next: string): string => `${key} ${next}`

/** Two signs at a time: segmenters cut one compound in several ways. */
function piecesOf(key: string): string[] {
  if (!isUnspaced(key)) return []
  const signs = Array.from(key)
  return signs.slice(1).map((sign, place) => `${signs[place] ?? ''}${sign}`)
}
