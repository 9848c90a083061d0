// Looks for the facts of a grounded answer in the organization's articles: supported, unsupported, or given
// differently by two articles.
import type { Article } from './article.ts'
import { type FactIndex, type ArticleLine, wordsOf } from './fact-index.ts'
import { extractFacts, type Fact } from './facts.ts'
import { isSameFact, isSameNumber } from './same-fact.ts'

/** Whether the articles bear a fact out. */
export type Support =
  /** The likely source holds it. */
  | { readonly kind: 'supported'; readonly by: 'source' }
  | { readonly kind: 'supported'; readonly by: 'article'; readonly article: Article }
  /** The person who asks has said it: no fact of the answer. */
  | { readonly kind: 'supported'; readonly by: 'question' }
  | { readonly kind: 'unsupported' }
  /** Two articles give it differently: the likely source, and `article`. */
  | {
      readonly kind: 'conflict'
      readonly article: Article
      /** The fact as each gives it. */
      readonly inSource: string
      readonly inArticle: string
    }

/** A fact of an answer, and whether articles bear it out. */
export interface Finding {
  /** With its start and end in the answer. */
  readonly fact: Fact
  /** The sentence around it, as written. */
  readonly sentence: string
  readonly support: Support
}

/** All facts of an answer. */
export interface AnswerSupport {
  /** Facts that were looked for in articles. Without any, the answer is "not checked", never "supported". */
  readonly checked: number
  /** In the order of the answer. */
  readonly findings: readonly Finding[]
}

/**
 * Looks for each fact in `source` (null without one), in the other articles, and in the question. A sum or a
 * conversion that the endpoint makes stands nowhere: it counts as unsupported.
 */
export function supportOf(
  answer: string,
  question: string,
  source: Article | null,
  corpus: FactIndex,
): AnswerSupport {
  const asked = extractFacts(question)
  const facts = extractFacts(answer).filter(({ kind }) => kind !== 'negation')
  const findings = facts.slice(0, MAX_FACTS).flatMap((fact): Finding[] => {
    const sentence = sentenceAround(answer, fact)
    const support = supportOfFact(fact, answer, asked, source, corpus)
    return support === undefined ? [] : [{ fact, sentence, support }]
  })
  const checked = findings.filter(({ support }) => support.kind !== 'supported' || support.by !== 'question')
  return { checked: checked.length, findings }
}

/** An answer of more facts is a table or an attack: the others are not looked for. */
const MAX_FACTS = 500

/** Undefined for a fact that cannot be looked for. */
function supportOfFact(
  fact: Fact,
  answer: string,
  asked: readonly Fact[],
  source: Article | null,
  corpus: FactIndex,
): Support | undefined {
  const own = source === null ? [] : corpus.linesIn(source, fact)
  if (own.length > 0) return findOther(fact, own, corpus) ?? { kind: 'supported', by: 'source' }
  if (source !== null && corpus.linesIn(source, fact, isSameNumber).length > 0)
    return { kind: 'supported', by: 'source' }
  const word = wordBehind(answer, fact)
  const isFit = ({ words }: ArticleLine): boolean => !isCount(fact) || (word !== undefined && words.has(word))
  const elsewhere = corpus.lineElsewhere(fact, source, isFit)
  if (elsewhere !== undefined) {
    const conflict = source === null ? undefined : findInSource(fact, elsewhere, source, corpus)
    return conflict ?? { kind: 'supported', by: 'article', article: elsewhere.article }
  }
  if (asked.some((one) => isSameFact(fact, one) || isSameNumber(fact, one)))
    return { kind: 'supported', by: 'question' }
  const isWeak = ONE.test(fact.text) || (isCount(fact) && !isCountedOtherwise(word, source, corpus))
  return isWeak ? undefined : { kind: 'unsupported' }
}

const isBare = ({ kind, unit }: Fact): boolean => kind === 'number' && unit === ''

/** A short bare number is often a count ("3 ways to do it") or a part of a name ("Windows 11"). */
const isCount = (fact: Fact): boolean => isBare(fact) && fact.value.replaceAll(/\D/g, '').length < MIN_DIGITS
/** A bare number of as many digits is no count. */
const MIN_DIGITS = 3
/** "1 hour" is another way to write "an hour". */
const ONE = /^1[ -]?\p{L}/u

/** The word that a number counts, in "5 attempts". */
function wordBehind(text: string, { end }: Fact): string | undefined {
  const [, word = ''] = /^[ *_`-]{1,4}(\p{L}{4,40})/u.exec(text.slice(end, end + 50)) ?? []
  return [...wordsOf(word)][0]
}

/** Whether the source counts the same things, and counted others than the answer: "5 attempts". */
const isCountedOtherwise = (word: string | undefined, source: Article | null, corpus: FactIndex): boolean =>
  word !== undefined &&
  source !== null &&
  corpus
    .linesOf(source)
    .some(({ text, words, facts }) =>
      words.has(word) ? facts.some((other) => isBare(other) && wordBehind(text, other) === word) : false,
    )

/** The sentence around a fact, or its line; at most this many characters on either side. */
const MAX_AROUND = 300
function sentenceAround(answer: string, { start, end }: Fact): string {
  const before = answer.slice(Math.max(0, start - MAX_AROUND), start)
  const behind = answer.slice(end, end + MAX_AROUND)
  const from = Math.max(...[...before.matchAll(/\n|[.?!](?= )/g)].map(({ index }) => index + 1), 0)
  const to = /\n|[.?!](?=\s|$)/.exec(behind)
  const rest = to === null ? behind : behind.slice(0, to.index + to[0].length)
  return `${before.slice(from)}${answer.slice(start, end)}${rest}`.trim()
}

/** Weighted share of words that two lines about one thing have in common [Jaccard 1901]. */
const MIN_ALIKE = 0.6
const MIN_WORDS = 3

/** Another article's line that says what the source's line says, with another value. */
function findOther(fact: Fact, own: readonly ArticleLine[], corpus: FactIndex): Support | undefined {
  for (const line of own) {
    if (onlyLike(fact, line) === undefined) continue
    for (const other of corpus.linesLike(line, MIN_WORDS)) {
      // Articles repeat sentences of each other.
      if (other.text === line.text) continue
      const value = onlyLike(fact, other)
      if (value === undefined || isSameFact(fact, value) || !isAlike(line, other, corpus)) continue
      if (corpus.linesIn(line.article, value).length > 0) continue
      if (corpus.linesIn(other.article, fact).length > 0) continue
      return { kind: 'conflict', article: other.article, inSource: fact.text, inArticle: value.text }
    }
  }
  return undefined
}

/** The source's line that says what the other article's line says, with another value. */
function findInSource(
  fact: Fact,
  other: ArticleLine,
  source: Article,
  corpus: FactIndex,
): Support | undefined {
  if (onlyLike(fact, other) === undefined) return undefined
  for (const line of corpus.linesOf(source)) {
    const value = onlyLike(fact, line)
    if (value === undefined || !isAlike(line, other, corpus)) continue
    if (corpus.linesIn(other.article, value).length > 0) continue
    return { kind: 'conflict', article: other.article, inSource: value.text, inArticle: fact.text }
  }
  return undefined
}

/**
 * The line's fact of the same kind and unit, where there is one alone. None for bare numbers and web
 * addresses, which differ in too many ways.
 */
function onlyLike(fact: Fact, { facts }: ArticleLine): Fact | undefined {
  if (isBare(fact) || fact.kind === 'url') return undefined
  const [value, ...more] = facts.filter(({ kind, unit }) => kind === fact.kind && unit === fact.unit)
  return more.length === 0 ? value : undefined
}

/**
 * Whether two lines speak of one thing: most of their words are the same, and the title of one article names
 * nothing that the other article does not know, as "Parking in Dublin" does for "Parking in Utrecht".
 */
function isAlike(line: ArticleLine, other: ArticleLine, corpus: FactIndex): boolean {
  const shared = [...line.words].filter((word) => other.words.has(word))
  if (shared.length < MIN_WORDS) return false
  const weigh = (words: Iterable<string>): number =>
    [...words].reduce((sum, word) => sum + corpus.weightOf(word), 0)
  if (weigh(shared) < MIN_ALIKE * weigh(new Set([...line.words, ...other.words]))) return false
  return knowsTitle(line.article, other.article, corpus) || knowsTitle(other.article, line.article, corpus)
}

const knowsTitle = (article: Article, { title }: Article, corpus: FactIndex): boolean =>
  [...wordsOf(title)].every((word) => corpus.wordsIn(article).has(word))
