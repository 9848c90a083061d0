// Folding: two texts that a reader takes for the same become the same string.

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
  const folded = PLAIN.test(unified) ? unified.toLowerCase() : straighten(foldCase(unified).normalize('NFKC'))
  return folded.replaceAll(WHITE_SPACE, ' ').trim()
}

/** The same without folding case and white space. */
export function unifySigns(text: string): string {
  if (PLAIN.test(text)) return text
  const straight = straighten(text)
  return PLAIN.test(straight) ? straight : straighten(straight.replaceAll(INVISIBLE, '').normalize('NFKC'))
}

/** ASCII without the backtick, letters of Latin-1 but for ß, common signs: most texts. Of these, nothing but case and space folds. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-_a-\u007fÀ-ÖØ-Þà-öø-ÿ¡-§©®°±¶·¿€]*$/
/** Unicode's Default_Ignorable_Code_Point: what shows nothing even where a font lacks it. */
const INVISIBLE = /\p{DI}/gu
/** All but a space that stands alone, which is what it would become. U+0085 is a line break that `\s` does not know. */
const WHITE_SPACE = / [\s\u0085]+|(?! )[\s\u0085]+/g
/** Single quotes, double quotes, dots; else dashes and minus signs, but for the hyphen. */
const TYPOGRAPHIC =
  /([`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\u2035\u2039\u203a\uff07])|([\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02])|(…)|[^\P{Pd}-]|[\u2043\u2212]/gu

/** Before NFKC, which would take some signs apart (″ to two primes), and after it for what it brings forth. */
const straighten = (text: string): string =>
  text.replaceAll(TYPOGRAPHIC, (_, single?: string, double?: string, dots?: string) =>
    single !== undefined ? "'" : double !== undefined ? '"' : dots !== undefined ? '...' : '-',
  )

/**
 * JavaScript has no case folding; small, capital, small comes to the same (ẞ, ß, SS, ss). The dot is what
 * İ leaves above its i.
 */
const foldCase = (text: string): string =>
  text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/i\u0307+/g, 'i')
