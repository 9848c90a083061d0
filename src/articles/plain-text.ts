// The plain text of an answer in Markdown or HTML, in which facts are found, with the way back to the answer.
import { decodeHTML } from 'entities/decode'
import { unifySigns } from '../text/fold.ts'
import { UNSPACED_UNITS } from './fact-words.ts'
import { TracedText, type Written } from './traced-text.ts'

/** Addresses come first, and stay as they are: their signs are no markup. */
const ADDRESS = String.raw`(?<address>https?://[^\s<>"'()[\]{}|\\^*]+|(?<!\\)\\\\[\p{L}\p{N}][^\s"<>|*]*)`
const CITATION = [
  String.raw`\[\^[\p{L}\p{N}_-]{1,30}\]`,
  String.raw`\[(?:(?:doc|source|ref|quelle|fuente) ?)?\d{1,3}(?:(?:[,;:–-] ?)\d{1,3})*(?:†[^\]\n]{0,80})?\]`,
  String.raw`【(?:[^【】\n]{0,80}†[^【】\n]{0,80}|\d{1,3}(?:[:,]\d{1,3})*)】`,
  // Not after a unit of length, where it is an exponent: m².
  String.raw`(?<!(?<!\p{L})[kcm]?m)<sup>(?:<[^<>]{1,200}>)?\[?\d{1,3}(?:, ?\d{1,3})*\]?` +
    String.raw`(?:<\/[a-z]{1,9}>)?<\/sup>`,
].join('|')
const BLOCK_TAG =
  String.raw`</?(?:p|br|li|ul|ol|div|tr|td|th|table|h[1-6]|blockquote|hr|section` +
  String.raw`|pre)(?:\s[^<>]*)?/?>`
const LINK_TAG = String.raw`<a\s[^<>]*?href=["']?(?<href>[^\s"'<>]+)[^<>]*>`
const TAG = String.raw`<!--[^]{0,2000}?-->|</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>`
const ENTITY = String.raw`(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)`
const BULLET = String.raw`(?:#{1,6}|[-*+•–](?:[ \t]+\[[ x]\])?)[ \t]+`
const LINE_START = String.raw`^[ \t]*(?:(?:>[ \t]?)+(?:${BULLET})?|${BULLET})`
/** "In category 2 **228 francs**" has two numbers. */
const EMPHASIS =
  '(?<apart>(?<=\\d )(?:\\*+|_+)(?=\\d))|\\*+|~~|`+|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])'
const ESCAPE = String.raw`(?<!\\)\\(?=[!-/:-@[\]-${'`'}{-~])`
const MARKUP = new RegExp(
  [ADDRESS, CITATION, `(?<block>${BLOCK_TAG})`, LINK_TAG, TAG, ENTITY, LINE_START, EMPHASIS, ESCAPE].join(
    '|',
  ),
  'gimu',
)
/** Most answers have none of these, and need no search for markup. */
const MAY_BE_MARKUP = /[*_`~<&[\\【]|^[ \t]*[#>•+–-]/m

const withoutMarkup: Written = ({ groups: { address, block, href, apart, entity } = {} }) => {
  if (address !== undefined) return address.replaceAll('&amp;', '&')
  if (block !== undefined) return '\n'
  if (href !== undefined) return ` ${href} `
  if (apart !== undefined) return '*'
  return entity === undefined ? '' : decodeHTML(entity)
}

const FRACTIONS: ReadonlyMap<string, string> = new Map(
  '½.5 ⅓.333 ⅔.667 ¼.25 ¾.75 ⅕.2 ⅖.4 ⅗.6 ⅘.8 ⅙.167 ⅚.833 ⅛.125 ⅜.375 ⅝.625 ⅞.875 1/2.5 1/4.25 3/4.75'
    .split(' ')
    .map((row) => [row.slice(0, row.indexOf('.')), row.slice(row.indexOf('.'))]),
)
const SIGNS = new RegExp(
  '(?:(?<whole>\\d)[ \\u00a0\\u202f]?)?(?<fraction>[½⅓⅔¼¾⅕-⅞])' +
    '|(?<![\\d/])(?<mixed>\\d{1,3}) (?<ascii>1/2|[13]/4)(?![\\d/])' +
    // Other raised digits are citations. Circled ones number a list.
    '|(?<=(?<!\\p{L})[kcm]?m)(?<power>[²³])|(?<dropped>[¹²³⁰⁴-⁹]+|[①-⑳❶-➓]|[\\d#]\\ufe0f?\\u20e3)' +
    '|(?<digit>(?![0-9])\\p{Nd})|(?<separator>[٫٬٪])|\\P{M}\\p{M}+|[^\\x00-\\x7f]',
  'gu',
)

const withAsciiSigns: Written = ({ 0: found, groups = {} }) => {
  const { whole, fraction, mixed, ascii, power, dropped, digit, separator } = groups
  if (fraction !== undefined) return `${whole ?? '0'}${FRACTIONS.get(fraction)}`
  if (ascii !== undefined) return `${mixed}${FRACTIONS.get(ascii)}`
  if (power !== undefined) return power === '²' ? '2' : '3'
  if (dropped !== undefined) return ''
  if (separator !== undefined) return separator === '٫' ? '.' : separator === '٬' ? ',' : '%'
  if (digit === undefined) return unifySigns(found)
  // Unicode has the ten digits of a script in a row, and no row begins next to an incomplete one.
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - before - 1))) before += 1
  return String(before % 10)
}

const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}' +
  '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u3001-\\u303f]'
const IS_UNSPACED = new RegExp(UNSPACED, 'u')
/** Scripts without spaces need a space around the number, and behind its unit. */
const BOUND = new RegExp(
  `(?<=\\d ?(?:${UNSPACED_UNITS}))(?![ 間])` +
    `|(?<=${UNSPACED})(?=[\\p{N}A-Za-z])|(?<=[\\p{N}A-Za-z])(?=${UNSPACED})`,
  'gu',
)

/** Removes markup and unifies signs. Never throws; linear time. */
export function plainText(answer: string): TracedText {
  const text = new TracedText(answer)
  if (MAY_BE_MARKUP.test(answer)) text.replace(MARKUP, withoutMarkup)
  // oxlint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]|\d [13]\//.test(text.text)) text.replace(SIGNS, withAsciiSigns)
  if (IS_UNSPACED.test(text.text)) text.replace(BOUND, ' ')
  return text.replace(/[^\S\n]*\n\s*|[^\S\n]{2,}|[^\S\n ]/g, ([white]) => (white.includes('\n') ? '\n' : ' '))
}
