// Numbers in words by how well they are known: no digit more than the uncertainty leaves, thousands grouped.
import type { Estimate } from '../domain/limit.ts'

/** More than these no record of calls can bear, however narrow its interval. */
const MOST_DIGITS = 3
/** A tenth as computers have it is a little less, and would cost a digit more. */
const NUDGE = 1.001

/** `1,000`; `2.5`. */
export function grouped(value: number, decimals = 0): string {
  return new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)
}

export interface Spoken {
  readonly value: string
  /** `4.9 to 5.1`, `at least 4.9`; empty where the value says it all. */
  readonly span: string
}

/** The last digit is of the size of half the interval. `times`: for another unit. */
export function speak(estimate: Estimate, times = 1): Spoken {
  const value = estimate.value * times
  const low = estimate.low * times
  const high = estimate.high === null ? null : estimate.high * times
  const doubt = high === null ? value - low : (high - low) / 2
  const isCount = [value, low, high].every(Number.isInteger)
  const decimals = isCount ? 0 : doubt > 0 ? decimalsFor(doubt, value) : decimalsOfExact(value)
  const round = (one: number): string => grouped(one, decimals)
  if (high === null) return { value: round(value), span: `at least ${round(low)}` }
  const isSharp = round(low) === round(high)
  return { value: round(value), span: isSharp ? '' : `${round(low)} to ${round(high)}` }
}

function decimalsFor(doubt: number, value: number): number {
  const most = value > 0 ? MOST_DIGITS - 1 - Math.floor(Math.log10(value)) : MOST_DIGITS
  return Math.max(0, Math.min(most, -Math.floor(Math.log10(doubt * NUDGE))))
}

function decimalsOfExact(value: number): number {
  const short = Number(value.toPrecision(MOST_DIGITS))
  return Number.isInteger(value) ? 0 : (String(short).split('.')[1]?.length ?? 0)
}

/** `60`, `60 (58 to 63)`. */
export function withSpan(estimate: Estimate): string {
  const { value, span } = speak(estimate)
  return span === '' ? value : `${value} (${span})`
}
