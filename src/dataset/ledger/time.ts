// A time as somebody's export writes it: ISO, epoch, local forms; with a zone or without.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface WrittenTime {
  /** As if it were UTC, milliseconds. */
  readonly local: number
  /** The same with day and month swapped, where both are possible. */
  readonly swapped: number | undefined
  /** Minutes east of UTC, where the text says so. */
  readonly offset: number | undefined
  /** The least that is written, milliseconds: an hour for `2026-11-21 13`. */
  readonly step: number
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const YEAR_FIRST = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))(?!\d)/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/
const DAY_AND_NAME = /^(?:[a-z]{3,9},?\s+)?(\d{1,2})[\s-]([a-z]{3,9})\.?,?[\s-](\d{4})(?!\d)/i
const NAME_AND_DAY = /^(?:[a-z]{3,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/i
const CLOCK =
  /^(?:(?:,?\s*T?|,?\s+at\s+)(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([ap]\.?m\.?)?)?\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)?(?:\s*\([^)]*\))?$/i

/** Undefined where the text is no time. */
export function parseTime(text: string): WrittenTime | undefined {
  const trimmed = text.trim()
  return parseNumber(trimmed) ?? parseDate(trimmed)
}

/** Epoch by its number of digits: seconds to nanoseconds; five digits are the days of a spreadsheet since 1899. */
function parseNumber(text: string): WrittenTime | undefined {
  const [, whole = '', decimals = ''] = /^(\d{5}|\d{9,19})(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === '') return undefined
  if (whole.length === 5) {
    const local = Math.round((Number(text) - 25_569) * (DAY / SECOND)) * SECOND
    return { local, swapped: undefined, offset: undefined, step: decimals === '' ? DAY : SECOND }
  }
  // Today's seconds have 10 digits, milliseconds 13, and so on.
  const unit = [SECOND, 1, 1 / 1000, 1 / 1_000_000][Math.max(0, Math.floor((whole.length - 1) / 3) - 3)] ?? 1
  const local = Math.round(Number(text) * unit)
  const isWhole = unit === SECOND && decimals === ''
  return isPlausible(local) ? { local, swapped: undefined, offset: 0, step: isWhole ? SECOND : 1 } : undefined
}

/** A number that happens to have as many digits is no time of a ledger. */
const isPlausible = (at: number): boolean => at > Date.UTC(2000, 0) && at < Date.UTC(2200, 0)

function parseDate(text: string): WrittenTime | undefined {
  const date = findDate(text)
  if (date === undefined) return undefined
  const clock = CLOCK.exec(text.slice(date.length))
  if (clock === null) return undefined
  const [, hours, minutes, seconds, fraction, half, zone] = clock
  const hour = hourOf(hours, half)
  if (hour === undefined || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 60) return undefined
  const within =
    hour * HOUR +
    Number(minutes ?? 0) * MINUTE +
    Number(seconds ?? 0) * SECOND +
    Math.floor(Number(`0.${fraction ?? 0}`) * SECOND)
  return {
    local: date.day + within,
    swapped: date.swapped === undefined ? undefined : date.swapped + within,
    offset: offsetOf(zone),
    step:
      fraction !== undefined
        ? 1
        : seconds !== undefined
          ? SECOND
          : minutes !== undefined
            ? MINUTE
            : hours !== undefined
              ? HOUR
              : DAY,
  }
}

interface FoundDate {
  readonly day: number
  readonly swapped: number | undefined
  readonly length: number
}

function findDate(text: string): FoundDate | undefined {
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst !== null)
    return found(yearFirst, dayAt(yearFirst[1], yearFirst[3] ?? yearFirst[5], yearFirst[4] ?? yearFirst[6]))
  const yearLast = YEAR_LAST.exec(text)
  if (yearLast !== null) {
    const [, first, sign, second, year] = yearLast
    const dayFirst = dayAt(year, second, first)
    // With dots the day comes first wherever dates are written so.
    const monthFirst = sign === '.' ? undefined : dayAt(year, first, second)
    return found(yearLast, dayFirst ?? monthFirst, dayFirst === undefined ? undefined : monthFirst)
  }
  const named = DAY_AND_NAME.exec(text)
  if (named !== null) return found(named, dayAt(named[3], monthOf(named[2]), named[1]))
  const name = NAME_AND_DAY.exec(text)
  return name === null ? undefined : found(name, dayAt(name[3], monthOf(name[1]), name[2]))
}

function found([whole]: RegExpExecArray, day: number | undefined, swapped?: number): FoundDate | undefined {
  if (day === undefined) return undefined
  return { day, swapped: swapped === day ? undefined : swapped, length: whole.length }
}

const monthOf = (name = ''): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

function dayAt(year = '', month = '', day = ''): number | undefined {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const made = new Date(at)
  return made.getUTCMonth() === Number(month) - 1 && made.getUTCDate() === Number(day) ? at : undefined
}

/** From 0 to 23. */
function hourOf(hours: string | undefined, half: string | undefined): number | undefined {
  const hour = Number(hours ?? 0)
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0)
}

/** Minutes east of UTC of `Z`, `+02:00`, `GMT+2`. */
export function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined
  const [, sign, hours, minutes] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0))
}
