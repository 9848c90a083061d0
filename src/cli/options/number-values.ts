// Option values that are numbers, from text to meaning.
import { digits } from '../../domain/digits.ts'
import { formedValue } from './form.ts'
import { atMost, below, NOT_ZERO } from './ranges.ts'

/** `0.5`, `.5`, `2` */
const DECIMAL = String.raw`\d*\.?\d+`
/** Smaller ones of YAML have an exponent as a text, and no text with an exponent is a number here. */
const SMALLEST = 0.000_001

const MOST = 999_999_999_999_999
/** A whole number from 1 to `most`. */
const countForm = (most: number): string => NOT_ZERO + below(most + 1) + String.raw`\d+`

export const countValue = countUpTo(MOST, `must be a whole number from 1 to ${digits(MOST)}`)

export function countUpTo(most: number, words: string) {
  const number = { type: 'integer', minimum: 1, maximum: most }
  return formedValue({ text: countForm(most), number }, words, Number)
}

export const seedValue = formedValue(
  { text: String.raw`\d{1,9}`, number: { type: 'integer', minimum: 0, maximum: 999_999_999 } },
  'must be a whole number of at most 9 digits',
  Number,
)

/** More connections to one origin than a process has file descriptors for would only fail later. */
const MOST_CONCURRENT = 1024

export const concurrencyValue = formedValue(
  {
    text: `auto|${countForm(MOST_CONCURRENT)}`,
    number: { type: 'integer', minimum: 1, maximum: MOST_CONCURRENT },
  },
  `must be auto or a whole number from 1 to ${MOST_CONCURRENT}`,
  (text): 'auto' | number => (text === 'auto' ? text : Number(text)),
)

export const shareValue = formedValue(
  { text: NOT_ZERO + atMost(1) + DECIMAL, number: { type: 'number', minimum: SMALLEST, maximum: 1 } },
  'must be a number above 0 and up to 1, like 0.5',
  (text) => (Number(text) > 0 && Number(text) <= 1 ? Number(text) : undefined),
)

export const levelValue = formedValue(
  {
    text: NOT_ZERO + below(1) + DECIMAL,
    number: { type: 'number', minimum: SMALLEST, exclusiveMaximum: 1 },
  },
  'must be a number between 0 and 1, like 0.05',
  (text) => (Number(text) > 0 && Number(text) < 1 ? Number(text) : undefined),
)

/** Percentage points, as a share: `2`, `2%`. */
export const pointsValue = formedValue(
  { text: String.raw`${atMost(100)}\d+(?:\.\d+)?\s*%?`, number: noneOrUpTo(100) },
  'must be a number of percentage points, like 2 or 0.5',
  (text) => Number(text.replace('%', '')) / 100,
)

/** `80%`, `0.8`. */
export const shareOfAllValue = formedValue(
  {
    text: String.raw`${atMost(100)}${DECIMAL}\s*%|${atMost(1)}${DECIMAL}`,
    number: noneOrUpTo(1),
  },
  'must be a share, like 80% or 0.8',
  (text) => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)),
)

function noneOrUpTo(most: number) {
  return { anyOf: [{ const: 0 }, { type: 'number', minimum: SMALLEST, maximum: most }] }
}
