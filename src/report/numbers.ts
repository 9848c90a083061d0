// Figures in words: shares, durations, counts.
import { digits } from '../domain/digits.ts'

export const percent = (share: number | null): string =>
  share === null ? 'n/a' : `${digits((share * 100).toFixed(1))} %`

export function duration(ms: number | null): string {
  if (ms === null) return 'n/a'
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  const seconds = Math.floor((ms % 60_000) / 1000)
  return minutes < 60 ? `${minutes} min ${seconds} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const callRate = (aSecond: number): string =>
  aSecond >= 1
    ? `${aSecond.toPrecision(3)} calls a second`
    : `${(aSecond * 60).toPrecision(3)} calls a minute`

/** A number a second, in as many signs as it is worth: `0.25`, `14.2`, `120`. */
export function perSecond(rate: number | null): string {
  if (rate === null) return 'n/a'
  return rate >= 100 ? digits(Math.round(rate)) : String(Number(rate.toPrecision(3)))
}
