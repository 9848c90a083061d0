// Splits texts in any script into words, and measures the similarity of two texts by their words.
import { countEach } from '../../domain/counts.ts'
import { foldText, isUnspaced } from '../../text/fold.ts'

/**
 * Token F1 is the harmonic mean of precision and recall of shared words, 0 to 1. Source: `f1_score` and
 * `compute_f1` of the SQuAD evaluation scripts 1.1 and 2.0 (Rajpurkar et al. 2016, 2018); as in 2.0, two
 * texts without words are equal.
 */
export function tokenF1(some: readonly string[], others: readonly string[]): number {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? 1 : 0
  const left = countEach(some)
  let shared = 0
  for (const word of others) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared += 1
  }
  // 2pr / (p + r) with p = shared / some and r = shared / others.
  return (2 * shared) / (some.length + others.length)
}

/** Finds folded texts word for word: "7 days" does not stand in "27 days", nor "5 days" in "1.5 days". */
export function standsIn(reference: string, answer: string): boolean {
  const phrase = reference.replaceAll(OUTER, '')
  if (phrase === '') return false
  const near = isUnspaced(phrase) ? NUMBER : LETTER
  for (let at = answer.indexOf(phrase); at !== -1; at = answer.indexOf(phrase, at + 1)) {
    const [before, after] = [answer.slice(0, at).slice(-2), answer.slice(at + phrase.length).slice(0, 2)]
    if (!near.before.test(before) && !near.after.test(after)) return true
  }
  return false
}

const OUTER = /^[\s"'([]+|[\s"')\].,:;!?。]+$/gu
/** These signs make the word beside them a part of another. Letters do not in scripts without spaces. */
const LETTER = {
  before: /[\p{L}\p{M}\p{N}_]$|[\p{N}][.,:]$|[-+]$/u,
  after: /^[\p{L}\p{M}\p{N}_]|^[.,:-]\p{N}/u,
}
const NUMBER = { before: /\p{N}[.,:]?$|[-+]$/u, after: /^[.,:-]?\p{N}/u }

/** SQuAD takes out English articles only. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])
/** Long dashes and dots separate words even without spaces. */
const SEPARATING = /[\u2013-\u2015\u2026]/g
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g
const OTHER_SIGNS = /[\p{P}\p{S}\p{C}]/gu

/**
 * Deletes punctuation ("U.S." is "us") and articles. Source: `normalize_answer` of SQuAD's evaluation script
 * (Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of Text"), and equal to it on
 * ASCII. `known`: the folded text, if the caller has it.
 */
export function tokensOf(text: string, known?: string): string[] {
  const separated = text.replaceAll(SEPARATING, ' ')
  const folded = known === undefined || separated !== text ? foldText(separated) : known
  // The only white space of a folded text is single spaces.
  const words = folded.replaceAll(ASCII_PUNCTUATION, '').replaceAll(OTHER_SIGNS, ' ').split(' ')
  // Tests the whole text first, because few texts have such words.
  const tokens = isUnspaced(folded) ? words.flatMap(splitUnspaced) : words
  return tokens.filter((token) => token !== '' && !ARTICLES.has(token))
}

/** Created for the first text that needs it, because a process takes 10 ms to create its first segmenter. */
let segmenter: Intl.Segmenter | undefined

/** The segmenter is slow, so it runs only for scripts that need it. */
function splitUnspaced(piece: string): string[] {
  if (!isUnspaced(piece)) return [piece]
  const words = (segmenter ??= new Intl.Segmenter('en', { granularity: 'word' }))
  // In pieces: its time is quadratic, and no clause is longer.
  const parts = piece.match(/[^]{1,1000}/gu) ?? []
  return parts.flatMap((part) => Array.from(words.segment(part), ({ segment }) => segment))
}
