// Option values that are numbers, from text to meaning.
import { formedValue } from './form.ts'

/** Of numbers that are written without a sign: another than 0. */
export const NOT_ZERO = String.raw`(?=[\d.]*[1-9])`
/** `0.5`, `.5`, `2` */
const DECIMAL = String.raw`\d*\.?\d+`

const MOST = 999_999_999_999_999
const COUNT = String.raw`(?!\d{16})0*[1-9]\d*`

export const countValue = countUpTo(MOST, 'must be a whole number from 1 on')

export function countUpTo(most: number, words: string) {
  const number = { type: 'integer', minimum: 1, maximum: most }
  return formedValue({ text: COUNT, number }, words, (text) =>
    Number(text) <= most ? Number(text) : undefined,
  )
}

/** `2`, `0.5`: above 0. */
export const amountValue = formedValue(
  {
    text: String.raw`${NOT_ZERO}\d{0,9}(?:\.\d{1,6})?`,
    number: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e9 },
  },
  'must be a number above 0, like 2 or 0.5',
  Number,
)

export const seedValue = formedValue(
  { text: String.raw`\d{1,9}`, number: { type: 'integer', minimum: 0, maximum: 999_999_999 } },
  'must be a whole number of at most 9 digits',
  Number,
)

/** More connections to one origin than a process has file descriptors for would only fail later. */
const MOST_CONCURRENT = 1024

export const concurrencyValue = formedValue(
  {
    text: String.raw`auto|\d{1,5}`,
    number: { type: 'integer', minimum: 1, maximum: MOST_CONCURRENT },
  },
  `must be auto or a whole number from 1 to ${MOST_CONCURRENT}`,
  (text): 'auto' | number | undefined => {
    if (text === 'auto') return text
    return Number(text) >= 1 && Number(text) <= MOST_CONCURRENT ? Number(text) : undefined
  },
)

export const shareValue = formedValue(
  { text: DECIMAL, number: { type: 'number', exclusiveMinimum: 0, maximum: 1 } },
  'must be a number above 0 and up to 1, like 0.5',
  (text) => (Number(text) > 0 && Number(text) <= 1 ? Number(text) : undefined),
)

/** A count or a percentage, kept as written. */
export const allowanceValue = formedValue(
  {
    text: String.raw`\d{1,15}|\d+(?:\.\d+)?%`,
    number: { type: 'integer', minimum: 0, maximum: MOST },
  },
  'must be a whole number of turns or a percentage, like 3 or 2%',
  (text) => (text.endsWith('%') && Number(text.slice(0, -1)) > 100 ? undefined : text),
)

export const confirmValue = formedValue(
  { text: String.raw`\d{1,2}`, number: { type: 'integer', minimum: 0, maximum: 99 } },
  'must be a whole number from 0 to 99',
  Number,
)

export const levelValue = formedValue(
  { text: DECIMAL, number: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 } },
  'must be a number between 0 and 1, like 0.05',
  (text) => (Number(text) > 0 && Number(text) < 1 ? Number(text) : undefined),
)

/** Percentage points, as a share: `2`, `2%`. */
export const pointsValue = formedValue(
  { text: String.raw`\d+(?:\.\d+)?\s*%?`, number: { type: 'number', minimum: 0, maximum: 100 } },
  'must be a number of percentage points, like 2 or 0.5',
  (text) => {
    const points = Number(text.replace('%', ''))
    return points <= 100 ? points / 100 : undefined
  },
)

/** `80%`, `0.8`. */
export const shareOfAllValue = formedValue(
  { text: String.raw`${DECIMAL}\s*%?`, number: { type: 'number', minimum: 0, maximum: 1 } },
  'must be a share, like 80% or 0.8',
  (text) => {
    const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
    return share <= 1 ? share : undefined
  },
)
