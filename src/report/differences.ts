// Differences between two runs in words: with their sign, their interval, and whether they are more than noise.
import type { MeasuredDifference } from '../domain/comparison/comparison.ts'
import { digits } from '../domain/text.ts'
import { duration } from './numbers.ts'

/** A share's difference in percentage points. */
export const points = (difference: number): string => inPoints(signed(difference * 100, toTenths))

/** `−4.2 points, −8.1 to −0.3`: the estimate and its 95 % interval. */
export const pointsInterval = (difference: MeasuredDifference | null): string =>
  withInterval(difference, points, (bound) => signed(bound * 100, toTenths))

export const durationInterval = (difference: MeasuredDifference | null): string =>
  withInterval(difference, signedDuration, signedDuration)

/** Milliseconds. */
export const signedDuration = (ms: number): string => signed(ms, duration)

/** A count or mean. */
export const signedNumber = (value: number): string => signed(value, shortNumber)

/** Two decimals at most. */
export const shortNumber = (value: number): string => digits(Number(value.toFixed(2)))

function withInterval(
  difference: MeasuredDifference | null,
  whole: (value: number) => string,
  bound: (value: number) => string,
): string {
  if (difference === null) return 'n/a'
  const { estimate, low, high } = difference
  if (low !== null && high !== null) return `${whole(estimate)}, ${bound(low)} to ${bound(high)}`
  return `${whole(estimate)} (too few threads for an interval)`
}

export function pValue(p: number | null): string {
  if (p === null) return 'n/a'
  return p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`
}

function signed(value: number, format: (size: number) => string): string {
  const size = format(Math.abs(value))
  // What rounds to nothing has no sign.
  if (Number.parseFloat(size) === 0) return size
  return `${value < 0 ? '−' : '+'}${size}`
}

const toTenths = (value: number): string => value.toFixed(1)
const inPoints = (number: string): string => `${number} ${/^[+−]?1\.0$/.test(number) ? 'point' : 'points'}`
