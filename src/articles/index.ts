// The index of articles: which of them are nearest to a question, and what speaks for each.
import { mostFrequent } from '../domain/counts.ts'
import { foldText } from '../text/fold.ts'
import { highest, InvertedIndex } from '../text/inverted-index.ts'
import { knownLanguage, type Language, languageOf, termsOf } from '../text/words.ts'
import type { Article, ArticleSection } from './article.ts'
import { NearTerms, Synonyms } from './near-terms.ts'
import { type Cosines, TitleVectors, type Vectors } from './vectors.ts'
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
  /**
   * With vectors: the cosine with the nearest title or heading, how far it is above that of the next article,
   * and the cosine with the title.
   */
  readonly cosines: readonly number[] | undefined
  /** Of a follow-up: as `held`, without the terms of its opening; 1 for one that needs none. */
  readonly ownHeld: number | null
}

/** An article that is near to a question, its section, and why. */
export interface Nearest {
  readonly article: Article
  readonly section: ArticleSection
  readonly features: Features
  /** Terms of the question that the article holds, as stems. */
  readonly heldTerms: readonly string[]
}

/** What people taught about the articles. */
export interface Teaching {
  /** Questions that an article answers, by its id: text of that article, for the index. */
  readonly askedAs?: ReadonlyMap<string, readonly string[]>
  /** Questions that no article answers. */
  readonly none?: readonly string[]
  /** Words and phrases that mean the same. */
  readonly synonyms?: readonly (readonly string[])[]
  /** Of the articles' titles and headings, and of every text that is looked up. */
  readonly vectors?: Vectors | undefined
}

/** How a question is looked up. */
export interface NearestOptions {
  /** The first question of its conversation, for a follow-up such as "How long does it take?" */
  readonly opening?: string | undefined
  /** A follow-up is read with its opening, whatever it says itself. */
  readonly leans?: boolean
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
/** Where less of a question is the same, or less of the one without an article, they differ. */
const MIN_HELD_BY_NONE = 0.6
const MIN_HELD_OF_NONE = 0.5
/** Of the cosine in the ranking: the right article comes first for 97 of 100 questions; with 2 for 95, with 8 for 97. */
const COSINE_WEIGHT = 4
/** A follow-up with fewer terms of its own needs those of its opening, which then weigh less. */
const MIN_OWN_TERMS = 3
const OPENING_WEIGHT = 0.5
/** Characters of an article that the index reads. */
const MAX_TEXT = 100_000

/** A term of the question. */
interface Sought {
  readonly term: string
  readonly weight: number
  /** Whether the question itself has it, and not its opening alone. */
  readonly isOwn: boolean
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
  readonly cosines: Cosines | undefined
}

/** An article by its number, with its score and how far that is above the next one's. */
interface Ranked {
  readonly number: number
  readonly score: number
  readonly lead: number
  readonly cosineLead: number
}
const NOTHING: Ranked = { number: -1, score: 0, lead: 0, cosineLead: 0 }

/** All articles by their terms. It takes the articles once, and answers any number of questions. */
export class ArticleIndex {
  readonly articles: readonly Article[]
  /** Of most articles; undefined where none can be told. */
  readonly language: Language | undefined
  /** Of each article; where it cannot be told, that of most. */
  readonly languages: readonly (Language | undefined)[]
  readonly #numbers: ReadonlyMap<string, number>
  readonly #titles = new InvertedIndex()
  /** Of title, headings and text. */
  readonly #texts = new InvertedIndex()
  readonly #meanLength: number
  readonly #near: NearTerms
  readonly #synonyms: Synonyms
  readonly #vectors: TitleVectors | undefined
  readonly #none: readonly { readonly question: string; readonly search: Search }[]

  constructor(articles: readonly Article[], { askedAs, none = [], synonyms = [], vectors }: Teaching = {}) {
    this.articles = articles
    this.#numbers = new Map(articles.map(({ id }, index) => [id, index]))
    const told = articles.map((article) => knownLanguage(article.language) ?? languageOf(wholeText(article)))
    this.language = mostFrequent(told.filter((language) => language !== undefined))
    this.languages = told.map((language) => language ?? this.language)
    const languages = [...new Set(this.languages)]
    this.#synonyms = new Synonyms(synonyms, (phrase) => languages.map((one) => termsOf(phrase, one)))
    for (const [index, article] of articles.entries()) {
      const asked = (askedAs?.get(article.id) ?? []).flatMap((question) => this.termsOf(question))
      this.#titles.add(index, this.#withGroups(termsOf(article.title, this.languages[index])))
      this.#texts.add(
        index,
        this.#withGroups([...termsOf(wholeText(article), this.languages[index]), ...asked]),
      )
    }
    this.#meanLength = this.#texts.lengths.reduce((sum, length) => sum + length, 0) / articles.length
    this.#near = new NearTerms(this.#texts.terms)
    this.#none = none.map((question) => ({ question, search: this.#search(question, {}) }))
    // The decided questions are compared by their terms alone.
    this.#vectors = vectors && new TitleVectors(articles, vectors)
  }

  /** Each mention of a synonym is one of its group. */
  #withGroups(terms: readonly string[]): readonly string[] {
    const groups = [...this.#synonyms.groupsOf(new Set(terms))]
    return groups.length === 0
      ? terms
      : [
          ...terms,
          ...groups.flatMap(([group, held]) => terms.flatMap((term) => (held.has(term) ? group : []))),
        ]
  }

  get hasVectors(): boolean {
    return this.#vectors !== undefined
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

  /**
   * The words of a question, as written: those that stand in the article in this form, and those that nothing
   * in the article resembles.
   */
  wordsOf(question: string, article: Article, options: NearestOptions = {}) {
    const number = this.#numbers.get(article.id) ?? -1
    const inArticle = wordsIn(foldText(wholeText(article)))
    const standing = new Set(inArticle.flatMap((word) => [word, ...word.split('-')]))
    const { language, text } = this.#read(question, options)
    const words = new Map(wordsIn(text).map((word) => [foldText(word), word]))
    const asked = [...words].filter(([, word]) => termsOf(word, language).length > 0)
    const { sought } = this.#search(question, options)
    const alike = sought.filter(({ near }) => bestOf(near, (term) => this.#texts.has(term, number)) > 0)
    const isAlike = (one: string): boolean => alike.some(({ term }) => term === one)
    return {
      held: asked.flatMap(([key, word]) => (standing.has(key) ? word : [])),
      missing: asked.flatMap(([, word]) => (termsOf(word, language).some(isAlike) ? [] : word)),
    }
  }

  /** The three best articles or fewer, best first: only those that hold a term of the question. */
  nearest(question: string, options: NearestOptions = {}): Nearest[] {
    const search = this.#search(question, options)
    return this.#rank(search, options.limit ?? 3).map((found) => this.#nearestOf(found, search))
  }

  /** What speaks for the best article; nothing does where none holds a term of the question. */
  best(question: string, options: NearestOptions): Features {
    const search = this.#search(question, options)
    const [found = NOTHING] = this.#rank(search, 1)
    return this.#featuresOf(found, search)
  }

  /** What speaks for this article, whatever speaks for others: its lead is 0. Undefined for an unknown id. */
  matchOf(id: string, question: string, options: NearestOptions = {}): Nearest | undefined {
    const number = this.#numbers.get(id)
    if (number === undefined) return undefined
    const search = this.#search(question, options)
    return this.#nearestOf({ ...NOTHING, number, score: this.#score(search)[number] ?? 0 }, search)
  }

  /**
   * What speaks for this article and for the best other one, whose leads are 0; undefined where no other holds a
   * term of the question, and for an unknown id.
   */
  rivalsOf(question: string, id: string, options: NearestOptions) {
    const number = this.#numbers.get(id)
    const search = this.#search(question, options)
    const scores = this.#score(search)
    const ranks = this.#ranks(scores, search)
    const best = highest(ranks.keys(), ranks, 2).find((found) => found !== number)
    const article = this.articles[best ?? -1]
    if (number === undefined || best === undefined || article === undefined) return undefined
    const featuresOf = (found: number): Features =>
      this.#featuresOf({ ...NOTHING, number: found, score: scores[found] ?? 0 }, search)
    return { own: featuresOf(number), other: featuresOf(best), article }
  }

  /**
   * A question that no article answers and that is nearly the same as this one: it holds most of this one's
   * weight, and this one half of its own.
   */
  noneLike(question: string, options: NearestOptions): string | undefined {
    const asked = this.#search(question, options)
    return this.#none.find(
      ({ search }) => heldBy(asked, search) >= MIN_HELD_BY_NONE && heldBy(search, asked) >= MIN_HELD_OF_NONE,
    )?.question
  }

  #rank(search: Search, count: number): Ranked[] {
    const scores = this.#score(search)
    const ranks = this.#ranks(scores, search)
    const nearest = search.cosines?.best
    /** How a value of the first stands to the best one of another article. */
    const nextOf = (values: Float64Array | Float32Array, number: number): number =>
      values[
        highest(values.keys(), values, 3).find((other) => other !== number && other !== search.leftOut) ?? -1
      ] ?? 0
    return highest(ranks.keys(), ranks, count).map((number, rank) => {
      const score = scores[number] ?? 0
      if (rank > 0) return { ...NOTHING, number, score }
      const lead = score === 0 ? -1 : Math.max(-1, 1 - nextOf(scores, number) / score)
      const cosineLead = nearest === undefined ? 0 : (nearest[number] ?? 0) - nextOf(nearest, number)
      return { number, score, lead, cosineLead }
    })
  }

  /** What articles are ranked by: the score alone, or, with vectors, the score of a unit and the cosine. */
  #ranks(scores: Float64Array, { total, leftOut, cosines }: Search): Float64Array {
    if (leftOut !== undefined) scores[leftOut] = 0
    if (cosines === undefined) return scores
    return scores.map((score, number) =>
      number === leftOut
        ? 0
        : score / Math.max(total, 1e-9) + COSINE_WEIGHT * Math.max(0, cosines.best[number] ?? 0),
    )
  }

  #nearestOf(found: Ranked, search: Search): Nearest {
    const article = this.articles[found.number] as Article
    const { sought } = search
    return {
      article,
      section: this.#sectionOf(article, found.number, sought),
      features: this.#featuresOf(found, search),
      heldTerms: sought.flatMap(({ term, near }) =>
        bestOf(near, (other) => this.#texts.has(other, found.number)) > 0 ? term : [],
      ),
    }
  }

  /** The text that is looked up, and its language: a short follow-up is read with its opening. */
  #read(question: string, { opening, leans = false }: NearestOptions) {
    const own = question.slice(0, MAX_QUESTION)
    const isRead = opening !== undefined && (leans || this.termsOf(question).length < MIN_OWN_TERMS)
    const text = isRead ? `${opening.slice(0, MAX_QUESTION)}\n${own}` : own
    return { own, text, language: languageOf(text) ?? this.language, isShort: isRead }
  }

  #search(question: string, options: NearestOptions): Search {
    const leftOut = this.#numbers.get(options.without ?? '')
    const { own, text, language, isShort } = this.#read(question, options)
    const ownTerms = new Set(termsOf(own, language))
    const terms = new Set(termsOf(text, language))
    const groups = [...this.#synonyms.groupsOf(terms)]
    const sought = [...terms].map((term): Sought => {
      const meant = groups.flatMap(([group, held]) => (held.has(term) ? group : []))
      const near = new Map([...this.#near.of(term), ...meant.map((group) => [group, 1] as const)])
      for (const [other, share] of options.wording?.meanings(term, options.apart) ?? [])
        near.set(other, Math.max(near.get(other) ?? 0, share))
      const weight = this.#weight(term, leftOut, options)
      const isOwn = ownTerms.has(term)
      return { term, weight: isOwn ? weight : OPENING_WEIGHT * weight, isOwn, near }
    })
    const before = isShort ? options.opening : undefined
    const cosines = this.#vectors?.cosinesOf(question, before)
    return { sought, total: sumOf(sought, ({ weight }) => weight), leftOut, options, cosines }
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
    const holders = this.#texts.holders(term).length
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
      const touched: number[] = []
      for (const part of [mentions, alike, inTitle]) part.fill(0)
      for (const [term, likeness] of near)
        this.#texts.each(term, (document, times) => {
          if (mentions[document] === 0) touched.push(document)
          mentions[document] = (mentions[document] ?? 0) + likeness * times
          alike[document] = Math.max(alike[document] ?? 0, likeness)
        })
      for (const [term, likeness] of near)
        this.#titles.each(term, (document) => {
          inTitle[document] = Math.max(inTitle[document] ?? 0, likeness)
        })
      for (const number of touched) {
        const times = mentions[number] ?? 0
        const length = (lengths[number] ?? 0) / this.#meanLength
        const saturated = (times * (BM25.k + 1)) / (times + BM25.k * (1 - BM25.b + BM25.b * length))
        const parts = (alike[number] ?? 0) * saturated + TITLE_WEIGHT * (inTitle[number] ?? 0)
        scores[number] = (scores[number] ?? 0) + weight * parts
      }
    }
    return scores
  }

  #featuresOf(
    { number, score, lead, cosineLead }: Ranked,
    { sought, total, leftOut, options, cosines }: Search,
  ): Features {
    const inText = ({ near }: Sought): number => bestOf(near, (term) => this.#texts.has(term, number))
    const inTitle = ({ near }: Sought): number => bestOf(near, (term) => this.#titles.has(term, number))
    const shareOf = (some: readonly Sought[], of: (one: Sought) => number): number => {
      const all = sumOf(some, ({ weight }) => weight)
      return all === 0 ? 0 : sumOf(some, (one) => one.weight * of(one)) / all
    }
    let [asked, ofTitle] = [0, 0]
    const titleTerms = this.titleTerms(this.articles[number]?.id ?? '')
    const groups = [...this.#synonyms.groupsOf(titleTerms)]
    for (const term of titleTerms) {
      const weight = this.#weight(term, leftOut, options)
      const meant = [term, ...groups.flatMap(([group, held]) => (held.has(term) ? group : []))]
      ofTitle += weight
      asked += weight * Math.max(0, ...sought.flatMap(({ near }) => meant.map((one) => near.get(one) ?? 0)))
    }
    const own = sought.filter(({ isOwn }) => isOwn)
    const lacked = sought.filter((one) => inText(one) === 0).map(({ weight }) => weight)
    return {
      held: shareOf(sought, inText),
      heldByTitle: shareOf(sought, inTitle),
      titleHeld: ofTitle === 0 ? 0 : asked / ofTitle,
      lead,
      missing: Math.max(0, ...lacked) / this.#weightOf(0, leftOut),
      score: total === 0 ? 0 : score / total,
      terms: sought.length,
      cosines: cosines && [cosines.best[number] ?? 0, cosineLead, cosines.title[number] ?? 0],
      ownHeld: options.opening === undefined ? null : own.length === sought.length ? 1 : shareOf(own, inText),
    }
  }

  /**
   * The section that holds most of the question, where a term in few of its sections counts most, and one in
   * all of them nothing; the first of equals: editors begin with what matters.
   */
  #sectionOf({ sections }: Article, number: number, sought: readonly Sought[]): ArticleSection {
    if (sections.length === 1) return sections[0]
    const termSets = sections.map(({ heading, text }) =>
      [heading, text.slice(0, MAX_TEXT)].map(
        (part) => new Set(this.#withGroups(termsOf(part, this.languages[number]))),
      ),
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

/** The share of a question's weight that another one holds. */
const heldBy = ({ sought, total }: Search, other: Search): number =>
  sumOf(
    sought,
    ({ weight, near }) => weight * Math.max(0, ...other.sought.map((one) => likenessOf(near, one))),
  ) / total

/** Terms, or groups of synonyms that both stand for. */
const likenessOf = (near: ReadonlyMap<string, number>, other: Sought): number =>
  Math.max(
    near.get(other.term) ?? 0,
    [...near.keys()].some((term) => term.startsWith('=') && other.near.has(term)) ? 1 : 0,
  )

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

const wordsIn = (text: string): string[] =>
  text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? []

const wholeText = ({ title, sections }: Article): string =>
  [title, ...sections.flatMap(({ heading, text }) => [heading, text])].join('\n').slice(0, MAX_TEXT)

function bestOf(near: ReadonlyMap<string, number>, has: (term: string) => boolean): number {
  let best = 0
  for (const [term, likeness] of near) if (likeness > best && has(term)) best = likeness
  return best
}
