// The plain text of an answer in Markdown or HTML, in which the finder of facts searches, with the way back
// to the answer.
import { decodeHTML } from 'entities/decode'
import { unifySigns } from '../text/fold.ts'
import { UNSPACED_UNITS } from './fact-words.ts'
import { mayHoldNumberWords, numberRules } from './number-words.ts'
import type { Language } from '../text/words.ts'

/** A text without markup. */
export interface PlainText {
  readonly text: string
  /** The index in the answer of an index in `text`. An end stands before markup that was removed there. */
  readonly originOf: (index: number, isEnd?: boolean) => number
  /** A part of `text` with its numbers in words, where the answer has them so. */
  readonly wordsOf: (start: number, end: number) => string
}

/** Addresses come first, and stay as they are: their signs are no markup. */
const ADDRESS = String.raw`(?<address>https?://[^\s<>"'()[\]{}|\\^*]+|(?<!\\)\\\\[\p{L}\p{N}][^\s"<>|*]*)`
const CITATION = [
  String.raw`\[\^[\p{L}\p{N}_-]{1,30}\]`,
  String.raw`\[(?:(?:doc|source|ref|quelle|fuente) ?)?\d{1,3}(?:(?:[,;:–-] ?)\d{1,3})*(?:†[^\]\n]{0,80})?\]`,
  String.raw`【(?:[^【】\n]{0,80}†[^【】\n]{0,80}|\d{1,3}(?:[:,]\d{1,3})*)】`,
].join('|')
/** Not after a unit of length, where it is an exponent: m². */
const RAISED = String.raw`(?:<[^<>]{1,200}>)?\[?\d{1,3}(?:, ?\d{1,3})*\]?(?:<\/[a-z]{1,9}>)?`
const RAISED_TAG = String.raw`(?<!(?<!\p{L})[kcm]?m)<sup>${RAISED}<\/sup>`
const BLOCK = 'p|br|li|ul|ol|div|tr|td|th|table|h[1-6]|blockquote|hr|section|pre'
const BLOCK_TAG = String.raw`</?(?:${BLOCK})(?:\s[^<>]*)?/?>`
const LINK_TAG = String.raw`<a\s[^<>]*?href=["']?(?<href>[^\s"'<>]+)[^<>]*>`
const TAG = String.raw`<!--[^]{0,2000}?-->|</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>`
const ENTITY = String.raw`(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)`
/** Headings, quotes, bullets, check boxes. */
const BULLET = String.raw`(?:#{1,6}|[-*+•–](?:[ \t]+\[[ x]\])?)[ \t]+`
const LINE_START = String.raw`^[ \t]*(?:(?:>[ \t]?)+(?:${BULLET})?|${BULLET})`
const EMPHASIS = '\\*+|~~|`+|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])'
const ESCAPE = String.raw`(?<!\\)\\(?=[!-/:-@[\]-${'`'}{-~])`
const MARKUP = new RegExp(
  [ADDRESS, RAISED_TAG, `(?<block>${BLOCK_TAG})`, LINK_TAG, TAG, ENTITY, CITATION]
    .concat(LINE_START, EMPHASIS, ESCAPE)
    .join('|'),
  'gimu',
)
/** Most answers have none of these, and need no search for markup. */
const MAY_BE_MARKUP = /[*_`~<&[\\【]|^[ \t]*[#>•+–-]/m

function withoutMarkup(_: string, { address, block, href, entity }: Groups): string {
  if (address !== undefined) return address.replaceAll('&amp;', '&')
  if (block !== undefined) return '\n'
  if (href !== undefined) return ` ${href} `
  return entity === undefined ? '' : decodeHTML(entity)
}

const FRACTIONS: Readonly<Record<string, string>> = {
  '½': '.5',
  '⅓': '.333',
  '⅔': '.667',
  '¼': '.25',
  '¾': '.75',
  '⅕': '.2',
  '⅖': '.4',
  '⅗': '.6',
  '⅘': '.8',
  '⅙': '.167',
  '⅚': '.833',
  '⅛': '.125',
  '⅜': '.375',
  '⅝': '.625',
  '⅞': '.875',
}
const FRACTION_SIGNS = Object.keys(FRACTIONS).join('')
const ASCII_FRACTIONS: Readonly<Record<string, string>> = { '1/2': '.5', '1/4': '.25', '3/4': '.75' }
const SIGNS = new RegExp(
  [
    `(?:(?<whole>\\d)[ \\u00a0\\u202f]?)?(?<fraction>[${FRACTION_SIGNS}])`,
    '(?<![\\d/])(?<mixed>\\d{1,3}) (?<ascii>1/2|1/4|3/4)(?![\\d/])',
    // Other raised digits are citations. Circled ones number a list.
    `(?<=(?<!\\p{L})[kcm]?m)(?<power>[²³])|(?<dropped>[¹²³⁰⁴-⁹]+|[①-⑳❶-➓]|[\\d#]\\ufe0f?\\u20e3)`,
    '(?<digits>(?![0-9])\\p{Nd})',
    '(?<separator>[٫٬٪])',
    `(?<other>[\\x00-\\x7f]?[^\\x00-\\x7f\\p{Nd}²³¹⁰⁴-⁹${FRACTION_SIGNS}٫٬٪①-⑳❶-➓]+)`,
  ].join('|'),
  'gu',
)
const SEPARATORS: Readonly<Record<string, string>> = { '٫': '.', '٬': ',', '٪': '%' }

function withAsciiSigns(whole: string, groups: Groups): string {
  const { fraction, mixed, ascii, power, dropped, digits, separator, other } = groups
  if (fraction !== undefined) return `${groups['whole'] ?? '0'}${FRACTIONS[fraction]}`
  if (ascii !== undefined) return `${mixed}${ASCII_FRACTIONS[ascii]}`
  if (power !== undefined) return power === '²' ? '2' : '3'
  if (dropped !== undefined) return ''
  if (digits !== undefined) return String(digitValue(digits))
  if (separator !== undefined) return SEPARATORS[separator] ?? ''
  return other === undefined ? whole : unifySigns(other)
}

/**
 * Unicode has the ten digits of a script one after the other, and no such row begins next to an incomplete
 * one.
 */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}' +
  '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u3001-\\u303f]'
const IS_UNSPACED = new RegExp(UNSPACED, 'u')
/** Scripts without spaces: a space is put around the number, and behind its unit. */
const APART = new RegExp(
  `(?<=\\d ?(?:${UNSPACED_UNITS}))(?![ 間])` +
    `|(?<=${UNSPACED})(?=[\\p{N}A-Za-z])|(?<=[\\p{N}A-Za-z])(?=${UNSPACED})`,
  'gu',
)

const WHITE_SPACE = /[^\S\n]*\n\s*|[^\S\n]{2,}|[^\S\n ]/g
const toSpace = (white: string): string => (white.includes('\n') ? '\n' : ' ')

type Groups = Readonly<Record<string, string | undefined>>
/** A change of the text: the rest behind `at` stands `by` characters further right than before. */
interface Shift {
  readonly at: number
  readonly by: number
  readonly isRemoval: boolean
}

/** Never throws; linear time. */
export function plainText(answer: string, language?: Language): PlainText {
  const steps: Shift[][] = []
  let text = answer
  const replace = (
    pattern: RegExp,
    of: (match: string, groups: Groups, at: number, text: string) => string,
  ): void => {
    const shifts: Shift[] = []
    let by = 0
    text = text.replace(pattern, (match: string, ...more: unknown[]) => {
      const groups = typeof more.at(-1) === 'object' ? (more.pop() as Groups) : {}
      const at = Number(more.at(-2))
      const written = of(match, groups, at, text)
      if (written.length !== match.length) {
        by += written.length - match.length
        shifts.push({ at: at + match.length + by, by, isRemoval: written === '' })
      }
      return written
    })
    if (shifts.length > 0) steps.push(shifts)
  }
  if (MAY_BE_MARKUP.test(text)) replace(MARKUP, withoutMarkup)
  // oxlint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]|\d [13]\//.test(text)) replace(SIGNS, withAsciiSigns)
  if (IS_UNSPACED.test(text)) replace(APART, () => ' ')
  replace(WHITE_SPACE, toSpace)
  const [words, before] = [text, steps.length]
  if (mayHoldNumberWords(text))
    for (const [pattern, digits] of numberRules(language))
      replace(pattern, (match, _, at, whole) => digits(match, at, whole))
  const originAt = (index: number, isEnd: boolean, from: number): number =>
    steps.slice(from).reduceRight((at, shifts) => originIn(at, shifts, isEnd), index)
  return {
    text,
    originOf: (index, isEnd = false) => originAt(index, isEnd, 0),
    wordsOf: (start, end) => words.slice(originAt(start, false, before), originAt(end, true, before)),
  }
}

/** The index before a step, of one after it. A binary search: a text may have many of both. */
function originIn(index: number, shifts: readonly Shift[], isEnd: boolean): number {
  const isBehind = ({ at, isRemoval }: Shift): boolean => (isEnd && isRemoval ? at < index : at <= index)
  let [low, high] = [0, shifts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const shift = shifts[middle]
    if (shift !== undefined && isBehind(shift)) low = middle + 1
    else high = middle
  }
  return index - (shifts[low - 1]?.by ?? 0)
}
