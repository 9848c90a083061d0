// What kind each sign of a text is, looked up in a table.

export const OTHER = 1
export const WHITE = 2
export const LETTER = 3
/** A capital letter. */
export const CAPITAL = 4
/** An ASCII digit. */
export const DIGIT = 5
/** Any other number. */
export const NUMERAL = 6
/** Half of a letter, a number or a picture beyond the basic plane, or a letter to some patterns only: all is possible. */
export const UNSURE = 7

export type SignKind =
  typeof OTHER | typeof WHITE | typeof LETTER | typeof CAPITAL | typeof DIGIT | typeof NUMERAL | typeof UNSURE

/** Of each UTF-16 code unit met so far; 0: not met yet. */
const kinds = new Uint8Array(0x1_0000)

/** Beyond the end of the text, `OTHER`. */
export function kindAt(text: string, offset: number): SignKind {
  if (offset >= text.length) return OTHER
  const code = text.charCodeAt(offset)
  const known = kinds[code] as SignKind | 0
  if (known !== 0) return known
  const kind = classify(code)
  kinds[code] = kind
  return kind
}

function classify(code: number): SignKind {
  if (code >= 0xd800 && code <= 0xdfff) return UNSURE
  const sign = String.fromCharCode(code)
  if (/\s/.test(sign)) return WHITE
  if (/\d/.test(sign)) return DIGIT
  if (/\p{N}/u.test(sign)) return NUMERAL
  if (/\p{Lu}/u.test(sign)) return CAPITAL
  if (/\p{L}/u.test(sign)) return LETTER
  // U+0345 is a mark, but the small form of a letter where case does not matter.
  return /\p{L}/iu.test(sign) ? UNSURE : OTHER
}

export const isLetter = (kind: SignKind): boolean => kind === LETTER || kind === CAPITAL
/** Part of a word, as far as one code unit tells. */
export const isOfWord = (kind: SignKind): boolean => kind >= LETTER
