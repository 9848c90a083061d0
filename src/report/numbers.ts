// Figures in words: shares, durations, counts.
import { digits, rounded } from '../domain/text.ts'

export const percent = (share: number | null): string => (share === null ? 'n/a' : `${tenths(share * 100)} %`)

/** Of more than a number holds to a tenth, rounded. */
const tenths = (value: number): string =>
  Math.abs(value) * 10 > Number.MAX_SAFE_INTEGER ? rounded(value) : digits(value.toFixed(1))

export function duration(ms: number | null): string {
  if (ms === null) return 'n/a'
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  const seconds = Math.floor((ms % 60_000) / 1000)
  if (minutes < 60) return `${minutes} min ${seconds} s`
  const hours = Math.floor(minutes / 60)
  return hours < HOURS_TOLD ? `${hours} h ${minutes % 60} min` : longSpan(hours)
}

/** Two days; more hours than that nobody counts. */
const HOURS_TOLD = 48
const HOURS_A_YEAR = 365.25 * 24

/** `3 days 4 h`, `43 days`, `2.4 years`, `40,742 years`. */
function longSpan(hours: number): string {
  const years = hours / HOURS_A_YEAR
  if (years >= 10) return `${digits(Math.round(years))} years`
  if (years >= 2) return `${years.toFixed(1)} years`
  const [days, left] = [Math.floor(hours / 24), hours % 24]
  return days < 10 && left > 0 ? `${days} days ${left} h` : `${Math.round(hours / 24)} days`
}

export const callRate = (aSecond: number): string =>
  aSecond >= 1 ? `${threeDigits(aSecond)} calls a second` : `${threeDigits(aSecond * 60)} calls a minute`

/** Of thousands all: as an exponent they would not be read. */
const threeDigits = (value: number): string =>
  value >= 999.5 ? digits(Math.round(value)) : value.toPrecision(3)

/** A number a second, in as many signs as it is worth: `0.25`, `14.2`, `120`. */
export function perSecond(rate: number | null): string {
  if (rate === null) return 'n/a'
  return rate >= 100 ? digits(Math.round(rate)) : String(Number(rate.toPrecision(3)))
}
