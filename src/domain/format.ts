// Figures and messages as text: no other file writes figures. No zod here: the browser takes this, too.

export const NONE = '–'

/** Writes `30,000`. A fraction stays as it is. */
export const digits = (value: number | string): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${digits(count)} ${count === 1 ? one : many}`

export const ratioOf = (part: number, whole: number): string => `${digits(part)}/${digits(whole)}`

/** A sum of weights is `2,310` or `0.0123`. */
export const weightText = (weight: number): string =>
  digits(weight >= 100 ? Math.round(weight) : Number(weight.toPrecision(3)))

export const range = (min: number, max: number): string =>
  min === max ? digits(min) : `${digits(min)} to ${digits(max)}`

export const sizeOf = (questions: number, conversations: number, repeat = 1): string =>
  `${plural(questions, 'question')} in ${plural(conversations, 'conversation')}` +
  (repeat === 1 ? '' : ` × ${digits(repeat)}`)

export const listCounts = (counts: readonly (readonly [name: string, count: number])[]): string =>
  counts.map(([name, count]) => `${name.replaceAll('_', ' ')} ${digits(count)}`).join(', ')

const MAX_NAMES = 5

/** Names the first five, and how many more: `a, b, c, d, e and 7 more`. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return more > 0
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${digits(more)} more`
    : names.join(', ') || 'none'
}

export const percent = (share: number | null, decimals = 1): string =>
  share === null ? NONE : `${(share * 100).toFixed(decimals)} %`

/** Writes `48.5–83.7 %`; undefined if a bound is unknown. */
export function percentRange(low: number | null, high: number | null): string | undefined {
  if (low === null || high === null) return undefined
  const [from, to] = [low, high].map((share) => (share * 100).toFixed(1))
  return from === to ? `${from} %` : `${from}–${to} %`
}

/** Writes `2.1 points`: a share without a sign. */
export const margin = (share: number): string => `${(share * 100).toFixed(1)} points`

/** Writes `+2.1 points`, `−0.4 points`, `±0.0 points`. */
export const points = (difference: number): string => `${signed(difference * 100, 1)} points`

export const milliseconds = (difference: number): string => `${signed(difference, 0)} ms`

export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? `±${text}` : `${value < 0 ? '−' : '+'}${text}`
}

/** Writes `1.8 ms`, `239 ms`, `1.2 s`, `30 s`, `3 min 5 s`, `2 h 10 min`, `4 days`. */
export function duration(ms: number | null): string {
  if (ms === null) return NONE
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return parts(seconds, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  return minutes < 48 * 60 ? parts(minutes, 60, 'h', 'min') : `${digits(Math.round(minutes / 1440))} days`
}

function parts(count: number, size: number, large: string, small: string): string {
  const rest = count % size
  return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** Writes `14.2/s`, `0.25/s`, `120/s`: figures that are compared, such as those of a chart's axis. */
export const perSecond = (rate: number | null): string =>
  rate === null ? NONE : `${rate >= 100 ? digits(Math.round(rate)) : Number(rate.toPrecision(3))}/s`

const RATE_UNITS = { s: 1, min: 60, h: 3600 }
/** A lower amount reads better in the next unit: `60/min` rather than `1/s`. */
const MIN_AMOUNT = 1.95

/**
 * Writes a rate as `--rate` takes it: `4/s`, `60/min`, `12/h`; null means unlimited. A rate that stands
 * beside another has the unit of that one.
 */
export function rateText(rate: number | null, beside = rate): string {
  if (rate === null) return 'unlimited'
  const units = Object.entries(RATE_UNITS)
  const [unit, each] = units.find(([, seconds]) => (beside ?? rate) * seconds >= MIN_AMOUNT) ?? [
    'h',
    RATE_UNITS.h,
  ]
  return `${Number((rate * each).toPrecision(3))}/${unit}`
}

export type Unit = 'share' | 'milliseconds' | 'count' | 'perSecond'

export const ROUNDED: Readonly<Record<Unit, (value: number) => string>> = {
  share: percent,
  milliseconds: duration,
  count: digits,
  perSecond,
}

export const WRITTEN: Readonly<Record<Unit, (value: number) => string>> = {
  share: (share) => `${Number((share * 100).toFixed(2))}%`,
  milliseconds: (ms) => `${Number.isInteger(ms) ? ms : ms.toFixed(isJustAbove(ms) ? 3 : 1)} ms`,
  count: String,
  perSecond: (rate) => `${Number(rate < 1 ? rate.toPrecision(3) : rate.toFixed(2))}/s`,
}

/** A time just over a whole number must not look like it. */
const isJustAbove = (ms: number): boolean => ms - Math.floor(ms) < 0.05

/** Writes `3.25`; null has no value. */
export const mean = (count: number | null): string =>
  count === null ? NONE : digits(Number(count.toFixed(2)))

/** Writes a time in ISO 8601 as `2026-11-24 02:00`. */
export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

export function drawBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

/**
 * Tells a user what to know or to act on: by its code a program, by its text a person. The text may quote
 * names and sentences from elsewhere, so renderers treat it all as untrusted.
 */
export interface Message {
  readonly code: string
  readonly text: string
}

/** A sentence has a form that suits every count: "failed: 3 of 48" needs no singular. */
export const makeMessage = (code: string, text: string): Message => ({ code, text })

const TIME_UNITS = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const

export const DURATION = /^(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|min|h|d)$/i

/** Reads `500ms`, `30s`, `2m`, `2 min`, `1.5h`, `1d` as milliseconds. A number without a unit is invalid. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = DURATION.exec(text.trim()) ?? []
  return number === undefined
    ? undefined
    : Number(number) * TIME_UNITS[unit.toLowerCase() as keyof typeof TIME_UNITS]
}
