// A text cut into words or sentences, each with the white space after it, so that nothing is lost.

/** Put together, the pieces of a text are the text again. */
export interface Piece {
  /** What is compared. */
  readonly core: string
  /** White space after it. */
  readonly tail: string
}

const LETTER = '[\\p{L}\\p{N}\\p{M}]'
/** What stands within amounts, times, dates, addresses and compounds. */
const JOINING = "[.,:/@_'’?&=#%+~-]"
/** A word, or a single other sign. White space alone stands at the beginning of a text only. */
const WORD = new RegExp(`(${LETTER}+(?:${JOINING}{1,3}${LETTER}+)*|\\S|^(?=\\s))(\\s*)`, 'gu')
const SENTENCE = /([^.!?…。！？\n]+[.!?…。！？]*|[.!?…。！？]+|^(?=\s))(\s*)/gu

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese: words without spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Made for the first text that needs it: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

const cut = (text: string, pattern: RegExp): Piece[] =>
  Array.from(text.matchAll(pattern), ([, core = '', tail = '']) => ({ core, tail }))

export const wordsOf = (text: string): Piece[] =>
  cut(text, WORD).flatMap((piece) => (UNSPACED.test(piece.core) ? segments(piece) : [piece]))

export const sentencesOf = (text: string): Piece[] => cut(text, SENTENCE)

/** The segmenter is slow, so it sees only what needs it. */
function segments({ core, tail }: Piece): Piece[] {
  // Absent in older browsers, where signs stand for words.
  if ('Segmenter' in Intl) segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const words =
    segmenter === undefined ? Array.from(core) : Array.from(segmenter.segment(core), ({ segment }) => segment)
  return words.map((word, place) => ({ core: word, tail: place === words.length - 1 ? tail : '' }))
}
