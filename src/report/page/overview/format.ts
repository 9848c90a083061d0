// Dates and shares as the overview writes them; a translation replaces this file together with words.ts.

const MONTHS_AND_DAYS = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const day = new Intl.DateTimeFormat('en-GB', MONTHS_AND_DAYS)
const dayAndYear = new Intl.DateTimeFormat('en-GB', { ...MONTHS_AND_DAYS, year: 'numeric' })

/** `3 November`; with the year where that is another than now's, with the time where the day is the same. Of UTC. */
export function formatDate(iso: string, now: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  if (iso.slice(0, 10) === now.slice(0, 10)) return `${day.format(date)}, ${iso.slice(11, 16)} UTC`
  return iso.slice(0, 4) === now.slice(0, 4) ? day.format(date) : dayAndYear.format(date)
}

/** `3 November 2026, 12:04 UTC`. */
export function formatMoment(iso: string | null): string {
  if (iso === null) return 'unknown'
  const date = new Date(iso)
  return Number.isNaN(date.getTime())
    ? iso
    : `${dayAndYear.format(date)}, ${date.toISOString().slice(11, 16)} UTC`
}

/** `84 %`; a share that is neither nothing nor all is never rounded to it. */
export function wholePercent(share: number | null): string {
  if (share === null) return 'n/a'
  const whole = Math.round(share * 100)
  const isTrue = (whole !== 0 || share === 0) && (whole !== 100 || share === 1)
  if (isTrue) return `${whole}${UNIT}`
  if (whole === 0) return share < 0.001 ? `under 0.1${UNIT}` : `${(share * 100).toFixed(1)}${UNIT}`
  return share > 0.999 ? `over 99.9${UNIT}` : `${(share * 100).toFixed(1)}${UNIT}`
}

/** A number and its unit stay on one line. */
const UNIT = '\u00a0%'

/** So in sentences that all reports share. */
export const withUnits = (text: string): string => text.replaceAll(/(?<=\d) (?=%)/g, '\u00a0')

/** `78 to 88 %`. */
export function percentRange(low: number | null, high: number | null): string {
  const [from, to] = [wholePercent(low), wholePercent(high)]
  if (from === to) return from
  const isPlain = [from, to].every((one) => /^\d/.test(one))
  return isPlain ? `${from.slice(0, -UNIT.length)} to ${to}` : `${from} to ${to}`
}

export const are = (count: number, one: string, many: string): string => (count === 1 ? one : many)
