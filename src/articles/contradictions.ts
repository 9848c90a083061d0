// Articles contradict each other with different values for one matter, or nearly say the same.
import type { Article } from './article.ts'
import type { Fact } from './facts.ts'
import type { Passage, Passages } from './passages.ts'
import { isBare, isSameFact } from './same-fact.ts'
import { termsOf } from '../text/words.ts'

export interface Clash {
  readonly kind: 'value' | 'copy'
  readonly passages: readonly [Passage, Passage]
  /** These are empty for a copy. */
  readonly values: readonly [string, string]
  readonly weight: number
}

/** Two sentences about one matter share so much of the weight of either. */
const MIN_SHARED = 0.6
const MIN_SHARED_OF_BOTH = 0.45
/** The unit is the weight of a rarest term. */
const MIN_WEIGHT = 1.5
/** A copy shares so much of the heavier sentence's weight. */
const COPIED = 0.6
/** So much of the shorter article's text stands in the other nearly word for word. */
const MIN_COPIED = 0.4
const COMPARED: ReadonlySet<string> = new Set(
  'duration amount percentage time number phone date email'.split(' '),
)

/** Lists each pair of articles at most once, the surest first. */
export function contradictionsOf(passages: Passages): Clash[] {
  const clashes = new Map<string, Clash>()
  const copied = new Map<string, { length: number; passages: [Passage, Passage] }>()
  for (const article of passages.articles)
    for (const passage of passages.of(article))
      for (const other of passages.like(passage)) {
        const weight = passages.sharedBy(passage, { terms: other.terms, facts: [] })
        if (weight < passages.maxWeight) continue
        const key = keyOf(passage, other)
        if (weight > COPIED * Math.max(passages.weigh(passage.terms), passages.weigh(other.terms))) {
          const pair = copied.get(key) ?? { length: 0, passages: [passage, other] }
          copied.set(key, { ...pair, length: pair.length + Math.min(passage.text.length, other.text.length) })
        }
        const found = clashOf(passage, other, passages)
        if (found !== undefined && found.weight > (clashes.get(key)?.weight ?? 0)) clashes.set(key, found)
      }
  const copies = [...copied.values()].flatMap(({ length, passages: pair }): Clash[] => {
    const share = length / Math.min(...pair.map(({ article }) => lengthOf(article, passages)))
    return share < MIN_COPIED ? [] : [{ kind: 'copy', passages: pair, values: ['', ''], weight: share }]
  })
  const ofCopies = new Set(copies.map(({ passages: [first, second] }) => keyOf(first, second)))
  const values = [...clashes.values()].filter(
    ({ passages: [first, second] }) => !ofCopies.has(keyOf(first, second)),
  )
  return [...values, ...copies].sort((some, other) => other.weight - some.weight)
}

const keyOf = (some: Passage, other: Passage): string => `${some.article.id}\n${other.article.id}`

const lengthOf = (article: Article, passages: Passages): number =>
  passages.of(article).reduce((sum, { text }) => sum + text.length, 0)

function clashOf(passage: Passage, other: Passage, passages: Passages): Clash | undefined {
  const [some, others] = [passage.matter, other.matter]
  const both = [...some].filter((term) => others.has(term))
  if (both.length < 2) return undefined
  const [around, aroundOther] = [passage, other].map(
    ({ article, section, language }) => new Set(termsOf(`${article.title} ${section.heading}`, language)),
  )
  const shared = new Set([
    ...both,
    ...[...some].filter((term) => aroundOther?.has(term)),
    ...[...others].filter((term) => around?.has(term)),
  ])
  const weight = passages.weigh(shared)
  const [lighter = 0, heavier = 0] = [passages.weigh(some), passages.weigh(others)].sort((a, b) => a - b)
  const isOneMatter =
    shared.size >= 3 &&
    weight >= Math.max(MIN_SHARED * lighter, MIN_SHARED_OF_BOTH * heavier, MIN_WEIGHT * passages.maxWeight)
  const values = isOneMatter ? differingValues(passage, other, passages) : undefined
  return values && { kind: 'value', passages: [passage, other], values, weight: weight / passages.maxWeight }
}

function differingValues(
  passage: Passage,
  other: Passage,
  passages: Passages,
): readonly [string, string] | undefined {
  const isAbsent = (fact: Fact, { article }: Passage): boolean =>
    !passages.of(article).some(({ facts }) => facts.some((known) => isSameFact(fact, known)))
  for (const fact of passage.facts) {
    const rivals = other.facts.filter((known) => isComparable(fact, known))
    const rival = rivals.find((known) => isAbsent(known, passage))
    if (rival !== undefined && isAbsent(fact, other)) return [fact.text, rival.text]
  }
  return undefined
}

/** Numbers without a unit are comparable where the word behind or before them is the same. */
const isComparable = (fact: Fact, known: Fact): boolean =>
  COMPARED.has(fact.kind) &&
  fact.kind === known.kind &&
  fact.unit === known.unit &&
  (!isBare(fact) ||
    (/^\d/.test(fact.value) &&
      /^\d/.test(known.value) &&
      (isOneWord(fact.next, known.next) || isOneWord(fact.before, known.before))))

const isOneWord = (word: string, other: string): boolean => {
  const [term] = termsOf(word, undefined)
  return term !== undefined && term === termsOf(other, undefined)[0]
}
