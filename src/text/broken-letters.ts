// Finds letters that a tool broke when it read a text in another encoding than it was written in.

/** Windows-1252 and Latin-1 show the bytes behind the first of a character, 0x80 to 0xBF, as these. */
const NEXT = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]'
/** Behind a word in capitals these signs are ordinary: “MANHÔ, « Ă ». */
const ORDINARY = '[“”‘’…–—»\\u00a0]'

/**
 * Each first byte counts only with what is common behind it: `ß“`, `à »` and `É…` are good German and French.
 * Scripts whose every letter would look like a rare pair need two letters.
 */
const UTF8_AS_1252 = new RegExp(
  [
    // Latin letters (Ã¼), signs (Â°), and dashes, quotes and arrows (â€™, â†’).
    `(?!(?<=\\p{Lu})[ÂÃÄÅ]${ORDINARY}(?!\\p{L}))[ÂÃÄÅ]${NEXT}`,
    'È[\\u0098-\\u009b˜™š›]',
    `â[\\u0080-\\u009f€‚„†‡ˆ‰Š‹ŒœŽž•˜™š]${NEXT}`,
    // The byte order mark, U+FFFD, and emoji.
    'ï»¿|ï¿½|ð[Ÿ\\u009f]',
    // Greek, Cyrillic, Hebrew, Arabic.
    `(?:[ÎÏÐÑ×ØÙÚÛ]${NEXT}){2}`,
    // Other alphabets of Asia.
    `(?:[àáã-ì]${NEXT}{2}){2}`,
  ].join('|'),
  'u',
)
/** Excel on a Mac, and the console of Windows. */
const UTF8_AS_OTHERS = /√[§∂º©®±´†°¢£•ñúƒÑÖÜâäãåçü¶ß]|‚Ä[ôòúùìî¶¢]|├[ñ╝Â╢ƒ®í¡│║▒úñ]|ÔÇ[ÖôØ£]/u

export interface BrokenLetters {
  /** It is the word that the first of them stand in. */
  readonly word: string
  readonly index: number
  readonly cause: string
}

/** Undefined for most texts: a letter that is rare, but right, is not broken. */
export function findBroken(text: string): BrokenLetters | undefined {
  for (const [pattern, cause] of CAUSES) {
    const index = text.search(pattern)
    if (index === -1) continue
    const start = text.slice(Math.max(0, index - MAX_BEFORE), index).search(/[\p{L}\p{M}\p{N}]*$/u)
    const from = Math.max(0, index - MAX_BEFORE) + start
    const [word = ''] = /^.[^\s,;:"<>()]*/su.exec(text.slice(from, from + 2 * MAX_BEFORE)) ?? []
    return { word, index, cause }
  }
  return undefined
}

const MAX_BEFORE = 20

const misread = (encoding: string): string => `a tool read UTF-8 as ${encoding} and saved that`
const CAUSES = [
  [UTF8_AS_1252, misread('Windows-1252')],
  [UTF8_AS_OTHERS, misread('another encoding')],
  [/\ufffd/u, 'a tool lost letters, since it read another encoding as UTF-8'],
] as const
