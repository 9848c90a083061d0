// What a question is about: its terms, each under a key that its forms share.
import { stemmer } from 'stemmer'
import { fold } from '../grading/fold.ts'
import { isUnspaced, splitUnspaced } from '../segments.ts'
import { GERMAN_ONLY, STOP_WORDS } from './stop-words.ts'

export interface Term {
  /** The same for "password" and "passwords". */
  readonly key: string
  /** As the question writes it. */
  readonly surface: string
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
const HIRAGANA_ONLY = /^\p{sc=Hiragana}+$/u

/** In order, with repetitions; without stop words, single letters and small numbers. */
export function termsOf(text: string): Term[] {
  const words = Array.from(text.matchAll(WORD), ([word]) => word).flatMap(splitUnspaced)
  const plain = words.map((surface) => ({ surface, folded: fold(surface).replaceAll("'", '') }))
  const isEnglish = !plain.some(({ folded }) => GERMAN_ONLY.has(folded) || /[^\p{ASCII}]/u.test(folded))
  return plain.flatMap(({ surface, folded }) =>
    isTelling(folded) ? [{ key: keyOf(folded, isEnglish), surface }] : [],
  )
}

function isTelling(word: string): boolean {
  if (STOP_WORDS.has(word) || /^\d{1,2}$/.test(word)) return false
  // Japanese writes its grammar in hiragana.
  return isUnspaced(word) ? !HIRAGANA_ONLY.test(word) : /[\p{L}\p{N}]{2}/u.test(word)
}

/**
 * English by its stem (Porter). Of other languages no stemmer is at hand that serves them all: accents are dropped
 * and five letters kept, which does nearly as well (Can et al. 2008, "Information Retrieval on Turkish Texts").
 */
function keyOf(word: string, isEnglish: boolean): string {
  if (isUnspaced(word)) return word
  if (isEnglish) return stemmer(word)
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, 5)
}
