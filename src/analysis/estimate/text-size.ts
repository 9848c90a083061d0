// Words by white space and characters by code point of a text, gone through once and without cutting it up.

export interface TextSize {
  readonly words: number
  readonly characters: number
}

export function sizeOf(text: string): TextSize {
  let [words, pairs] = [0, 0]
  let [isInWord, isAfterHigh] = [false, false]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isSpace = code <= 0x20 ? isAsciiSpace(code) : code >= 0xa0 && OTHER_SPACES.has(code)
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
    // Two units are one character, and the second of them is no first.
    if (isAfterHigh && isLow(code)) pairs += 1
    isAfterHigh = isHigh(code)
  }
  return { words, characters: text.length - pairs }
}

const isAsciiSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/** Those of the regular expression `\s` beyond ASCII. */
const OTHER_SPACES = new Set(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
    .split('')
    .map((sign) => sign.charCodeAt(0)),
)

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
