// An answer, read: its facts with their places in the tidied text.
import { unifySigns } from '../../grading/fold.ts'
import { finderOf, type FoundFact } from './find.ts'
import type { Fact } from './rule.ts'
import { RULES } from './rules.ts'

const finder = finderOf(RULES)

export interface Reading {
  /** The answer, tidied: what the places are offsets of. */
  readonly text: string
  /** In the order of the text. */
  readonly found: readonly FoundFact[]
}

/** Never throws; linear time. */
export function readingOf(answer: string): Reading {
  const text = tidy(answer)
  return { text, found: finder(text) }
}

/** Two facts with one key are one fact. */
export const keyOf = ({ kind, value }: Fact): string => `${kind} ${value}`

/** One sign for all that look alike, one space for all white space but line breaks, none at the ends of lines. */
const tidy = (answer: string): string =>
  unifySigns(withDecimals(answer))
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()

const DECIMALS: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' }

/** "1½" and "1 ½" to "1.5", "½" to "0.5": the Unicode forms would make "11/2" of the first. */
const withDecimals = (text: string): string =>
  /[½¼¾]/.test(text)
    ? text.replaceAll(
        /(\d?)(?:(?<=\d)[ \u00a0\u202f])?([½¼¾])/g,
        (_, digit: string, fraction: string) => `${digit || '0'}${DECIMALS[fraction] ?? ''}`,
      )
    : text
