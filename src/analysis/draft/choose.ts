// Chooses the questions of a limited set: heavy groups that together are near to what all tickets ask, and a
// seeded sample of the rest.
import { drawSample, seededRandom } from '../../stats/random.ts'
import { termKeys } from '../gaps/terms.ts'
import { countQuestions, inverseFrequency, unitVector } from '../gaps/tf-idf.ts'

/** A question, and how many tickets ask it. */
export interface Weighted {
  readonly message: string
  readonly weight: number
}

/** The part of the set that is drawn at random, so that rare questions have their chance. */
const SAMPLED = 0.05
/** Less similar questions say nothing of each other. */
const MIN_COSINE = 0.45
/** Neighbours of a question at most; a term that more questions have finds no neighbours. */
const [MAX_NEIGHBOURS, MAX_FREQUENCY] = [200, 2000]

interface Neighbour {
  readonly index: number
  readonly cosine: number
}

/** Indexes of at most `limit` items, in their order. */
export function chooseQuestions(items: readonly Weighted[], limit: number, seed: number): number[] {
  if (items.length <= limit) return [...items.keys()]
  const { chosen: near, reached } = nearestToAll(items, limit - Math.floor(SAMPLED * limit))
  const chosen = new Set(near)
  const random = seededRandom(seed)
  // First of what none of the chosen speaks of.
  const isFar = (index: number): boolean => !chosen.has(index) && (reached[index] ?? 0) < MIN_COSINE
  for (const isMeant of [isFar, (index: number) => !chosen.has(index)])
    for (const index of drawSample([...items.keys()].filter(isMeant), limit - chosen.size, random))
      chosen.add(index)
  return [...chosen].sort((a, b) => a - b)
}

/**
 * Facility location, greedily: each step takes the question that gains most. It gains its own tickets, and by
 * the root of their tickets the questions that lie nearer to it than to any chosen one; so heavy groups come
 * first, and what lies near a chosen one hardly counts again (Nemhauser, Wolsey and Fisher 1978). Gains only
 * fall, so that most need no new look (Minoux 1978).
 */
function nearestToAll(items: readonly Weighted[], count: number) {
  const neighbours = neighboursOf(items.map(({ message }) => message))
  const reached = new Float64Array(items.length)
  const gainOf = (index: number): number =>
    (neighbours[index] ?? []).reduce((sum, { index: other, cosine }) => {
      const [weight, nearest] = [items[other]?.weight ?? 0, reached[other] ?? 0]
      return sum + (other === index ? weight - nearest : Math.sqrt(weight) * Math.max(0, cosine - nearest))
    }, 0)
  const gains = Float64Array.from(items.keys(), gainOf)
  const chosen: number[] = []
  while (chosen.length < count) {
    let best = indexOfMax(gains)
    for (let isFresh = false; !isFresh;) {
      const gain = gainOf(best)
      isFresh = gain >= (gains[best] ?? 0)
      gains[best] = gain
      if (!isFresh) best = indexOfMax(gains)
    }
    chosen.push(best)
    gains[best] = -1
    for (const { index, cosine } of neighbours[best] ?? [])
      reached[index] = Math.max(reached[index] ?? 0, cosine)
  }
  return { chosen, reached }
}

function indexOfMax(values: Float64Array): number {
  let best = 0
  for (let index = 1; index < values.length; index += 1)
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index
  return best
}

/** Each question with itself (cosine 1) and its nearest, by their terms. */
function neighboursOf(messages: readonly string[]): Neighbour[][] {
  const terms = messages.map(termKeys)
  const counts = countQuestions(terms)
  const postings = new Map<string, Neighbour[]>(Array.from(counts.keys(), (key) => [key, []]))
  const vectors = terms.map((keys) =>
    unitVector(new Map(keys.map((key) => [key, inverseFrequency(messages.length, counts.get(key) ?? 0)]))),
  )
  for (const [index, vector] of vectors.entries())
    for (const [key, cosine] of vector) postings.get(key)?.push({ index, cosine })
  const products = new Float64Array(messages.length)
  return vectors.map((vector, own) => {
    const touched: number[] = []
    for (const [key, weight] of vector) {
      const all = postings.get(key) ?? []
      if (all.length > MAX_FREQUENCY) continue
      for (const { index, cosine } of all) {
        if (products[index] === 0) touched.push(index)
        products[index] = (products[index] ?? 0) + weight * cosine
      }
    }
    const near = touched
      .map((index) => ({ index, cosine: products[index] ?? 0 }))
      .filter(({ index, cosine }) => cosine >= MIN_COSINE && index !== own)
      .sort((a, b) => b.cosine - a.cosine || a.index - b.index)
      .slice(0, MAX_NEIGHBOURS)
    for (const index of touched) products[index] = 0
    return [{ index: own, cosine: 1 }, ...near]
  })
}
