// Finds the facts of an answer: numbers with their units, dates, times, amounts, addresses, negations.
import { FACT_PATTERNS, type FactKind, type Groups, trimmed } from './fact-patterns.ts'
import { readNumberWords } from './number-words.ts'
import { plainText } from './plain-text.ts'
import { type Language, languageOf } from '../text/words.ts'

/** A fact is a checkable statement, such as a duration. Different spellings of one have equal values. */
export interface Fact {
  readonly kind: FactKind
  readonly value: string
  /** It is such as `EUR`, `s`, `months` or `mb`; empty without one. */
  readonly unit: string
  readonly text: string
  /** Numbers in words are digits here. */
  readonly digits: string
  /** The place is that in the answer, markup within it included. */
  readonly start: number
  readonly end: number
  /** The two words behind the fact are in lower case; empty where a sign or the end is. */
  readonly next: string
  readonly before: string
}

/** A sentence ends after three letters of one case or a unit, not after an abbreviation or a number. */
export const BETWEEN_SENTENCES = new RegExp(
  '(?<=(?:\\p{Ll}{3}|\\p{Lu}{3}|\\d ?(?:[kcm]?m|k?g|[mc]?l|h|[KMGT]B)|[/)\\]"%€]' +
    '|\\d\\d\\d|\\d:\\d\\d|[ap]\\.m)[.?!]["”)*_]{0,2}) (?=["“(*_]{0,2}\\p{Lu})',
  'u',
)

/** Replaces text that a pattern has read. No pattern matches it. */
const CONSUMED = '\0'

/** Articles and answers of one knowledge base share most of their sentences. */
const cache = new Map<string, readonly Fact[]>()
const MAX_CACHED = 20_000
const MAX_SENTENCE = 400

/** Lists facts in the order of the text. Never throws; linear time. */
export function extractFacts(answer: string, language = languageOf(answer)): readonly Fact[] {
  if (answer.length > MAX_SENTENCE) return readFacts(answer, language)
  const key = `${language} ${answer}`
  const facts = cache.get(key) ?? readFacts(answer, language)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, facts)
  return facts
}

function readFacts(answer: string, language: Language | undefined): Fact[] {
  const traced = readNumberWords(plainText(answer), language)
  const { text } = traced
  const found: Fact[] = []
  let left = text
  for (const { kind, hint, pattern, read } of FACT_PATTERNS) {
    if (hint?.test(text) === false) continue
    left = left.replace(pattern, (whole: string, ...more: unknown[]) => {
      const groups = typeof more.at(-1) === 'object' ? (more.pop() as Groups) : {}
      if (kind !== 'ignored' && read !== undefined) {
        const at = Number(more.at(-2))
        const digits = trimPunctuation(whole)
        const [start, end] = traced.originOf(at, at + digits.length)
        const written = trimPunctuation(plainText(answer.slice(start, end)).text)
        const behind = text.slice(at + whole.length, at + whole.length + 60)
        const [next = ''] = /(?<=^[ -])\p{L}+(?:[ -]\p{L}+)?/u.exec(behind.toLowerCase()) ?? []
        const [before = ''] =
          /\p{L}+(?=[ -]$)/u.exec(text.slice(Math.max(0, at - 30), at).toLowerCase()) ?? []
        for (const [value, unit = ''] of read(groups))
          found.push({ kind, value, unit, text: written, digits, start, end, next, before })
      }
      return CONSUMED.repeat(whole.length)
    })
  }
  return found.sort((some, other) => some.start - other.start)
}

/** Removes punctuation at the end, except the dot of "p.m." and "3.11.". */
function trimPunctuation(text: string): string {
  const bare = trimmed(text)
  return /(?:\d\.\d{1,2}|[ap]\. ?m)$/i.test(bare.slice(-5)) ? text : bare
}
