// A term is near another form of it, its misspellings, its compounds and its synonyms.
import { InvertedIndex } from '../text/inverted-index.ts'

/** Shorter terms are alike by chance. */
const MIN_LENGTH = 4
/** This share of the shorter of two terms stands in the longer one: "messaes" and "messages" have 0.71. */
const MIN_ALIKE = 0.7
/** The rest of a compound has so many letters: "ring" is no part of "bring". */
const MIN_REST = 2
/** A near term counts so much beside the term itself. */
const LIKENESS = 0.7
/** A term with more is a part of words, such as "er". */
const MAX_NEAR = 10

/**
 * Trigrams have a mark at both ends. Terms are near where the longer one has most trigrams of the shorter
 * one, and both begin with one letter, or one is the last part of the other: "notificationsound", "sound".
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

  /** Gives the term itself, with 1, and at most ten that are near. */
  of(term: string): ReadonlyMap<string, number> {
    const known = this.#known.get(term)
    if (known !== undefined) return known
    const near = new Map([[term, 1], ...this.#search(term).map((other) => [other, LIKENESS] as const)])
    this.#known.set(term, near)
    return near
  }

  #search(term: string): string[] {
    if (term.length < MIN_LENGTH) return []
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
      // A term of n letters has n trigrams, with its marks; repeated ones are too rare to matter.
      const alike = (this.#counts[index] ?? 0) / Math.min(grams.size, other.length)
      this.#counts[index] = 0
      const isLastPart = term.endsWith(other.slice(-3)) && Math.abs(term.length - other.length) >= MIN_REST
      if (alike >= MIN_ALIKE && (term[0] === other[0] || isLastPart) && other !== term)
        near.push([other, alike])
    }
    return near
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, MAX_NEAR)
      .map(([other]) => other)
  }
}

function gramsOf(term: string): Set<string> {
  const marked = `^${term}$`
  const grams = new Set<string>()
  for (let start = 0; start + 3 <= marked.length; start += 1) grams.add(marked.slice(start, start + 3))
  return grams
}

/** A group is one more term of every text that holds one of its words, or all words of one of its phrases. */
export class Synonyms {
  readonly #groups: readonly (readonly (readonly string[])[])[]
  readonly #numbers = new Map<string, Set<number>>()

  constructor(groups: readonly (readonly string[])[], termsOf: (phrase: string) => readonly string[][]) {
    this.#groups = groups.map((group) => group.flatMap(termsOf).filter(({ length }) => length > 0))
    for (const [number, phrases] of this.#groups.entries())
      for (const term of phrases.flat())
        this.#numbers.set(term, (this.#numbers.get(term) ?? new Set()).add(number))
  }

  /** Finds the groups of a text, by the terms that they stand for; no word begins with `=`. */
  byTerm(terms: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>()
    for (const number of new Set([...terms].flatMap((term) => [...(this.#numbers.get(term) ?? [])]))) {
      const held = (this.#groups[number] ?? []).filter((phrase) => phrase.every((term) => terms.has(term)))
      for (const term of new Set(held.flat())) groups.set(term, [...(groups.get(term) ?? []), `=${number}`])
    }
    return groups
  }

  /** Adds their groups to the terms of a text: each mention of a synonym is one of its group. */
  added(terms: readonly string[]): readonly string[] {
    const groups = this.byTerm(new Set(terms))
    return groups.size === 0 ? terms : [...terms, ...terms.flatMap((term) => groups.get(term) ?? [])]
  }
}
