// The sentences of all articles, found by their words and by the values that they give.
import { mostFrequent } from '../domain/counts.ts'
import { InvertedIndex } from '../text/inverted-index.ts'
import { knownLanguage, type Language, languageOf, termsOf } from '../text/words.ts'
import type { Article, ArticleSection } from './article.ts'
import { BETWEEN_SENTENCES, extractFacts, type Fact } from './facts.ts'
import { isRow, withHeadedCells } from './rows.ts'
import { isSameFact, keysIn, keysOf } from './same-fact.ts'

/** A sentence or an answer that holds more is data, and takes quadratic time. */
export const MAX_FACTS = 100

/** A passage is a sentence, or a line without one. Its facts are read when they are asked for. */
export class Passage {
  readonly article: Article
  readonly section: ArticleSection
  readonly text: string
  readonly language: Language | undefined
  readonly terms: ReadonlySet<string>
  /** The heading, the line that a list begins with, and the first of its items stand over it. */
  readonly over: string
  readonly isRow: boolean
  #facts: readonly Fact[] | undefined
  #matter: ReadonlySet<string> | undefined

  constructor(article: Article, { section, text, over }: WrittenPassage, language: Language | undefined) {
    this.article = article
    this.section = section
    this.text = text
    this.language = language
    this.over = over
    this.isRow = isRow(text)
    this.terms = new Set(termsOf(text, language))
  }

  get facts(): readonly Fact[] {
    this.#facts ??= extractFacts(this.text, this.language).slice(0, MAX_FACTS)
    return this.#facts
  }

  get matter(): ReadonlySet<string> {
    this.#matter ??= new Set(matterOf(this.text, this.facts, this.language))
    return this.#matter
  }
}

/** Leaves out the terms of values: the others are what the text speaks of. */
export function matterOf(
  text: string,
  values: readonly { readonly kind: string; readonly start: number; readonly end: number }[],
  language: Language | undefined,
): string[] {
  let matter = text
  for (const { kind, start, end } of values.toReversed())
    if (kind !== 'negation') matter = `${matter.slice(0, start)} ${matter.slice(end)}`
  return termsOf(matter, language)
}

/** Candidates are found by terms and values that no more sentences have; what they share is then weighed. */
const MAX_HOLDERS = 400
const MAX_CANDIDATES = 4
/** The facts of so many sentences are read to see which give a value: those of all take half a minute. */
const MAX_VERIFIED = 150
/** Terms in more than this share of the sentences, and in more than so many, are small talk. */
const MAX_FREQUENCY = 0.2
const MIN_COMMON = 4
/** Sentences about one matter share so many terms that no more have. */
const MAX_SHARING = 50
const MIN_SHARED_TERMS = 2

export class Passages {
  readonly articles: readonly Article[]
  /** Most articles are in it. A text counts as in it where its own cannot be told, as that of a table. */
  readonly language: Language | undefined
  readonly #all: Passage[] = []
  /** An article has the index of its first sentence, and of the one behind its last. */
  readonly #ranges = new Map<Article, readonly [from: number, to: number]>()
  /** Sentences are found by their terms, and by the keys of their values behind `#`. */
  readonly #index = new InvertedIndex()
  readonly #articleOf: number[] = []
  readonly #weights = new WeakMap<ReadonlySet<string>, number>()
  readonly #factWeights = new WeakMap<Fact, number>()

  constructor(articles: readonly Article[]) {
    this.articles = articles
    const languages = articles.map(languageOfArticle)
    this.language = mostFrequent(languages.filter((language) => language !== undefined))
    for (const [index, article] of articles.entries()) {
      const from = this.#all.length
      const language = languages[index] ?? this.language
      for (const written of passagesOf(article)) {
        const passage = new Passage(article, written, language)
        const at = this.#all.push(passage) - 1
        this.#articleOf.push(index)
        this.#index.add(at, passage.terms)
        this.#index.add(
          at,
          [...keysIn(written.text, language)].map((key) => `#${key}`),
        )
      }
      this.#ranges.set(article, [from, this.#all.length])
    }
  }

  of(article: Article): readonly Passage[] {
    const [from, to] = this.#ranges.get(article) ?? [0, 0]
    return this.#all.slice(from, to)
  }

  /** One sentence alone has a term of this weight. */
  get maxWeight(): number {
    return this.#index.rarity(1)
  }

  has(term: string): boolean {
    return this.#index.holders(term).length > 0
  }

  /** The weight is the inverse of the share of sentences that have the term, from 0. */
  weightOf(term: string): number {
    return this.#index.weightOf(term)
  }

  /** A set is weighed once: sentences of many articles are held against each other. */
  weigh(terms: ReadonlySet<string>): number {
    let sum = this.#weights.get(terms)
    if (sum !== undefined) return sum
    sum = 0
    for (const term of terms) sum += this.weightOf(term)
    this.#weights.set(terms, sum)
    return sum
  }

  weightOfFact(fact: Fact): number {
    const weight = this.#factWeights.get(fact) ?? this.#index.rarity(this.#holding(fact).length)
    this.#factWeights.set(fact, weight)
    return weight
  }

  sharedBy({ terms, facts }: Passage, other: Matter): number {
    const maxHolders = Math.max(MIN_COMMON, MAX_FREQUENCY * this.#all.length)
    let sum = 0
    for (const term of other.terms) {
      if (!terms.has(term)) continue
      const { length } = this.#index.holders(term)
      if (length <= maxHolders) sum += this.#index.rarity(length)
    }
    for (const fact of other.facts)
      if (facts.some((known) => isSameFact(fact, known))) sum += this.weightOfFact(fact)
    return sum
  }

  /** Scores an article by the sum of what its best sentences share with these. */
  nearest(sentences: readonly Matter[]): { readonly article: Article; readonly score: number }[] {
    const rough = new Map<number, number>()
    for (const { terms, facts, share = 1 } of sentences) {
      const best = new Map<number, number>()
      for (const holders of [
        ...[...terms].map((term) => this.#index.holders(term)),
        ...facts.map((fact) => this.#holding(fact)),
      ]) {
        if (holders.length > MAX_HOLDERS) continue
        const weight = this.#index.rarity(holders.length)
        for (const index of holders) best.set(index, (best.get(index) ?? 0) + weight)
      }
      const byArticle = new Map<number, number>()
      for (const [index, weight] of best) {
        const article = this.#articleOf[index] ?? 0
        if (weight > (byArticle.get(article) ?? 0)) byArticle.set(article, weight)
      }
      for (const [article, weight] of byArticle)
        rough.set(article, (rough.get(article) ?? 0) + share * weight)
    }
    return [...rough]
      .sort((some, other) => other[1] - some[1])
      .slice(0, MAX_CANDIDATES)
      .flatMap(([index]) => this.articles[index] ?? [])
      .map((article) => ({ article, score: this.scoreOf(article, sentences) }))
      .sort((some, other) => other.score - some.score)
  }

  scoreOf(article: Article, sentences: readonly Matter[]): number {
    const passages = this.of(article)
    return sentences.reduce(
      (sum, sentence) =>
        sum +
        (sentence.share ?? 1) * Math.max(...passages.map((passage) => this.sharedBy(passage, sentence))),
      0,
    )
  }

  /** Finds the sentence of another article that gives a fact's value and shares most terms. */
  elsewhere(fact: Fact, terms: ReadonlySet<string>, except: Article | undefined): Passage | undefined {
    const indices = new Set(keysOf(fact).flatMap((key) => this.#index.holders(`#${key}`)))
    return [...indices]
      .flatMap((index) => this.#all[index] ?? [])
      .filter(({ article }) => article !== except)
      .map((passage) => ({ passage, weight: this.sharedBy(passage, { terms, facts: [] }) }))
      .sort((some, other) => other.weight - some.weight)
      .find(({ passage }) => passage.facts.some((known) => isSameFact(fact, known)))?.passage
  }

  giving(fact: Fact): Passage[] {
    return this.#holding(fact)
      .flatMap((index) => this.#all[index] ?? [])
      .filter(({ facts }) => facts.some((known) => isSameFact(fact, known)))
  }

  /** Finds sentences of later articles that may be about the same matter: they share two rare terms. */
  *like({ article, terms }: Passage): Generator<Passage> {
    const [, end] = this.#ranges.get(article) ?? [0, 0]
    const shared = new Map<number, number>()
    for (const term of terms) {
      const holders = this.#index.holders(term)
      if (holders.length > MAX_SHARING) continue
      for (const index of holders) if (index >= end) shared.set(index, (shared.get(index) ?? 0) + 1)
    }
    for (const [index, count] of shared) {
      const passage = this.#all[index]
      if (passage !== undefined && count >= MIN_SHARED_TERMS) yield passage
    }
  }

  /** Lists the sentences that give a value, or all that may, where they are many. */
  #holding(fact: Fact): readonly number[] {
    const lists = keysOf(fact).map((key) => this.#index.holders(`#${key}`))
    const longest = lists.find(({ length }) => length > MAX_VERIFIED)
    if (longest !== undefined) return longest
    return [...new Set(lists.flat())].filter((index) =>
      this.#all[index]?.facts.some((known) => isSameFact(fact, known)),
    )
  }
}

export interface Matter {
  readonly terms: ReadonlySet<string>
  readonly facts: readonly Fact[]
  /** It counts so much of a sentence: 1 unless given. */
  readonly share?: number
}

export const languageOfArticle = ({ language, sections }: Article): Language | undefined =>
  knownLanguage(language) ?? languageOf(sections.map(({ text }) => text).join('\n'))

interface WrittenPassage {
  readonly section: ArticleSection
  readonly text: string
  readonly over: string
}

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/

function* passagesOf({ title, url, sections }: Article): Generator<WrittenPassage> {
  yield { section: sections[0], text: title, over: '' }
  if (url !== null) yield { section: sections[0], text: url, over: '' }
  for (const section of sections) {
    const { heading } = section
    if (heading !== '') yield { section, text: heading, over: heading }
    let [lead, first] = ['', '']
    for (const line of withHeadedCells(section.text.split('\n'))) {
      if (line.trim() === '') continue
      const isItem = ITEM.test(line)
      const over = isItem ? `${heading}\n${lead}\n${first}` : heading
      for (const text of line.split(BETWEEN_SENTENCES)) if (text.trim() !== '') yield { section, text, over }
      // An item may leave out what the first one says: "6 to 9 people: 20 % off", "10 to 19 people: 35 %".
      if (isItem) first ||= line
      else [lead, first] = [line, '']
    }
  }
}
