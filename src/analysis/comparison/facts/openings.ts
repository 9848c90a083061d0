// The words that rules begin with, found by their first three letters.

/** a to z, the letters of German words and the dollar of "us$", whatever their case; 0 for all else. */
const letters = new Uint8Array(0x1_0000)
for (const [place, letter] of 'abcdefghijklmnopqrstuvwxyzäöü$'.split('').entries()) {
  letters[letter.charCodeAt(0)] = place + 1
  letters[letter.toUpperCase().charCodeAt(0)] = place + 1
}

/** The three letters from an offset as one number below 32768; what is no letter is 0, as is the end of the text. */
const keyAt = (text: string, offset: number): number =>
  (letterAt(text, offset) << 10) | (letterAt(text, offset + 1) << 5) | letterAt(text, offset + 2)

const letterAt = (text: string, offset: number): number =>
  offset < text.length ? (letters[text.charCodeAt(offset)] ?? 0) : 0

/** Of three letters, the bits of the lists that have a word with this beginning. */
export type Openings = Uint32Array

/** `lists`: words of two letters or more, with the bit that stands for them. Without regard to case. */
export function openingsOf(lists: ReadonlyMap<readonly string[], number>): Openings {
  const openings = new Uint32Array(0x8000)
  for (const [words, bit] of lists) {
    for (const word of words) {
      const key = keyAt(word, 0)
      // Two letters stand for whatever comes third.
      for (let third = 0; third < (word.length > 2 ? 1 : 32); third += 1)
        openings[key | third] = (openings[key | third] ?? 0) | bit
    }
  }
  return openings
}

/** The bits of the lists that the word at an offset may be of. */
export const openingAt = (openings: Openings, text: string, offset: number): number =>
  openings[keyAt(text, offset)] ?? 0
