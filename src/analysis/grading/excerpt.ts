// A piece of an answer or an expectation for a sentence: short, on one line, in quotes.
import { fold } from './fold.ts'

const LONGEST = 120

/** The beginning of a text. */
export function quoteStart(text: string, most = LONGEST): string {
  return quoteAround(text, 0, most)
}

/** What stands around a place in a text; `at` counts UTF-16 units. */
export function quoteAround(text: string, at: number, most = LONGEST): string {
  if (text.trim() === '') return '(empty)'
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), text.length - most))
  const to = from + most
  // Half a surrogate pair at a cut would be written as a replacement character.
  const piece = text.slice(isLow(text, from) ? from + 1 : from, isLow(text, to) ? to - 1 : to)
  const line = piece.replaceAll(/\s+/g, ' ').trim()
  return `'${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}'`
}

const isLow = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.charAt(at))

/**
 * Where in a text stands what begins at `place` of its folding. Folding changes lengths but keeps the order, so
 * the place is found by halving; off by a sign or two where folding merges signs, which an excerpt does not mind.
 */
export function unfoldedPlace(text: string, place: number): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fold(text.slice(0, middle)).length < place) low = middle + 1
    else high = middle
  }
  return low
}
