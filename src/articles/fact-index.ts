// An index of the facts in the organization's articles.
import type { Article } from './article.ts'
import { BETWEEN_SENTENCES, extractFacts, type Fact } from './facts.ts'
import { lowerBound, pushTo } from './numbers.ts'
import { isSameFact, keysIn, keysOf } from './same-fact.ts'
import { shortWordsOf } from './source.ts'

/** A sentence of an article, or a line without one. Its facts and words are read when they are asked for. */
export class ArticleLine {
  readonly article: Article
  readonly text: string
  #facts: readonly Fact[] | undefined
  #words: ReadonlySet<string> | undefined

  constructor(article: Article, text: string) {
    this.article = article
    this.text = text
  }

  /** All but negations. */
  get facts(): readonly Fact[] {
    this.#facts ??= extractFacts(this.text).filter(({ kind }) => kind !== 'negation')
    return this.#facts
  }

  /** Without numbers. */
  get words(): ReadonlySet<string> {
    this.#words ??= wordsOf(this.text)
    return this.#words
  }
}

/**
 * Facts are found in two steps, because to extract those of 5,000 articles takes half a minute: keys name the
 * lines that may hold a fact, and only their facts are extracted.
 */
export class FactIndex {
  readonly #lines: ArticleLine[] = []
  /** The lines of an article stand side by side. */
  readonly #ranges = new Map<Article, readonly [from: number, to: number]>()
  readonly #byKey = new Map<string, number[]>()
  readonly #byWord = new Map<string, number[]>()
  /** Of the articles that were asked for. */
  readonly #words = new Map<Article, ReadonlySet<string>>()

  constructor(articles: readonly Article[]) {
    for (const article of articles) {
      const from = this.#lines.length
      for (const text of linesOf(article)) {
        const index = this.#lines.push(new ArticleLine(article, text)) - 1
        for (const key of keysIn(text)) pushTo(this.#byKey, key, index)
        for (const word of wordsOf(text)) pushTo(this.#byWord, word, index)
      }
      this.#ranges.set(article, [from, this.#lines.length])
    }
  }

  /** All words of the article, without numbers. */
  wordsIn(article: Article): ReadonlySet<string> {
    const known = this.#words.get(article)
    if (known !== undefined) return known
    const words = new Set(this.linesOf(article).flatMap((line) => [...line.words]))
    this.#words.set(article, words)
    return words
  }

  /** The lines of the article with the fact. `isSame`: other than by the fact's value. */
  linesIn(article: Article, fact: Fact, isSame = isSameFact): ArticleLine[] {
    const [from, to] = this.#ranges.get(article) ?? [0, 0]
    const indexes = keysOf(fact).flatMap((key) => {
      const all = this.#byKey.get(key) ?? []
      return all.slice(lowerBound(all, from), lowerBound(all, to))
    })
    return [...new Set(indexes)]
      .flatMap((index) => this.#lines[index] ?? [])
      .filter(({ facts }) => facts.some((other) => isSame(fact, other)))
  }

  linesOf(article: Article): readonly ArticleLine[] {
    const [from, to] = this.#ranges.get(article) ?? [0, 0]
    return this.#lines.slice(from, to)
  }

  /** A line with the fact in any article but `source`; the first one that `isFit`. */
  lineElsewhere(
    fact: Fact,
    source: Article | null,
    isFit: (line: ArticleLine) => boolean,
  ): ArticleLine | undefined {
    for (const key of keysOf(fact))
      for (const index of this.#byKey.get(key) ?? []) {
        const line = this.#lines[index]
        if (line === undefined || line.article === source || !isFit(line)) continue
        if (line.facts.some((other) => isSameFact(fact, other))) return line
      }
    return undefined
  }

  /** The lines of other articles that share at least so many of the line's words. */
  linesLike({ article, words }: ArticleLine, minShared: number): ArticleLine[] {
    const shared = new Map<number, number>()
    for (const word of words) {
      const holders = this.#byWord.get(word) ?? []
      if (holders.length > MAX_HOLDERS) continue
      for (const index of holders) shared.set(index, (shared.get(index) ?? 0) + 1)
    }
    return [...shared]
      .flatMap(([index, count]) => (count >= minShared ? (this.#lines[index] ?? []) : []))
      .filter((line) => line.article !== article)
  }

  /** How rare a word is, from 0. */
  weightOf(word: string): number {
    return Math.log((1 + this.#lines.length) / (1 + (this.#byWord.get(word)?.length ?? 0)))
  }
}

/** Words in more lines than this say little about what a line is about, and take time. */
const MAX_HOLDERS = 500

/** The words of a text without numbers. */
export const wordsOf = (text: string): Set<string> =>
  new Set(shortWordsOf(text).filter((term) => term.length > 2 && !/^\p{N}/u.test(term)))

function* linesOf({ title, url, sections }: Article): Generator<string> {
  yield title
  if (url !== null) yield url
  for (const { heading, text } of sections) {
    if (heading !== '') yield heading
    for (const line of text.split('\n'))
      yield* line.split(BETWEEN_SENTENCES).filter((one) => one.trim() !== '')
  }
}
