// The index of articles: which of them are nearest to a question, and what speaks for each.
import { mostFrequent } from '../domain/counts.ts'
import type { Article, ArticleSection } from './article.ts'
import { NearTerms } from './near-terms.ts'
import { highest } from './numbers.ts'
import { type Posting, Postings } from './postings.ts'
import { knownLanguage, type Language, languageOf, termsOf } from './words.ts'
import type { Wording } from './wording.ts'

/** What speaks for an article as the answer to a question. Shares are of weights: rare terms weigh most. */
export interface Features {
  /** Share of the question's terms that the article holds. */
  readonly held: number
  /** Share of the question's terms that the title holds. */
  readonly heldByTitle: number
  /** Share of the title's terms that the question holds. */
  readonly titleHeld: number
  /** How far the article's score is above the next one's, as a share of its own; 0 for all but the first. */
  readonly lead: number
  /** Weight of the heaviest term of the question that the article lacks, as a share of what one can weigh. */
  readonly missing: number
  /** Score for a unit of the question's weight. */
  readonly score: number
  /** Number of the question's terms. */
  readonly terms: number
}

/** An article that is near to a question, its section, and why. */
export interface Nearest {
  readonly article: Article
  readonly section: ArticleSection
  readonly features: Features
  /** Terms of the question that the article holds, and that it does not, as stems. */
  readonly heldTerms: readonly string[]
  readonly missingTerms: readonly string[]
}

/** How a question is looked up. */
export interface NearestOptions {
  /** The article that is left out, as if it were in no index. */
  readonly without?: string | undefined
  /** How people word their questions, learned from others of the run. */
  readonly wording?: Wording | undefined
  /** The article whose questions do not count in `wording`. */
  readonly apart?: string | undefined
  readonly limit?: number
}

/** Usual values of BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework"). */
const BM25 = { k: 1.2, b: 0.75 }
/** A term in the title counts this much more than one mention in the text. */
const TITLE_WEIGHT = 2
/** In a pasted mail the question stands at its top. */
const MAX_QUESTION = 2000
/** Characters of an article that the index reads. */
const MAX_TEXT = 100_000

/** A term of the question. */
interface Sought {
  readonly term: string
  readonly weight: number
  /** The terms of articles that may stand for it, each with how well it does, from 0 to 1. */
  readonly near: ReadonlyMap<string, number>
}

/** A question on its way through the index. */
interface Search {
  readonly sought: readonly Sought[]
  /** Sum of the weights of what is sought. */
  readonly total: number
  /** The number of the article that is left out. */
  readonly leftOut: number | undefined
  readonly options: NearestOptions
}

/** All articles by their terms. It takes the articles once, and answers any number of questions. */
export class ArticleIndex {
  readonly articles: readonly Article[]
  /** Of most articles; undefined where none can be told. */
  readonly language: Language | undefined
  /** Of each article; where it cannot be told, that of most. */
  readonly languages: readonly (Language | undefined)[]
  readonly #numbers: ReadonlyMap<string, number>
  readonly #titles = new Postings()
  /** Of title, headings and text. */
  readonly #texts = new Postings()
  readonly #meanLength: number
  readonly #near: NearTerms

  constructor(articles: readonly Article[]) {
    this.articles = articles
    this.#numbers = new Map(articles.map(({ id }, index) => [id, index]))
    const told = articles.map((article) => knownLanguage(article.language) ?? languageOf(wholeText(article)))
    this.language = mostFrequent(told.filter((language) => language !== undefined))
    this.languages = told.map((language) => language ?? this.language)
    for (const [index, article] of articles.entries()) {
      this.#titles.add(termsOf(article.title, this.languages[index]))
      this.#texts.add(termsOf(wholeText(article), this.languages[index]))
    }
    this.#meanLength = this.#texts.lengths.reduce((sum, length) => sum + length, 0) / articles.length
    this.#near = new NearTerms(this.#texts.terms)
  }

  /** The terms of the title of an article; none of one that is not in the index. */
  titleTerms(id: string): ReadonlySet<string> {
    const number = this.#numbers.get(id)
    return new Set(termsOf(this.articles[number ?? -1]?.title ?? '', this.languages[number ?? -1]))
  }

  /** The terms of a question, each once. */
  termsOf(question: string): string[] {
    const text = question.slice(0, MAX_QUESTION)
    return [...new Set(termsOf(text, languageOf(text) ?? this.language))]
  }

  /** The words of a question behind these terms, as written, each once. */
  wordsOf(question: string, terms: readonly string[]): string[] {
    const text = question.slice(0, MAX_QUESTION)
    const language = languageOf(text) ?? this.language
    const words = text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
    return [...new Set(words)].filter((word) => termsOf(word, language).some((term) => terms.includes(term)))
  }

  /** The three best articles or fewer, best first: only those that hold a term of the question. */
  nearest(question: string, options: NearestOptions = {}): Nearest[] {
    const search = this.#search(question, options)
    const scores = this.#score(search)
    if (search.leftOut !== undefined) scores[search.leftOut] = 0
    const limit = options.limit ?? 3
    const found = highest(scores.keys(), scores, Math.max(2, limit))
    return found.slice(0, limit).flatMap((number, rank) => {
      const article = this.articles[number]
      const score = scores[number] ?? 0
      const lead = rank === 0 ? 1 - (scores[found[1] ?? -1] ?? 0) / score : 0
      return article === undefined ? [] : [this.#describe(article, number, { score, lead, search })]
    })
  }

  /** What speaks for this article, whatever speaks for others: its lead is 0. Undefined for an unknown id. */
  matchOf(id: string, question: string): Nearest | undefined {
    const number = this.#numbers.get(id)
    const article = this.articles[number ?? -1]
    if (number === undefined || article === undefined) return undefined
    const search = this.#search(question, {})
    return this.#describe(article, number, { score: this.#score(search)[number] ?? 0, lead: 0, search })
  }

  #search(question: string, options: NearestOptions): Search {
    const leftOut = this.#numbers.get(options.without ?? '')
    const sought = this.termsOf(question).map((term) => this.#seek(term, leftOut, options))
    return { sought, total: sought.reduce((sum, { weight }) => sum + weight, 0), leftOut, options }
  }

  #seek(term: string, leftOut: number | undefined, options: NearestOptions): Sought {
    const near = new Map(this.#near.of(term))
    for (const [other, share] of options.wording?.meanings(term, options.apart) ?? [])
      near.set(other, Math.max(near.get(other) ?? 0, share))
    return { term, weight: this.#weight(term, leftOut, options), near }
  }

  /**
   * Inverse document frequency, over the articles and the questions of the run: a word that people use with
   * any topic says little, even where no article has it.
   */
  #weight(term: string, leftOut: number | undefined, { wording, apart }: NearestOptions): number {
    return this.#weightOf(
      this.#holders(term, leftOut) / this.#count(leftOut) + (wording?.share(term, apart) ?? 0),
      leftOut,
    )
  }

  #weightOf(share: number, leftOut: number | undefined): number {
    return Math.log(1 + 1 / (share + 0.5 / this.#count(leftOut)))
  }

  #count(leftOut: number | undefined): number {
    return Math.max(1, this.articles.length - (leftOut === undefined ? 0 : 1))
  }

  #holders(term: string, leftOut: number | undefined): number {
    const holders = this.#texts.of(term).documents.length
    return holders > 0 && leftOut !== undefined && this.#texts.has(term, leftOut) ? holders - 1 : holders
  }

  /** BM25 where near terms count as mentions of the term itself, each as much as it is like it. */
  #score({ sought }: Search): Float64Array {
    const count = this.articles.length
    const scores = new Float64Array(count)
    const mentions = new Float64Array(count)
    const alike = new Float64Array(count)
    const inTitle = new Float64Array(count)
    const lengths = this.#texts.lengths
    for (const { weight, near } of sought) {
      for (const part of [mentions, alike, inTitle]) part.fill(0)
      for (const [term, likeness] of near)
        spread(this.#texts.of(term), (document, times) => {
          mentions[document] = (mentions[document] ?? 0) + likeness * times
          alike[document] = Math.max(alike[document] ?? 0, likeness)
        })
      for (const [term, likeness] of near)
        spread(this.#titles.of(term), (document) => {
          inTitle[document] = Math.max(inTitle[document] ?? 0, likeness)
        })
      for (let number = 0; number < count; number += 1) {
        const times = mentions[number] ?? 0
        if (times === 0) continue
        const length = (lengths[number] ?? 0) / this.#meanLength
        const saturated = (times * (BM25.k + 1)) / (times + BM25.k * (1 - BM25.b + BM25.b * length))
        const parts = (alike[number] ?? 0) * saturated + TITLE_WEIGHT * (inTitle[number] ?? 0)
        scores[number] = (scores[number] ?? 0) + weight * parts
      }
    }
    return scores
  }

  #describe(
    article: Article,
    number: number,
    { score, lead, search }: { readonly score: number; readonly lead: number; readonly search: Search },
  ): Nearest {
    const { sought, total, leftOut, options } = search
    const inText = (one: Sought): number => bestOf(one.near, (term) => this.#texts.has(term, number))
    const inTitle = (one: Sought): number => bestOf(one.near, (term) => this.#titles.has(term, number))
    const lacked = sought.filter((one) => inText(one) === 0)
    const share = (of: (one: Sought) => number): number =>
      total === 0 ? 0 : sought.reduce((sum, one) => sum + one.weight * of(one), 0) / total
    let [asked, ofTitle] = [0, 0]
    for (const term of this.titleTerms(article.id)) {
      const weight = this.#weight(term, leftOut, options)
      ofTitle += weight
      asked += weight * Math.max(0, ...sought.map(({ near }) => near.get(term) ?? 0))
    }
    return {
      article,
      section: this.#sectionOf(article, number, sought),
      features: {
        held: share(inText),
        heldByTitle: share(inTitle),
        titleHeld: ofTitle === 0 ? 0 : asked / ofTitle,
        lead,
        missing: Math.max(0, ...lacked.map(({ weight }) => weight)) / this.#weightOf(0, leftOut),
        score: total === 0 ? 0 : score / total,
        terms: sought.length,
      },
      heldTerms: sought.filter((one) => !lacked.includes(one)).map(({ term }) => term),
      missingTerms: lacked.map(({ term }) => term),
    }
  }

  /**
   * The section that holds most of the question, where a term in few of its sections counts most, and one in
   * all of them nothing; the first of equals: editors begin with what matters.
   */
  #sectionOf({ sections }: Article, number: number, sought: readonly Sought[]): ArticleSection {
    if (sections.length === 1) return sections[0]
    const termSets = sections.map(({ heading, text }) =>
      [heading, text.slice(0, MAX_TEXT)].map((part) => new Set(termsOf(part, this.languages[number]))),
    )
    const scores = sections.map(() => 0)
    for (const { weight, near } of sought) {
      const matches = termSets.map(([heading, text]) =>
        Math.max(
          TITLE_WEIGHT * bestOf(near, (term) => heading?.has(term) === true),
          bestOf(near, (term) => text?.has(term) === true),
        ),
      )
      const rarity = Math.log(sections.length / Math.max(1, matches.filter((match) => match > 0).length))
      for (const [index, match] of matches.entries())
        scores[index] = (scores[index] ?? 0) + weight * rarity * match
    }
    return sections[scores.indexOf(Math.max(...scores))] ?? sections[0]
  }
}

function spread({ documents, counts }: Posting, each: (document: number, times: number) => void): void {
  for (let at = 0; at < documents.length; at += 1) each(documents[at] ?? 0, counts[at] ?? 0)
}

const wholeText = ({ title, sections }: Article): string =>
  [title, ...sections.flatMap(({ heading, text }) => [heading, text])].join('\n').slice(0, MAX_TEXT)

function bestOf(near: ReadonlyMap<string, number>, has: (term: string) => boolean): number {
  let best = 0
  for (const [term, likeness] of near) if (likeness > best && has(term)) best = likeness
  return best
}
