// Folding: two texts that a reader takes for the same become the same string.
import { createSignTable, FOLDS_TO_ITS_SMALL_FORM, STAYS } from './plain-signs.ts'

/**
 * Case, white space, Unicode form and typographic signs folded; independent of any locale, idempotent.
 * - Unicode NFKC, so full-width letters, ligatures and composed or decomposed accents agree. Accents stay.
 * - Case by way of the capitals: ß, ẞ and ss agree, and so do σ and ς. Of the Turkish letters, dotted and
 *   dotless i agree (İ, I, ı and i are all i): who writes without the right keyboard means the same word.
 * - Runs of white space, no-break and ideographic space among them, become one space; none at the ends.
 * - Invisible signs (zero-width space and joiners, soft hyphen, marks of direction) are dropped.
 * - Quotes become ' and ", dashes and minus signs -, and … becomes three dots.
 */
export function fold(text: string): string {
  const unified = unifySigns(text)
  const folded = signs.areAll(unified, FOLDS_TO_ITS_SMALL_FORM)
    ? unified.toLowerCase()
    : straighten(foldCase(unified).normalize('NFKC'))
  return folded.replaceAll(WHITE_SPACE, ' ').trim()
}

/** The same without folding case and white space. */
export const unifySigns = (text: string): string =>
  signs.areAll(text, STAYS) ? text : (signs.replaceAll(text) ?? straighten(compose(text)))

const compose = (text: string): string => straighten(text.replaceAll(INVISIBLE, '')).normalize('NFKC')

/** Unicode's Default_Ignorable_Code_Point: what shows nothing even where a font lacks it. */
const INVISIBLE = /\p{DI}/gu
/**
 * All but a space that stands alone, which is what it would become: most do, and a fifth of the time is left without them.
 * U+0085 is a line break that `\s` does not know.
 */
const WHITE_SPACE = / [\s\u0085]+|(?! )[\s\u0085]+/g
const SINGLE_QUOTES = /[`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/g
const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02]/g
const DASHES = /[\p{Pd}\u2043\u2212]/gu

/** Before NFKC, which would take some signs apart (″ to two primes), and after it for what it brings forth. */
function straighten(text: string): string {
  return text.replaceAll(SINGLE_QUOTES, "'").replaceAll(DOUBLE_QUOTES, '"').replaceAll(DASHES, '-')
}

/**
 * JavaScript has no case folding; small, capital, small comes to the same (ẞ, ß, SS, ss). The dot is what
 * İ leaves above its i.
 */
function foldCase(text: string): string {
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/i\u0307+/g, 'i')
}

const signs = createSignTable({
  unified: (sign) => straighten(compose(sign)),
  folded: (sign) => straighten(foldCase(sign).normalize('NFKC')),
})
