// Words of scripts that are written without spaces.

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

export const isUnspaced = (text: string): boolean => UNSPACED.test(text)

/** What stands between two spaces, as words. The segmenter is slow, so it sees only what needs it. */
export function splitUnspaced(piece: string): string[] {
  if (!isUnspaced(piece)) return [piece]
  return Array.from(segmenter.segment(piece), ({ segment }) => segment)
}
