// What a match of a fact's pattern says, normalised: numbers with their units, dates, times, addresses.
import {
  CURRENCIES,
  MEASURES,
  MONTHS,
  SHORT_WEEKDAYS,
  type WordRow,
  TIME_UNITS,
  WEEKDAYS,
} from './fact-words.ts'

/** Different spellings of one fact have equal values. */
export interface FactValue {
  readonly value: string
  /** Such as `EUR`, `s`, `months` or `mb`; empty without one. */
  readonly unit: string
}

/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>

/** Thousands separated by comma, dot, apostrophe, space or nothing, or as in India; decimals after a comma or a dot. */
export const DIGITS =
  "\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?|\\d{1,2}(?:,\\d\\d){1,4},\\d{3}(?!\\d)|\\d+(?:[.,]\\d+)?|(?<![\\d.])\\.\\d+"

/**
 * "1,200" and "1.200" become "1200", "1.200,50" becomes "1200.5". A single separator before three digits
 * separates thousands, because the answer's language is unknown. Leading zeros stay: "0800" is not a
 * quantity.
 */
function readNumber(text: string): string {
  const compact = text.replaceAll(/[ ']/g, '')
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  if (last === -1) return compact
  const isMixed = compact.includes('.') && compact.includes(',')
  if (!isMixed && /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$|^\d\d?(?:,\d\d)+,\d{3}$/.test(compact))
    return compact.replaceAll(/[.,]/g, '')
  const whole = compact.slice(0, last).replaceAll(/[.,]/g, '')
  const decimals = compact.slice(last + 1).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole || '0'}.${decimals}`
}

const FIRST_DIGITS = new RegExp(DIGITS)

/** The first number that a text has in digits, as facts give it; undefined without one. */
export function firstNumber(text: string): string | undefined {
  const [digits] = FIRST_DIGITS.exec(text) ?? []
  return digits === undefined ? undefined : readNumber(digits)
}

/** Finds the meaning of a word by the first pattern that matches all of it. */
function lookUp<T>(table: readonly WordRow<T>[]) {
  const patterns = table.map(([pattern, meaning]) => [new RegExp(`^(?:${pattern})$`, 'iu'), meaning] as const)
  return (word = ''): T | undefined => patterns.find(([pattern]) => pattern.test(word))?.[1]
}

const unitOf = lookUp([...CURRENCIES, ...TIME_UNITS, ...MEASURES])
const monthOf = lookUp(MONTHS.map((names, index) => [names, index + 1]))
const weekdayOf = lookUp(WEEKDAYS.map((names, index) => [`${names}|${SHORT_WEEKDAYS[index]}`, index + 1]))

/** Without the punctuation at its end. A loop, because a pattern would take quadratic time. */
export function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && '.,;:!?*_`~'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const plain = (value: string): FactValue => ({ value, unit: '' })
const asWritten = ({ text = '' }: Groups): FactValue[] => [plain(text.toLowerCase())]
const inSeconds = (seconds: number): FactValue => ({ value: String(seconds), unit: 's' })

/** The number, or the two numbers of a range, multiplied by the factor and with the unit. */
function quantities({ from, number, unit, thousand, million, measure = '', sign = '' }: Groups): FactValue[] {
  // French counts octets.
  const measured = measure.toLowerCase().replace(/^([kmgt])o$/, '$1b')
  const [name, times] = unitOf(unit) ?? [measured, 1]
  const factor = times * (million === undefined ? 1 : 1_000_000) * (thousand === undefined ? 1 : 1000)
  return [from, number]
    .flatMap((text) => (text === undefined ? [] : [sign + readNumber(text)]))
    .map((value) => (factor === 1 ? value : String(Math.round(Number(value) * factor * 1e6) / 1e6)))
    .map((value) => ({ value, unit: name }))
}

const twoDigits = (number: string | number | undefined): string => String(number ?? 0).padStart(2, '0')

/** ISO 8601; `--11-03` is a day of every year. */
function readDate({ weekday, year, month, name, Name, day, first, second, slash }: Groups): string {
  if (weekday !== undefined) return `weekday ${weekdayOf(weekday)}`
  if (first !== undefined && second !== undefined) {
    const [one, other] = [Number(first), Number(second)]
    // Ambiguous: 3/11 is a day in March or in November. It stays as written.
    if (one <= 12 && other <= 12 && one !== other)
      return `${twoDigits(one)}${slash}${twoDigits(other)}${slash}${year}`
    return `${year}-${twoDigits(Math.min(one, other))}-${twoDigits(Math.max(one, other))}`
  }
  const parts = [year?.padStart(4, '20') ?? '-', twoDigits(month ?? monthOf(name ?? Name))]
  return [...parts, ...(day === undefined ? [] : [twoDigits(day)])].join('-')
}

/**
 * Scheme and host in lower case, without a slash at the end of the path. Without a scheme it counts as https.
 */
function readUrl(text: string): string {
  const [, scheme = 'https://', host = '', rest = ''] =
    /^([a-z]+:\/\/)?([^/?#]*)(.*)$/isu.exec(trimmed(text)) ?? []
  const path = rest.endsWith('/') && !/[?#]/.test(rest) ? rest.slice(0, -1) : rest
  return `${scheme.toLowerCase()}${host.toLowerCase()}${path}`
}

/** The values of a match, by kind. A match without values is not a fact, and later patterns do not see it. */
export const READERS = {
  ignored: () => [],
  email: asWritten,
  version: asWritten,
  negation: () => [plain('not')],
  number: quantities,
  amount: quantities,
  percentage: quantities,
  duration: (groups: Groups) =>
    groups['hours'] === undefined
      ? quantities(groups)
      : [inSeconds(Number(groups['hours']) * 3600 + Number(groups['minutes']) * 60)],
  phone: ({ text = '' }: Groups) => [
    plain(
      text
        .replace('(0)', '')
        .replaceAll(/[^\d+]/g, '')
        .replace(/^00/, '+'),
    ),
  ],
  date: (groups: Groups) => [plain(readDate(groups))],
  time: ({ fromHour, fromMinute = '00', hour, minute, after = '00', half }: Groups) => {
    const hourOf = (text: string): number =>
      half === undefined ? Number(text) : (Number(text) % 12) + (/p/i.test(half) ? 12 : 0)
    const to = `${twoDigits(hourOf(hour ?? ''))}:${minute ?? after}`
    if (fromHour === undefined) return [plain(to)]
    const from = `${twoDigits(hourOf(fromHour))}:${fromMinute}`
    // "11 to 2 pm" begins before noon.
    const isBefore = half === undefined || from < to
    return [plain(isBefore ? from : `${twoDigits((hourOf(fromHour) + 12) % 24)}:${fromMinute}`), plain(to)]
  },
  url: ({ text = '' }: Groups) => [plain(readUrl(text))],
  path: ({ text = '' }: Groups) => [plain(trimmed(text).toLowerCase())],
} as const satisfies Readonly<Record<string, (groups: Groups) => readonly FactValue[]>>
