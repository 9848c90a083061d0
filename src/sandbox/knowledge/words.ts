// From text to terms: words without accents and apostrophes, in their concept's usual name, stemmed.
import { stemmer } from 'stemmer'
import { CONCEPTS, FUNCTION_WORDS, isSmallTalk } from './vocabulary.ts'

/** Lower-case words as they stand, function words included: what reveals how a question is built. */
export function splitWords(text: string): string[] {
  const folded = text
    .split(/\s+/)
    .filter((one) => !isAddress(one))
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘]/g, "'")
    .toLowerCase()
    .replaceAll(/\b(?:log|sign)(?:s|ged|ned|ging|ning)?[ -](?:in|on)\b/g, 'login')
    // e-mail, wi-fi: the first part is no word of its own. Elsewhere a hyphen parts words.
    .replaceAll(/\b(e|wi|hi|re|co|un)-(?=\p{L})/gu, '$1')
  return folded.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu)?.map((word) => word.replace(/'.*$/, '')) ?? []
}

/** Of the web or of mail: it names servers, not topics. */
const isAddress = (text: string): boolean => /:\/\/|@|^www\./i.test(text)

/** Stemming is most of the work of an answer, and the words are few. */
const known = new Map<string, string | undefined>()
const KNOWN_WORDS = 20_000

/** Term of a word, or undefined where the word is only grammar. */
export function termOf(word: string): string | undefined {
  if (known.has(word)) return known.get(word)
  if (known.size >= KNOWN_WORDS) known.clear()
  const term = findTerm(word)
  known.set(word, term)
  return term
}

function findTerm(word: string): string | undefined {
  if (FUNCTION_WORDS.has(word) || (word.length < 2 && !/\d/.test(word))) return undefined
  const stem = stemmer(word)
  return CONCEPTS.get(word) ?? CONCEPTS.get(stem) ?? (COUNTRIES.has(word) ? COUNTRY : stem)
}

const COUNTRY = stemmer('country')
/** Names of one word: who asks about "Spain" means what an article says of countries. */
const COUNTRIES: ReadonlySet<string> = new Set(countryNames())

function* countryNames(): Generator<string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  for (const code of letters.flatMap((one) => letters.map((other) => one + other))) {
    const name = names.of(code)
    if (name !== undefined && /^\p{L}+$/u.test(name)) yield name.toLowerCase()
  }
}

export function termsOf(text: string): string[] {
  return splitWords(text).flatMap((word) => termOf(word) ?? [])
}

/** Whether a word can be what a question is about. */
export function isTopic(word: string): boolean {
  return !isSmallTalk(word) && termOf(word) !== undefined && !/^\d+$/.test(word)
}
