// Words of scripts that are written without spaces.

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Made for the first text that needs it: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

export const isUnspaced = (text: string): boolean => UNSPACED.test(text)

/** What stands between two spaces, as words. The segmenter is slow, so it sees only what needs it. */
export function splitUnspaced(piece: string): string[] {
  if (!isUnspaced(piece)) return [piece]
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return Array.from(segmenter.segment(piece), ({ segment }) => segment)
}
