// Folds texts, so that texts that look the same to a reader become the same string.
import { decodeHTMLStrict } from 'entities/decode'

/**
 * Folds case, white space, Unicode form and typographic signs. Independent of the locale; idempotent.
 * - Unicode NFKC: full-width letters, ligatures, and composed or decomposed accents become equal. Accents
 *   stay.
 * - Case folding through upper case: ß, ẞ and ss become equal, as do σ and ς. So do the dotted and dotless i
 *   of Turkish (İ, I, ı and i all become i), because people without a Turkish keyboard write one for the
 *   other.
 * - White space, including no-break and ideographic spaces, becomes single spaces, with none at the ends.
 * - Invisible signs (zero-width space and joiners, soft hyphen, direction marks) are removed.
 * - Quotes become ' and ", dashes and minus signs become -, and … becomes three dots.
 */
export function foldText(text: string): string {
  const unified = unifySigns(text)
  const folded = PLAIN.test(unified) ? unified.toLowerCase() : straighten(foldCase(unified).normalize('NFKC'))
  return folded.replaceAll(WHITE_SPACE, ' ').trim()
}

/** Folds as `foldText` does, but keeps case and white space. */
export function unifySigns(text: string): string {
  if (PLAIN.test(text)) return text
  const straight = straighten(text)
  return PLAIN.test(straight) ? straight : straighten(straight.replaceAll(INVISIBLE, '').normalize('NFKC'))
}

/** Most texts hold only ASCII without the backtick, Latin-1 letters without ß, and common signs. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-_a-\u007fÀ-ÖØ-Þà-öø-ÿ¡-§©®°±¶·¿€]*$/
const INVISIBLE = /\p{DI}/gu
/** Single spaces stay. U+0085 is a line break that `\s` does not match. */
const WHITE_SPACE = / [\s\u0085]+|(?! )[\s\u0085]+/g
const SINGLE = String.raw`[\x60\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]`
const DOUBLE = String.raw`[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02]`
/** A match without a group is a dash or a minus sign. */
const TYPOGRAPHIC = new RegExp(String.raw`(${SINGLE})|(${DOUBLE})|(…)|[^\P{Pd}-]|[\u2043\u2212]`, 'gu')

/** Runs before NFKC, which would decompose some signs (″ to two primes), and after it for those it makes. */
const straighten = (text: string): string =>
  text.replaceAll(TYPOGRAPHIC, (_, single?: string, double?: string, dots?: string) =>
    single !== undefined ? "'" : double !== undefined ? '"' : dots !== undefined ? '...' : '-',
  )

/** JavaScript has no case folding: lower, upper and lower case in turn give the same. U+0307 remains of İ. */
const foldCase = (text: string): string =>
  text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/i\u0307+/g, 'i')

/** Chinese, Japanese, Thai, Lao, Khmer and Burmese put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
export const isUnspaced = (text: string): boolean => UNSPACED.test(text)

/**
 * Leaves out the emphasis, links and tags of Markdown and HTML, and decodes HTML entities. Keeps case, white
 * space, and signs that are no markup: `2 * 3`, `snake_case`, `<your name>`.
 */
export function visibleText(text: string): string {
  if (!MARKUP.test(text)) return text
  const bare = RULES.reduce((rest, [pattern, kept]) => rest.replaceAll(pattern, kept), text)
  return decodeHTMLStrict(bare)
}

const MARKUP = /[<&*_~`\\[]/
const BLOCK =
  'address|article|blockquote|br|dd|details|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|summary' +
  '|table|tbody|td|tfoot|th|thead|tr|ul'
const INLINE =
  'a|abbr|b|cite|code|del|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var'
/** The order counts: what one rule keeps, another may still change. Each reads a text once. */
const RULES: readonly (readonly [pattern: RegExp, kept: string])[] = [
  [/<!--[^<>]*-->/g, ''],
  [new RegExp(`</?(?:${BLOCK})(?:\\s[^<>]*)?/?>`, 'gi'), ' '],
  [new RegExp(`</?(?:${INLINE})(?:\\s[^<>]*)?/?>`, 'gi'), ''],
  // <https://desk.example.com> and <help@example.com>.
  [/<((?:https?|mailto):[^<>\s]+|[^<>\s@]+@[^<>\s@]+)>/g, '$1'],
  [/!?\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1'],
  [/(?<![\\`])(`+)(?!`)([^`\n]+)\1(?!`)/g, '$2'],
  // Twice, for emphasis within emphasis.
  ...[0, 1].flatMap(() => [
    [/(?<![\\*])(\*{1,3})(?![\s*])([^*\n]*[^\s*])\1(?!\*)/g, '$2'] as const,
    [/(?<![\\\p{L}\p{N}_])(_{1,3})(?![\s_])([^_\n]*[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2'] as const,
  ]),
  [/~~(?![\s~])([^~\n]*[^\s~])~~/g, '$1'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
]
