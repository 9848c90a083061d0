// Numbers as people write them, in digits or words, English or German, and their one normal form.
import { BEGINS } from './places.ts'

const ENGLISH =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const GERMAN =
  'ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'

const words = new Map<string, number>()
for (const [list, first, step] of [
  [ENGLISH, 1, 1],
  [ENGLISH_TENS, 20, 10],
  [GERMAN, 1, 1],
  [GERMAN_TENS, 20, 10],
] as const) {
  for (const [place, word] of list.split(' ').entries()) words.set(word, first + place * step)
}
for (const word of ['eins', 'eine', 'einem', 'einen', 'einer', 'eines']) words.set(word, 1)
words.set('dreissig', 30).set('hundred', 100).set('hundert', 100)

/** "one" and "ein" are articles and pronouns more often than numbers: they count only before a unit. */
const isOne = (word: string): boolean => words.get(word) === 1
const longestFirst = [...words.keys()].sort((some, other) => other.length - some.length)
const tens = (list: string): string => list.split(' ').join('|')
const units = (list: string): string => list.split(' ').slice(0, 9).join('|')
const COMPOUNDS = `(?:${tens(ENGLISH_TENS)})[- ](?:${units(ENGLISH)})|(?:${units(GERMAN)})und(?:${tens(GERMAN_TENS)}|dreissig)`

/** Thousands apart by comma, dot, apostrophe or space, or not at all; decimals after a comma or a dot. A minus sign has a space before it. */
export const DIGITS = `(?:(?<![^\\s(])-)?(?:\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?|\\d+(?:[.,]\\d+)?)`
/** Digits or a word, in a pattern with the flags `iu`. */
export const NUMBER = `(?:${DIGITS}|(?:${COMPOUNDS}|${longestFirst.join('|')})(?!\\p{L}))`
/** What a `NUMBER` of digits begins with, and one of words; `BARE_WORD` begins with these too. */
export const DIGITS_BEGIN = BEGINS.digit | BEGINS.minus
export const NUMBER_WORDS: readonly string[] = longestFirst
export const BARE_WORD = `(?:${COMPOUNDS}|${longestFirst.filter((word) => !isOne(word)).join('|')})`
/** What stands between the two numbers of a range, or between alternatives. */
export const RANGE = `(?: ?- ?| to | bis | and | und | or | oder )`

/**
 * "1,200" and "1.200" to "1200", "1.200,50" to "1200.5", "thirty" to "30". One separator with three digits after it
 * parts thousands: which language the answer has is not known. Leading zeros stay: "0800" is no quantity.
 */
export function readNumber(text: string): string {
  const lower = text.toLowerCase()
  if (!/\d/.test(lower)) return String(readWords(lower))
  const compact = lower.replaceAll(/[ ']/g, '')
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  if (last === -1) return compact
  const separators = compact.replaceAll(/\d/g, '')
  const isMixed = separators.includes('.') && separators.includes(',')
  const isGrouped = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(compact)
  if (!isMixed && isGrouped) return compact.replaceAll(/[.,]/g, '')
  const whole = compact.slice(0, last).replaceAll(/[.,]/g, '')
  const decimals = compact.slice(last + 1).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

function readWords(text: string): number {
  const known = words.get(text)
  if (known !== undefined) return known
  const parts = text.split(/[- ]|und/)
  return parts.reduce((sum, part) => sum + (words.get(part) ?? 0), 0)
}

/** `factor` times the number; a number beyond exact arithmetic stays as it is written, with its factor. */
export function scale(number: string, factor: number): string {
  if (factor === 1) return number
  if (number.length > 12) return `${number}*${factor}`
  return String(Math.round(Number(number) * factor * 1e6) / 1e6)
}
