// Finds the likely source of a grounded answer: the article and section with whose text it shares most.
import { visibleText } from '../domain/fold-text.ts'
import type { Article, ArticleSection } from './article.ts'
import { highest } from './numbers.ts'

/** Where an answer seems to come from. */
export interface LikelySource {
  readonly article: Article
  readonly section: ArticleSection
  /** Of the answer's weight, in words, how much it shares with the article: 0 to 1. */
  readonly share: number
}

/**
 * Below this share an answer has no likely source. By `npm run bench -- facts`, it names the right article
 * for 99 % of excerpts, and another for 7 % of those whose article is left out. Real rewordings share 0.3 to
 * 0.6.
 */
export const MIN_SHARE = 0.3
/** Weight of a word that the article has, but not beside the same word as in the answer. */
const LONE_WORD = 0.5
/**
 * Weight of a word that no article has, relative to one that a single section has: other words mean the same.
 */
const UNKNOWN_WORD = 0.5
/** Terms in more than this share of the sections are function words and small talk: they are left out. */
const MAX_FREQUENCY = 0.2
/** In fewer sections than this, no term is common. */
const MIN_COMMON = 4
/** Of the sections with the most weight, the articles are compared word by word. */
const MAX_CANDIDATES = 20
/** A short answer shares more by chance, so it must share as much as this many words of a single section. */
const MIN_RARE_WORDS = 2.5

/** Two terms side by side. There are fewer terms than 2^26. */
const pairOf = (one: number, next: number): number => one * 2 ** 26 + next

/** The text of a section, as numbers of its terms, in order and without common ones. */
interface Profile {
  readonly article: number
  readonly section: ArticleSection
  readonly terms: Int32Array
}

/** An index of the sections by their terms. Its build and its searches take linear time. */
export class SourceIndex {
  readonly #articles: readonly Article[]
  /** The sections of an article stand side by side. */
  readonly #profiles: readonly Profile[]
  readonly #firstOf: readonly number[]
  readonly #numbers = new Map<string, number>()
  readonly #weights: Float64Array
  /** Of each term, the sections that hold it. */
  readonly #holders: readonly (readonly number[])[]
  /** Of each section, the weight of one answer's terms in it; zero between answers. */
  readonly #sums: Float64Array
  /** Of a term in one section. */
  readonly #rareWeight: number

  constructor(articles: readonly Article[]) {
    this.#articles = articles
    const firstOf: number[] = []
    const all: { readonly article: number; readonly section: ArticleSection; readonly terms: number[] }[] = []
    for (const [article, { title, sections }] of articles.entries()) {
      firstOf.push(all.length)
      for (const [index, section] of sections.entries()) {
        const text = `${index === 0 ? title : ''}\n${section.heading}\n${section.text}`
        const terms = shortWordsOf(text).map((term) => this.#numberOf(term))
        all.push({ article, section, terms })
      }
    }
    firstOf.push(all.length)
    this.#firstOf = firstOf
    const holders: number[][] = Array.from({ length: this.#numbers.size }, () => [])
    for (const [index, { terms }] of all.entries())
      for (const term of new Set(terms)) holders[term]?.push(index)
    const isCommon = (count: number): boolean => count >= MIN_COMMON && count > MAX_FREQUENCY * all.length
    this.#weights = Float64Array.from(holders, ({ length }) =>
      isCommon(length) ? 0 : Math.log(1 + all.length / length),
    )
    this.#holders = holders.map((sections) => (isCommon(sections.length) ? [] : sections))
    this.#rareWeight = Math.log(1 + all.length)
    this.#sums = new Float64Array(all.length)
    this.#profiles = all.map(({ article, section, terms }) => ({
      article,
      section,
      terms: Int32Array.from(terms.filter((term) => this.#weights[term] !== 0)),
    }))
  }

  /** Null below `MIN_SHARE`, and where too few words speak for it. */
  likelySource(answer: string): LikelySource | null {
    // A term that no article has is -1.
    const terms = shortWordsOf(answer)
      .map((term) => this.#numbers.get(term) ?? -1)
      .filter((term) => term === -1 || this.#weights[term] !== 0)
    const overlap = new Overlap(terms, (term) => this.#weightOf(term))
    let [best, shared] = [-1, 0]
    for (const article of this.#candidates(new Set(terms))) {
      const weight = overlap.with(this.#profilesOf(article))
      if (weight > shared) [best, shared] = [article, weight]
    }
    const article = this.#articles[best]
    const share = shared / overlap.total
    if (article === undefined || share < MIN_SHARE || shared < MIN_RARE_WORDS * this.#rareWeight) return null
    const profiles = this.#profilesOf(best)
    const weights = profiles.map((profile) => overlap.with([profile]))
    const section = profiles[weights.indexOf(Math.max(...weights))]?.section ?? article.sections[0]
    return { article, section, share }
  }

  #profilesOf(article: number): readonly Profile[] {
    return this.#profiles.slice(this.#firstOf[article], this.#firstOf[article + 1])
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    this.#numbers.set(term, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #weightOf(term: number): number {
    return term === -1 ? UNKNOWN_WORD * this.#rareWeight : (this.#weights[term] ?? 0)
  }

  /** The articles of the sections that hold most of the terms' weight. */
  #candidates(terms: ReadonlySet<number>): Set<number> {
    const touched: number[] = []
    const sums = this.#sums
    for (const term of terms)
      for (const index of this.#holders[term] ?? []) {
        const sum = sums[index] ?? 0
        if (sum === 0) touched.push(index)
        sums[index] = sum + this.#weightOf(term)
      }
    const best = highest(touched, sums, MAX_CANDIDATES)
    for (const index of touched) sums[index] = 0
    return new Set(best.map((index) => this.#profiles[index]?.article ?? -1))
  }
}

/**
 * Measures how much of an answer's text stands in another: containment [Broder 1997], by weighted words; a
 * word counts in full where the word before or behind it is the same, too, as in a copied passage.
 */
class Overlap {
  readonly #terms: readonly number[]
  readonly #weightOf: (term: number) => number
  readonly #known: ReadonlySet<number>
  readonly #pairs: ReadonlySet<number>
  /** The weight of the answer. */
  readonly total: number

  constructor(terms: readonly number[], weightOf: (term: number) => number) {
    this.#terms = terms
    this.#weightOf = weightOf
    this.#known = new Set(terms)
    this.#pairs = new Set(terms.slice(1).map((term, index) => pairOf(terms[index] ?? -1, term)))
    this.total = terms.reduce((sum, term) => sum + weightOf(term), 0)
  }

  /** The weight that is shared: 0 to `total`. */
  with(profiles: readonly Profile[]): number {
    const [found, pairs] = [new Set<number>(), new Set<number>()]
    for (const { terms } of profiles) {
      let before = -1
      for (const term of terms) {
        const isKnown = this.#known.has(term)
        if (isKnown) {
          found.add(term)
          const pair = pairOf(before, term)
          if (before !== -1 && this.#pairs.has(pair)) pairs.add(pair)
        }
        before = isKnown ? term : -1
      }
    }
    let shared = 0
    for (const [index, term] of this.#terms.entries()) {
      if (!found.has(term)) continue
      const isInPassage =
        (index > 0 && pairs.has(pairOf(this.#terms[index - 1] ?? -1, term))) ||
        pairs.has(pairOf(term, this.#terms[index + 1] ?? -1))
      shared += this.#weightOf(term) * (isInPassage ? 1 : LONE_WORD)
    }
    return shared
  }
}

/**
 * Words in lower case without accents, cut to their first six letters: they are equal for most forms of one
 * word, in every language that changes the ends of its words. What is compared here is as written, so it
 * needs no stemmer and no list of function words, unlike a question (`words.ts`).
 */
export function shortWordsOf(text: string): string[] {
  const folded = visibleText(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return folded.match(WORDS)?.map((word) => word.slice(0, STEM_LETTERS)) ?? []
}

const WORDS = /[\p{L}\p{N}]+/gu
const STEM_LETTERS = 6
