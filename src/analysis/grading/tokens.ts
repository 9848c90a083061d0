// The words of a text as the SQuAD evaluation counts them, in any script.
import { isUnspaced, splitUnspaced } from '../segments.ts'
import { fold } from './fold.ts'

/** Only English ones, as in SQuAD. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** Long dashes and dots stand between words even where no space does. */
const SEPARATING = /[\u2013-\u2015\u2026]/g
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g
const OTHER_SIGNS = /[\p{P}\p{S}\p{C}]/gu

/**
 * Lower case, without punctuation (deleted, so "e-mail" is "email" and "U.S." is "us"), without the articles a,
 * an, the; words in order. Source: `normalize_answer` of the SQuAD evaluation script (Rajpurkar et al. 2016,
 * "SQuAD: 100,000+ Questions for Machine Comprehension of Text"), which this equals on ASCII. Beyond ASCII, case
 * is folded (`fold`), other punctuation and symbols separate words, and scripts without spaces are segmented.
 * `known`: what `fold` makes of the text, where somebody knows.
 */
export function tokensOf(text: string, known?: string): string[] {
  const separated = text.replaceAll(SEPARATING, ' ')
  const folded = known === undefined || separated !== text ? fold(separated) : known
  // Folded, a text has no other white space than single spaces.
  const words = folded.replaceAll(ASCII_PUNCTUATION, '').replaceAll(OTHER_SIGNS, ' ').split(' ')
  // The whole text is asked first: hardly any has such words.
  const apart = isUnspaced(folded) ? words.flatMap(splitUnspaced) : words
  return apart.filter((word) => word !== '' && !ARTICLES.has(word))
}
