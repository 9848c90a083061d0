// One question looked up in the index of articles: which of them are nearest, and what speaks for each.
import { foldText } from '../text/fold.ts'
import { highest } from '../text/inverted-index.ts'
import { type Language, languageOf, termsOf } from '../text/words.ts'
import type { Article, ArticleSection } from './article.ts'
import type { AskedFor } from './asked-for.ts'
import { type ArticleIndex, MAX_TEXT, wholeText } from './index.ts'
import type { Cosines } from './vectors.ts'

/** Shares are of weights: rare terms weigh most. */
export interface Features {
  /** The article holds this share of the question's terms. */
  readonly held: number
  /** The title holds this share of the question's terms. */
  readonly heldByTitle: number
  /** The question holds this share of the title's terms. */
  readonly titleHeld: number
  /** The article's score leads the next one's by this share of its own; 0 for all but the first. */
  readonly lead: number
  /** The heaviest term of the question that the article lacks has this share of what one can weigh. */
  readonly missing: number
  /** This is the score for a unit of the question's weight. */
  readonly score: number
  readonly terms: number
  /** They are that with the nearest title or heading, its lead on the next article, that with the title. */
  readonly cosines: readonly number[] | undefined
  /** A follow-up's `held` without the terms of its opening; 1 for a question that needs none. */
  readonly ownHeld: number | null
}

export interface Nearest {
  readonly article: Article
  readonly features: Features
}

export interface LookUpOptions {
  /** A follow-up such as "How long does it take?" needs the first question of its conversation. */
  readonly opening?: string | undefined
  /** A follow-up is read with its opening, whatever it says itself. */
  readonly leans?: boolean
  /** The index is used as if this article were in none. */
  readonly without?: string | undefined
  readonly asked?: AskedFor | undefined
  /** The article is known to answer the question: its questions do not count in `asked`. */
  readonly answer?: string | undefined
}

/** BM25 has its usual values (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework"). */
const BM25 = { k: 1.2, b: 0.75 }
/** A term in the title counts this much more than one mention in the text. */
const TITLE_WEIGHT = 2
/** A pasted mail has its question at the top. */
const MAX_QUESTION = 2000
/** The right article comes first for 97 of 100 questions; with 2 for 95, with 8 for 97. */
const COSINE_WEIGHT = 4
/** A follow-up with fewer terms of its own needs those of its opening, which then weigh less. */
const MIN_OWN_TERMS = 3
const OPENING_WEIGHT = 0.5

interface Sought {
  readonly term: string
  readonly weight: number
  /** False where only the opening of the question has it. */
  readonly isOwn: boolean
  /** These terms of articles may stand for it, each with how well it does, from 0 to 1. */
  readonly near: ReadonlyMap<string, number>
}

interface Ranking {
  /** Each list is by the number of an article. */
  readonly scores: Float64Array
  readonly cosines: Cosines | undefined
  /** The rank is the score, or, with vectors, the score of a unit and the cosine. */
  readonly ranks: Float64Array
}

/** Scores articles only where that is needed. */
export class LookUp {
  readonly question: string
  readonly terms: readonly string[]
  readonly #index: ArticleIndex
  readonly #options: LookUpOptions
  /** A short follow-up is looked up with its opening. */
  readonly #text: string
  readonly #language: Language | undefined
  readonly #leftOut: number | undefined
  readonly #sought: readonly Sought[]
  readonly #opening: string | undefined
  #ranking: Ranking | undefined

  constructor(index: ArticleIndex, question: string, options: LookUpOptions = {}) {
    const own = question.slice(0, MAX_QUESTION)
    this.question = question
    this.terms = index.termsOf(own)
    this.#index = index
    this.#options = options
    this.#leftOut = index.numbers.get(options.without ?? '')
    const opening = options.leans || this.terms.length < MIN_OWN_TERMS ? options.opening : undefined
    this.#opening = opening
    this.#text = opening === undefined ? question : `${opening.slice(0, MAX_QUESTION)}\n${question}`
    this.#language = languageOf(this.#text) ?? index.language
    const ownTerms = new Set(termsOf(own, this.#language))
    this.#sought = this.#seek(termsOf(this.#text, this.#language)).map((sought) =>
      ownTerms.has(sought.term)
        ? sought
        : { ...sought, isOwn: false, weight: OPENING_WEIGHT * sought.weight },
    )
  }

  /** Puts the best first. Each holds a term of the question, or is near it by vectors. */
  nearest(limit = 3): Nearest[] {
    const { ranks } = this.#rank()
    return highest(ranks.keys(), ranks, limit).map((number, rank) => this.#nearestOf(number, rank === 0))
  }

  /** Tells what speaks for the best article; nothing does where none holds a term of the question. */
  best(): Features {
    const { ranks } = this.#rank()
    const [first = -1] = highest(ranks.keys(), ranks, 1)
    return this.#featuresOf(first, first !== -1)
  }

  /** Gives this article, whatever speaks for others: its lead is 0. Undefined for an unknown id. */
  find(id: string): Nearest | undefined {
    const number = this.#index.numbers.get(id)
    return number === undefined ? undefined : this.#nearestOf(number, false)
  }

  /** Finds the best article but for this one. Its lead is 0; undefined where no other holds a term. */
  rivalOf(id: string): Nearest | undefined {
    const { ranks } = this.#rank()
    const best = highest(ranks.keys(), ranks, 2).find((number) => number !== this.#index.numbers.get(id))
    return best === undefined ? undefined : this.#nearestOf(best, false)
  }

  heldBy(other: LookUp): number {
    return shareIn(this.#sought, other.#sought)
  }

  heldTerms({ id }: Article): string[] {
    const { numbers, texts } = this.#index
    const number = numbers.get(id) ?? -1
    const held = this.#sought.filter(({ near }) => bestOf(near, (term) => texts.has(term, number)) > 0)
    return held.map(({ term }) => term)
  }

  /**
   * Finds the section that holds most of the question, where a term in few of its sections counts most; the
   * first of equals: editors begin with what matters.
   */
  sectionOf({ id, sections }: Article): ArticleSection {
    if (sections.length === 1) return sections[0]
    const language = this.#index.languages[this.#index.numbers.get(id) ?? -1]
    const { synonyms } = this.#index
    const termsIn = (text: string) => new Set(synonyms.added(termsOf(text, language)))
    const parts = sections.map(({ heading, text }) => [termsIn(heading), termsIn(text.slice(0, MAX_TEXT))])
    const scores = sections.map(() => 0)
    for (const { weight, near } of this.#sought) {
      const matches = parts.map(([heading, text]) =>
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

  /** Lists words of a question that stand in the article so, and those that nothing in it resembles. */
  wordsOf(article: Article) {
    const inArticle = wordsIn(foldText(wholeText(article)))
    const standing = new Set(inArticle.flatMap((word) => [word, ...word.split('-')]))
    const words = new Map(wordsIn(this.#text).map((word) => [foldText(word), word]))
    const asked = [...words].filter(([, word]) => termsOf(word, this.#language).length > 0)
    const alike = new Set(this.heldTerms(article))
    const isAlike = (word: string): boolean => termsOf(word, this.#language).some((term) => alike.has(term))
    return {
      held: asked.flatMap(([key, word]) => (standing.has(key) ? word : [])),
      missing: asked.flatMap(([, word]) => (isAlike(word) ? [] : word)),
    }
  }

  #seek(terms: readonly string[]): Sought[] {
    const { near, synonyms } = this.#index
    const groups = synonyms.byTerm(new Set(terms))
    const { asked, answer } = this.#options
    return [...new Set(terms)].map((term) => {
      const likeness = new Map(near.of(term))
      for (const [other, share] of asked?.meanings(term, answer) ?? [])
        likeness.set(other, Math.max(likeness.get(other) ?? 0, share))
      for (const group of groups.get(term) ?? []) likeness.set(group, 1)
      return { term, weight: this.#weight(term), isOwn: true, near: likeness }
    })
  }

  /**
   * Counts document frequency over the articles and the questions of the run: a word that people use with any
   * topic says little, even where no article has it.
   */
  #weight(term: string): number {
    const { texts } = this.#index
    const { asked, answer } = this.#options
    const holders = texts.holders(term).length
    const isLeftOut = this.#leftOut !== undefined && texts.has(term, this.#leftOut)
    const askedShare = asked?.share(term, answer) ?? 0
    return this.#weightOf((holders - (isLeftOut ? 1 : 0)) / this.#count + askedShare)
  }

  #weightOf(share: number): number {
    return Math.log(1 + 1 / (share + 0.5 / this.#count))
  }

  get #count(): number {
    return Math.max(1, this.#index.articles.length - (this.#leftOut === undefined ? 0 : 1))
  }

  #rank(): Ranking {
    if (this.#ranking !== undefined) return this.#ranking
    const scores = this.#score()
    if (this.#leftOut !== undefined) scores[this.#leftOut] = 0
    const cosines = this.#index.vectors?.cosinesOf(this.question, this.#opening)
    const total = Math.max(1e-9, weightOf(this.#sought))
    const rankOf = (score: number, number: number): number =>
      number === this.#leftOut ? 0 : score / total + COSINE_WEIGHT * Math.max(0, cosines?.best[number] ?? 0)
    this.#ranking = { scores, cosines, ranks: cosines === undefined ? scores : scores.map(rankOf) }
    return this.#ranking
  }

  /** BM25 counts near terms as mentions of the term itself, each as much as it is like it. */
  #score(): Float64Array {
    const { articles, titles, texts, meanLength } = this.#index
    const scores = new Float64Array(articles.length)
    const [mentions, alike, inTitle] = [scores.slice(), scores.slice(), scores.slice()]
    for (const { weight, near } of this.#sought) {
      const touched: number[] = []
      for (const part of [mentions, alike, inTitle]) part.fill(0)
      for (const [term, likeness] of near) {
        texts.each(term, (number, times) => {
          if (mentions[number] === 0) touched.push(number)
          mentions[number] = (mentions[number] ?? 0) + likeness * times
          alike[number] = Math.max(alike[number] ?? 0, likeness)
        })
        titles.each(term, (number) => {
          inTitle[number] = Math.max(inTitle[number] ?? 0, likeness)
        })
      }
      for (const number of touched) {
        const times = mentions[number] ?? 0
        const length = (texts.lengths[number] ?? 0) / meanLength
        const saturated = (times * (BM25.k + 1)) / (times + BM25.k * (1 - BM25.b + BM25.b * length))
        const parts = (alike[number] ?? 0) * saturated + TITLE_WEIGHT * (inTitle[number] ?? 0)
        scores[number] = (scores[number] ?? 0) + weight * parts
      }
    }
    return scores
  }

  #nearestOf(number: number, isFirst: boolean): Nearest {
    const article = this.#index.articles[number] as Article
    return { article, features: this.#featuresOf(number, isFirst) }
  }

  #featuresOf(number: number, isFirst: boolean): Features {
    const { articles, languages, texts, titles } = this.#index
    const { scores, cosines } = this.#rank()
    const sought = this.#sought
    const total = weightOf(sought)
    const score = scores[number] ?? 0
    const cosine = cosines?.best[number] ?? 0
    const inText = ({ near }: Sought): number => bestOf(near, (term) => texts.has(term, number))
    const inTitle = ({ near }: Sought): number => bestOf(near, (term) => titles.has(term, number))
    const own = sought.filter(({ isOwn }) => isOwn)
    const lacked = sought.filter((term) => inText(term) === 0).map(({ weight }) => weight)
    const lead = score === 0 ? -1 : Math.max(-1, 1 - this.#bestBut(number, scores) / score)
    return {
      held: shareOf(sought, inText),
      heldByTitle: shareOf(sought, inTitle),
      titleHeld: shareIn(this.#seek(termsOf(articles[number]?.title ?? '', languages[number])), sought),
      lead: isFirst ? lead : 0,
      missing: Math.max(0, ...lacked) / this.#weightOf(0),
      score: total === 0 ? 0 : score / total,
      terms: sought.length,
      cosines: cosines && [
        cosine,
        isFirst ? cosine - this.#bestBut(number, cosines.best) : 0,
        cosines.title[number] ?? 0,
      ],
      ownHeld:
        this.#options.opening === undefined ? null : own.length === sought.length ? 1 : shareOf(own, inText),
    }
  }

  #bestBut(number: number, values: Float64Array | Float32Array): number {
    const isOther = (other: number): boolean => other !== number && other !== this.#leftOut
    return values[highest(values.keys(), values, 3).find(isOther) ?? -1] ?? 0
  }
}

const weightOf = (some: readonly Sought[]): number => some.reduce((sum, { weight }) => sum + weight, 0)

function shareOf(some: readonly Sought[], of: (sought: Sought) => number): number {
  const total = weightOf(some)
  return total === 0 ? 0 : some.reduce((sum, sought) => sum + sought.weight * of(sought), 0) / total
}

/** Counts a term that stands in the others as it is, or by a term that is near both. */
const shareIn = (some: readonly Sought[], others: readonly Sought[]): number =>
  shareOf(some, ({ near }) => {
    let best = 0
    for (const [term, likeness] of near)
      for (const other of others) best = Math.max(best, likeness * (other.near.get(term) ?? 0))
    return best
  })

function bestOf(near: ReadonlyMap<string, number>, has: (term: string) => boolean): number {
  let best = 0
  for (const [term, likeness] of near) if (likeness > best && has(term)) best = likeness
  return best
}

const wordsIn = (text: string): string[] =>
  text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
