// How people word their questions, learned from questions whose articles are known: which words say little,
// since any question may have them, and which words mean a word of the articles ("fb": Facebook).
import { countEach } from '../domain/counts.ts'

/** A question with the article that answers it. */
export interface Grounded {
  readonly question: string
  /** The first question of its conversation, where it is a follow-up. */
  readonly opening?: string | undefined
  /** Its id. */
  readonly article: string
}

/** What is asked of an index. */
interface Terms {
  termsOf: (question: string) => readonly string[]
  titleTerms: (article: string) => ReadonlySet<string>
}

/** Below this share of the articles, a term of titles is no meaning of a word. */
const MIN_SHARE = 0.2

/** All counts are of articles, not of questions: ten questions about one article say one thing. */
export class Wording {
  readonly #askedFor = new Map<string, Set<string>>()
  /** The terms of the title of each article. */
  readonly #titles = new Map<string, ReadonlySet<string>>()
  /** For a term, how many of the articles asked for with it have each term of titles. */
  readonly #counts = new Map<string, ReadonlyMap<string, number>>()

  constructor(index: Terms, grounded: readonly Grounded[]) {
    for (const { question, article } of grounded) {
      if (!this.#titles.has(article)) this.#titles.set(article, index.titleTerms(article))
      for (const term of index.termsOf(question)) {
        const articles = this.#askedFor.get(term)
        if (articles === undefined) this.#askedFor.set(term, new Set([article]))
        else articles.add(article)
      }
    }
  }

  /** The share of articles that people ask for with this term, but for the one that stands `apart`. */
  share(term: string, apart?: string): number {
    const others = this.#titles.size - (apart !== undefined && this.#titles.has(apart) ? 1 : 0)
    return others === 0 ? 0 : this.#askers(term, apart) / others
  }

  /**
   * Terms of titles that a term may mean, each with the share of the articles asked for with it whose titles
   * have the other. One article is taken off as chance, so that a single one means nothing.
   */
  meanings(term: string, apart?: string): Map<string, number> {
    const articles = this.#askers(term, apart)
    const isApart = apart !== undefined && this.#askedFor.get(term)?.has(apart) === true
    const left = isApart ? this.#titles.get(apart) : undefined
    const meanings = new Map<string, number>()
    for (const [other, count] of this.#countsOf(term)) {
      const share = (count - (left?.has(other) === true ? 1 : 0) - 1) / articles
      if (share >= MIN_SHARE) meanings.set(other, share)
    }
    return meanings
  }

  #askers(term: string, apart: string | undefined): number {
    const articles = this.#askedFor.get(term)
    return articles === undefined ? 0 : articles.size - (apart !== undefined && articles.has(apart) ? 1 : 0)
  }

  /** Only counts that may be shares of a meaning. */
  #countsOf(term: string): ReadonlyMap<string, number> {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    const articles = this.#askedFor.get(term) ?? new Set()
    const counts = countEach([...articles].flatMap((article) => [...(this.#titles.get(article) ?? [])]))
    const frequent = new Map([...counts].filter(([, count]) => (count - 1) / articles.size >= MIN_SHARE / 2))
    this.#counts.set(term, frequent)
    return frequent
  }
}
