// Groups gaps by topic. Write the articles of the heaviest groups first.
import { countEach, mostFrequent } from '../../domain/counts.ts'
import type { GapCluster } from '../../domain/summary.ts'
import { compareTexts, cut, singleSpaced } from '../../domain/text.ts'
import { foldText } from '../../text/fold.ts'
import { InvertedIndex } from '../../text/inverted-index.ts'
import { languageOf, topicTerms } from '../../text/words.ts'
import { groupBy } from '../turns.ts'
import { type GapItem, MIN_OWN_TERMS } from './collect.ts'

/**
 * Least mean cosine to join two groups. A lower value joins questions that share only a common word
 * ("office", "change"). A wrong group costs an editor more than a divided one.
 */
const MIN_COSINE = 0.3

/** Equal questions, with the terms of their text and, where they are few, of their conversation's opening. */
interface Gap {
  readonly items: readonly [GapItem, ...GapItem[]]
  readonly terms: ReadonlyMap<string, string>
  readonly context: ReadonlyMap<string, string>
}

/**
 * The heaviest group comes first; single questions come after all groups. The order of the items does not
 * matter. Time and memory grow with their square: 2,000 take 32 MB. `background` are messages of the set,
 * which show which words are common.
 */
export function clusterGaps(items: readonly GapItem[], background: readonly string[] = []): GapCluster[] {
  // Avoids reading the background, which takes most of the time.
  if (items.length === 0) return []
  const sorted = items.toSorted((a, b) => compareTexts(a.id, b.id))
  const groups = groupBy(sorted, ({ message, context = '' }) => `${foldText(message)}\n${foldText(context)}`)
  const equals = [...groups].sort(([a], [b]) => compareTexts(a, b)).map(([, equal]) => equal)
  const usual = mostFrequent(equals.flatMap(([{ message }]) => languageOf(message) ?? []))
  const gaps = equals.map((group): Gap => {
    const [{ message, context = '' }] = group
    const terms = topicTerms(message, usual)
    return { items: group, terms, context: topicTerms(terms.size < MIN_OWN_TERMS ? context : '', usual) }
  })
  const index = new InvertedIndex()
  for (const [number, { terms, context }] of gaps.entries())
    index.add(number, new Set([...terms.keys(), ...context.keys()]))
  for (const message of background) index.add(index.size, topicTerms(message, usual).keys())
  const idf = (term: string): number => {
    const isShared = (index.holders(term)[1] ?? Infinity) < gaps.length
    return (isShared ? 1 : SINGLE_GAP_WEIGHT) * (index.weightOf(term) + 1)
  }
  const vectors = gaps.map((gap) => vectorOf(gap, idf))
  const clusterOf = (numbers: readonly number[]): GapCluster => {
    const group = numbers.flatMap((number) => gaps[number] ?? [])
    const central = gaps[mostCentral(numbers, vectors)] as Gap
    const name = shorten(central.items[0].message)
    const shared = sharedTerms(group, central, idf)
    const members = group.flatMap(({ items: some }) => some)
    members.sort((a, b) => b.weight - a.weight || compareTexts(a.id, b.id))
    return {
      name: shared === '' ? name : `${name} · ${shared}`,
      weight: members.reduce((sum, { weight }) => sum + weight, 0),
      questions: members.map(({ id, message }) => ({ id, message })),
    }
  }
  return agglomerate(cosines(vectors, index), vectors.length, MIN_COSINE).map(clusterOf).sort(compareGroups)
}

/** At full weight, a term that only one gap has would hide the terms that it shares with others. */
const SINGLE_GAP_WEIGHT = 0.6

/** Weight of terms from the thread's first question, for follow-ups such as "How long does it take?" */
const CONTEXT_WEIGHT = 0.5

type Vector = ReadonlyMap<string, number>

/** A term counts once, even if it is repeated, because questions are short. */
function vectorOf({ terms, context }: Gap, idf: (term: string) => number): Vector {
  const weights = new Map([...context.keys()].map((term) => [term, CONTEXT_WEIGHT * idf(term)]))
  for (const term of terms.keys()) weights.set(term, idf(term))
  const length = Math.hypot(...weights.values())
  return new Map([...weights].map(([term, weight]) => [term, weight / length]))
}

function cosines(vectors: readonly Vector[], index: InvertedIndex): Float64Array {
  const count = vectors.length
  const products = new Float64Array(count ** 2)
  for (const [gap, vector] of vectors.entries())
    for (const [term, weight] of vector)
      for (const other of index.holders(term)) {
        if (other >= gap) break
        const product = (products[gap * count + other] ?? 0) + weight * (vectors[other]?.get(term) ?? 0)
        products[gap * count + other] = product
        products[other * count + gap] = product
      }
  return products
}

/** Smaller differences are rounding: the same terms, summed in another order. */
const ROUNDING = 1e-12

/**
 * Joins groups of questions while the mean similarity of their members is at least `threshold` (above 0).
 * `similarities` is the matrix of `count` questions, row by row; it is overwritten. Source: UPGMA (Sokal and
 * Michener 1958) by the nearest-neighbour chain (Murtagh 1983). Exact, because average linkage is reducible:
 * a group whose nearest neighbour is too far stays alone.
 */
function agglomerate(similarities: Float64Array, count: number, threshold: number): number[][] {
  const groups: (number[] | undefined)[] = Array.from({ length: count }, (_, index) => [index])
  const done: number[][] = []
  const chain: number[] = []
  const between = (first: number, other: number): number => similarities[first * count + other] ?? 0

  /** Prefers the previous group unless another is strictly nearer: ties would make the chain circular. */
  const nearest = (group: number, before: number | undefined): number | undefined => {
    let best = before
    for (let other = 0; other < count; other += 1) {
      if (groups[other] === undefined || other === group) continue
      if (best === undefined || between(group, other) > between(group, best) + ROUNDING) best = other
    }
    return best
  }
  const join = (first: number, other: number): void => {
    const [some, others] = [groups[first] ?? [], groups[other] ?? []]
    const [share, otherShare] = [some, others].map(({ length }) => length / (some.length + others.length))
    for (let third = 0; third < count; third += 1) {
      const mean = (share ?? 0) * between(first, third) + (otherShare ?? 0) * between(other, third)
      similarities[first * count + third] = mean
      similarities[third * count + first] = mean
    }
    groups[first] = [...some, ...others]
    groups[other] = undefined
  }

  for (;;) {
    const top = chain.at(-1) ?? groups.findIndex((group) => group !== undefined)
    if (top === -1) return done
    if (chain.length === 0) chain.push(top)
    const before = chain.at(-2)
    const next = nearest(top, before)
    if (next === undefined || between(top, next) < threshold) {
      done.push(groups[top] ?? [])
      groups[top] = undefined
      chain.pop()
    } else if (next === before) {
      chain.length -= 2
      join(next, top)
    } else chain.push(next)
  }
}

/** The index with the highest total similarity to its group; the first one of equals. */
function mostCentral(group: readonly number[], vectors: readonly Vector[]): number {
  const sum = new Map<string, number>()
  for (const index of group)
    for (const [key, weight] of vectors[index] ?? []) sum.set(key, (sum.get(key) ?? 0) + weight)
  const similarityOf = (index: number): number =>
    [...(vectors[index] ?? [])].reduce((total, [key, weight]) => total + weight * (sum.get(key) ?? 0), 0)
  const similarity = new Map(group.map((index) => [index, similarityOf(index)]))
  return group.toSorted((a, b) => (similarity.get(b) ?? 0) - (similarity.get(a) ?? 0) || a - b)[0] ?? 0
}

const MAX_NAME_LENGTH = 60
const MAX_NAME_TERMS = 3

function shorten(message: string): string {
  const line = singleSpaced(message)
  return line.length <= MAX_NAME_LENGTH ? line : cut(line, MAX_NAME_LENGTH - 1).replace(/ …$/, '…')
}

/**
 * The terms of more than one question, most characteristic first, in the central question's spelling if it
 * has them. Empty for equal questions.
 */
function sharedTerms(group: readonly Gap[], central: Gap, idf: (term: string) => number): string {
  const distinct = new Map(group.map(({ items: [{ message }], terms }) => [foldText(message), terms]))
  const counts = countEach([...distinct.values()].flatMap((terms) => [...terms.keys()]))
  const score = (term: string): number => (counts.get(term) ?? 0) * idf(term)
  const surfaces = new Map([...distinct.values(), central.terms].flatMap((terms) => [...terms]))
  return [...surfaces]
    .filter(([term]) => (counts.get(term) ?? 0) > 1)
    .sort(([a], [b]) => score(b) - score(a) || compareTexts(a, b))
    .slice(0, MAX_NAME_TERMS)
    .map(([, surface]) => surface)
    .join(', ')
}

function compareGroups(a: GapCluster, b: GapCluster): number {
  const isAlone = ({ questions }: GapCluster): number => Number(questions.length === 1)
  return (
    isAlone(a) - isAlone(b) ||
    b.weight - a.weight ||
    b.questions.length - a.questions.length ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.questions[0]?.id ?? '', b.questions[0]?.id ?? '')
  )
}
