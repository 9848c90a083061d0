// An index of the facts in the organization's articles.
import { BETWEEN_SENTENCES, extractFacts, type Fact } from './facts.ts'
import type { Article } from './article.ts'
import { isSameFact, keysIn, keysOf } from './same-fact.ts'
import { shortWordsOf } from './source.ts'

/** A sentence of an article, or a line without one. Its facts and words are read when they are asked for. */
export class Line {
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
  readonly #lines: Line[] = []
  /** The lines of an article stand side by side. */
  readonly #ranges = new Map<Article, readonly [from: number, to: number]>()
  readonly #byKey = new Map<string, number[]>()
  readonly #byWord = new Map<string, number[]>()

  constructor(articles: readonly Article[]) {
    for (const article of articles) {
      const from = this.#lines.length
      for (const text of linesOf(article)) {
        const index = this.#lines.push(new Line(article, text)) - 1
        for (const key of keysIn(text)) push(this.#byKey, key, index)
        for (const word of wordsOf(text)) push(this.#byWord, word, index)
      }
      this.#ranges.set(article, [from, this.#lines.length])
    }
  }

  readonly #words = new Map<Article, ReadonlySet<string>>()
  /** All of the article, without numbers. */
  wordsIn(article: Article): ReadonlySet<string> {
    const known = this.#words.get(article)
    if (known !== undefined) return known
    const words = new Set(this.linesOf(article).flatMap((line) => [...line.words]))
    this.#words.set(article, words)
    return words
  }

  /** The lines of the article with the fact. `isSame`: other than by the fact's value. */
  linesIn(article: Article, fact: Fact, isSame = isSameFact): Line[] {
    const [from, to] = this.#ranges.get(article) ?? [0, 0]
    return this.#linesWith(keysOf(fact), from, to).filter(({ facts }) =>
      facts.some((other) => isSame(fact, other)),
    )
  }

  linesOf(article: Article): readonly Line[] {
    const [from, to] = this.#ranges.get(article) ?? [0, 0]
    return this.#lines.slice(from, to)
  }

  /** A line with the fact in any other article; the first one that `isFit`. */
  lineElsewhere(
    fact: Fact,
    source: Article | null,
    isFit: (line: Line) => boolean = () => true,
  ): Line | undefined {
    for (const key of keysOf(fact))
      for (const index of this.#byKey.get(key) ?? []) {
        const line = this.#lines[index]
        if (line === undefined || line.article === source || !isFit(line)) continue
        if (line.facts.some((other) => isSameFact(fact, other))) return line
      }
    return undefined
  }

  /** The lines of other articles that share at least so many of the line's words. */
  linesLike({ article, words }: Line, minShared: number): Line[] {
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

  #linesWith(keys: readonly string[], from: number, to: number): Line[] {
    const indexes = new Set(keys.flatMap((key) => between(this.#byKey.get(key) ?? [], from, to)))
    return [...indexes].flatMap((index) => this.#lines[index] ?? [])
  }
}

/** Words in more lines than this say little about what a line is about, and take time. */
const MAX_HOLDERS = 500

function push(map: Map<string, number[]>, key: string, index: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [index])
  else list.push(index)
}

/** Of a sorted list. */
function between(list: readonly number[], from: number, to: number): number[] {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  const found: number[] = []
  for (let at = low; at < list.length && (list[at] ?? to) < to; at += 1) found.push(list[at] ?? 0)
  return found
}

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
