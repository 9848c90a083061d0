// Which terms of a vocabulary stand for a term: its other forms, its misspellings, its compounds, its synonyms.
import { InvertedIndex } from '../text/inverted-index.ts'

/** Shorter terms are alike by chance. */
const MIN_LENGTH = 4
/** Dice's share of common trigrams at which two terms are alike: "messaes" and "messages" have 0.63. */
const MIN_ALIKE = 0.6
/** How alike a compound and its first or last part are: "notification", "notificationsound". */
const PART_OF_COMPOUND = 0.7
/** A part has so many letters, or the rest of the compound has: "ring" is no part of "bring". */
const MIN_PART = 5
const MIN_REST = 2
/** A term with more is a part of words, such as "er". */
const MAX_NEAR = 10

/**
 * The terms of a vocabulary by their trigrams. Similarity is Dice's coefficient of the sets of trigrams, with
 * a mark at both ends (Angell, Freund and Willett 1983, "Automatic spelling correction using a trigram
 * similarity measure").
 */
export class NearTerms {
  readonly #terms: readonly string[]
  readonly #counts: Uint8Array
  readonly #byGram = new InvertedIndex()
  readonly #known = new Map<string, ReadonlyMap<string, number>>()

  constructor(vocabulary: Iterable<string>) {
    this.#terms = [...vocabulary].filter((term) => term.length >= MIN_LENGTH)
    this.#counts = new Uint8Array(this.#terms.length)
    for (const [index, term] of this.#terms.entries()) this.#byGram.add(index, gramsOf(term))
  }

  /** Terms like this one, each with its similarity, from 0.6 to 1. The term itself always is one, with 1. */
  of(term: string): ReadonlyMap<string, number> {
    const known = this.#known.get(term)
    if (known !== undefined) return known
    const near = this.#search(term)
    this.#known.set(term, near)
    return near
  }

  #search(term: string): ReadonlyMap<string, number> {
    if (term.length < MIN_LENGTH) return new Map([[term, 1]])
    const grams = gramsOf(term)
    const touched: number[] = []
    for (const gram of grams)
      for (const index of this.#byGram.holders(gram)) {
        if (this.#counts[index] === 0) touched.push(index)
        this.#counts[index] = (this.#counts[index] ?? 0) + 1
      }
    const near: [string, number][] = []
    for (const index of touched) {
      const other = this.#terms[index] ?? ''
      const common = this.#counts[index] ?? 0
      this.#counts[index] = 0
      // A first or last part shares all of its trigrams but the one with the mark at its inner end.
      const mayBePart = common >= Math.min(grams.size, other.length) - 1
      const isCompound = mayBePart && isPart(term, other)
      // A term of n signs has n trigrams, with its marks; repeated ones are too rare to matter.
      // Writers hardly ever miss the first letter (1.4 % of errors: Yannakoudakis and Fawthrop 1983).
      const dice = term[0] === other[0] ? (2 * common) / (grams.size + other.length) : 0
      const alike = Math.max(dice, isCompound ? PART_OF_COMPOUND : 0)
      if (alike >= MIN_ALIKE && other !== term) near.push([other, alike])
    }
    const best = near.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_NEAR)
    return new Map([[term, 1], ...best])
  }
}

function gramsOf(term: string): Set<string> {
  const marked = `^${term}$`
  const grams = new Set<string>()
  for (let start = 0; start + 3 <= marked.length; start += 1) grams.add(marked.slice(start, start + 3))
  return grams
}

function isPart(one: string, other: string): boolean {
  const [part, whole] = one.length < other.length ? [one, other] : [other, one]
  const isLong = part.length >= MIN_PART || whole.length - part.length >= MIN_REST
  return isLong && (whole.startsWith(part) || whole.endsWith(part))
}

/**
 * Groups of words that mean the same. A group is one more term of every text that holds one of its words, or all
 * words of one of its phrases.
 */
export class Synonyms {
  readonly #groups: readonly (readonly (readonly string[])[])[]
  readonly #byTerm = new Map<string, Set<number>>()

  /** `termsOf`: the terms of a word or phrase, in each language of the articles. */
  constructor(groups: readonly (readonly string[])[], termsOf: (phrase: string) => readonly string[][]) {
    this.#groups = groups.map((group) => group.flatMap(termsOf).filter(({ length }) => length > 0))
    for (const [number, phrases] of this.#groups.entries())
      for (const term of phrases.flat())
        this.#byTerm.set(term, (this.#byTerm.get(term) ?? new Set()).add(number))
  }

  /** The groups that a text holds, each with the terms by which it does. */
  groupsOf(terms: ReadonlySet<string>): Map<string, ReadonlySet<string>> {
    const numbers = new Set([...terms].flatMap((term) => [...(this.#byTerm.get(term) ?? [])]))
    const found = new Map<string, ReadonlySet<string>>()
    for (const number of numbers) {
      const held = (this.#groups[number] ?? []).filter((phrase) => phrase.every((term) => terms.has(term)))
      // No word begins so.
      if (held.length > 0) found.set(`=${number}`, new Set(held.flat()))
    }
    return found
  }
}
