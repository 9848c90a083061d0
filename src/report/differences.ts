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
  // The same threads bound both ends: where one is missing, the few of them are why.
  if (low !== null) return `${whole(estimate)}, ${bound(low)} or more (too few threads)`
  if (high !== null) return `${whole(estimate)}, ${bound(high)} or less (too few threads)`
  return `${whole(estimate)} (too few threads to bound it)`
}

export function pValue(p: number | null): string {
  if (p === null) return 'n/a'
  return p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`
}

/** Which way is worse. */
export type WorseWhen = 'lower' | 'higher'

/** Whether a difference is more than chance makes, at the given level; `''` where there is no difference to judge. */
export function describeNoise(
  difference: MeasuredDifference | null,
  p: number | null,
  level: number,
  worseWhen: WorseWhen,
): string {
  if (difference === null) return ''
  const { estimate, low, high } = difference
  if (p === null && (low === null || high === null)) return 'cannot be told'
  const isReal = p === null ? (low ?? 0) > 0 || (high ?? 0) < 0 : p < level
  const evidence = p === null ? '' : ` (${pValue(p)})`
  if (!isReal || estimate === 0) return `no${evidence}`
  return `yes, ${estimate < 0 === (worseWhen === 'lower') ? 'worse' : 'better'}${evidence}`
}

/** `30 to 42 calls`; `30 calls` where both ends are one. */
export function range(min: number, max: number, one: string): string {
  const [low, high] = [shortNumber(min), shortNumber(max)]
  return low === high ? `${low} ${low === '1' ? one : `${one}s`}` : `${low} to ${high} ${one}s`
}

function signed(value: number, format: (size: number) => string): string {
  const size = format(Math.abs(value))
  // What rounds to nothing has no sign.
  if (Number.parseFloat(size) === 0) return size
  return `${value < 0 ? '−' : '+'}${size}`
}

const toTenths = (value: number): string => value.toFixed(1)
const inPoints = (number: string): string => `${number} ${/^[+−]?1\.0$/.test(number) ? 'point' : 'points'}`
