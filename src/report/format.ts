// Figures as all reports write them: shares, times, counts, rates, changes.
import { digits, plural } from '../domain/text.ts'

export const NONE = '–'

/** `68.8 %`. */
export const percent = (share: number | null): string =>
  share === null ? NONE : `${(share * 100).toFixed(1)} %`

/** `69 %`, for tables that need no decimals. */
export const wholePercent = (share: number | null): string =>
  share === null ? NONE : `${Math.round(share * 100)} %`

/** `48.5–83.7 %`; undefined if a bound is unknown. */
export function percentRange(low: number | null, high: number | null): string | undefined {
  if (low === null || high === null) return undefined
  const [from, to] = [low, high].map((share) => (share * 100).toFixed(1))
  return from === to ? `${from} %` : `${from}–${to} %`
}

/** `33/48`. */
export const ratioOf = (part: number, whole: number): string => `${digits(part)}/${digits(whole)}`

/** `+2.1 points`, `−0.4 points`, `±0.0 points`. */
export const points = (difference: number): string => `${signed(difference * 100, 1)} points`

/** `+26 ms`. */
export const milliseconds = (difference: number): string => `${signed(difference, 0)} ms`

export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? `±${text}` : `${value < 0 ? '−' : '+'}${text}`
}

/** `1.8 ms`, `239 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`, `4 days`. */
export function duration(ms: number | null): string {
  if (ms === null) return NONE
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${digits(Math.round(hours / 24))} days`
}

/** `14.2/s`, `0.25/s`, `120/s`; null means unlimited. */
export const perSecond = (rate: number | null): string =>
  rate === null ? 'unlimited' : `${rate >= 100 ? digits(Math.round(rate)) : Number(rate.toPrecision(3))}/s`

/** `48`, or `48 to 51`. */
export const range = (min: number, max: number): string =>
  min === max ? digits(min) : `${digits(min)} to ${digits(max)}`

/** `2026-11-24 02:00 UTC`. */
export const minute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/** `48 questions in 27 conversations`. */
export const sizeOf = (questions: number, conversations: number): string =>
  `${plural(questions, 'question')} in ${plural(conversations, 'conversation')}`

/** A share of `width` columns. */
export function drawBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
