// When a fact of an article says what a fact of an answer says, and by which keys an index finds its lines.
import { MONTHS, WEEKDAYS } from './fact-words.ts'
import { firstNumber } from './fact-values.ts'
import { digitsForWords, holdsNumberWord } from './number-words.ts'
import type { Language } from '../text/words.ts'
import type { Fact } from './facts.ts'

/** Whether the known fact says what `fact` says: other spellings and units, and what `fact` leaves out, count. */
export function isSameFact(fact: Fact, known: Fact): boolean {
  if (fact.kind === 'phone' || known.kind === 'phone')
    return (
      [fact, known].every((one) => one.kind === 'phone' || isBare(one)) &&
      isSamePhone(fact.value, known.value)
    )
  if (fact.kind === known.kind) {
    if (fact.value === known.value && fact.unit === known.unit) return true
    if (fact.kind === 'url') return isWithinUrl(fact.value, known.value)
    if (fact.kind === 'date') return isWithinDate(fact.value, known.value)
    if (fact.kind === 'time') return isSameTime(fact, known)
    return isClose(fact, known)
  }
  return (
    isBareOf(fact, known) ||
    (COUNTS_NOTHING.test(known.next) && isBareOf(known, fact)) ||
    isHourOf(fact, known) ||
    isHourOf(known, fact)
  )
}

/** Whether two quantities of one kind differ by no more than a share, in whatever units they are given. */
export function isClose(fact: Fact, known: Fact, share = 0): boolean {
  if (isBare(fact) && isBare(known))
    return isAlmost(Math.abs(Number(fact.value)), Math.abs(Number(known.value)), share)
  return rangesOf(fact).some(([unit, low, high]) =>
    rangesOf(known).some(
      ([other, from, to]) =>
        unit === other && low * (1 - share) <= to * (1 + 1e-9) && from <= high * (1 + share) * (1 + 1e-9),
    ),
  )
}

const isAlmost = (value: number, known: number, share: number): boolean =>
  Math.abs(value - known) <= Math.max(share, 1e-9) * Math.abs(known)

export const isBare = ({ kind, unit }: Pick<Fact, 'kind' | 'unit'>): boolean =>
  kind === 'number' && unit === ''

const DATA = ['b', 'kb', 'mb', 'gb', 'tb']
const DAY = 86_400
type UnitRange = readonly [unit: string, low: number, high: number]

/**
 * A quantity in the units in which people may give it. A gigabyte has 1,000 or 1,024 megabytes, a month 28 to 31
 * days, a week five working days; "two days" may be working days.
 */
function rangesOf({ kind, value, unit }: Fact): UnitRange[] {
  const number = Number(value)
  if (!Number.isFinite(number)) return []
  const same: UnitRange = [unit, number, number]
  const power = DATA.indexOf(unit.replace('i', ''))
  if (power >= 0) return [1000, 1024].map((base) => ['b', number * base ** power, number * base ** power])
  if (unit === 'months')
    return [
      same,
      number < 12
        ? ['s', number * 28 * DAY, number * 31 * DAY]
        : ['s', number * 30.3 * DAY, number * 30.6 * DAY],
    ]
  if (unit === 's' && number % DAY === 0) {
    const days = number / DAY
    return [
      same,
      ['working days', days, days],
      ...(days % 7 === 0 ? [['working days', (days / 7) * 5, (days / 7) * 5] as const] : []),
    ]
  }
  // Cents are of whatever currency the other text names.
  if (kind === 'amount' && number < 1 && unit !== '¤') return [same, ['¤', number, number]]
  return [same]
}

/** Half past five is 5:30 or 17:30 where nothing says which. */
function isSameTime(fact: Fact, known: Fact): boolean {
  const isOpen = ({ value, digits }: Fact): boolean =>
    Number(value.slice(0, 2)) <= 12 && !/m\.?$|uhr|h|(?<!\d)(?:0\d|1[3-9]|2[0-4])/i.test(digits)
  const [some, other] = [fact.value, known.value].map((value) => value.replace('24:', '00:'))
  const half = (value = ''): string => `${Number(value.slice(0, 2)) % 12}${value.slice(2)}`
  return some === other || ((isOpen(fact) || isOpen(known)) && half(some) === half(other))
}

/**
 * Whether one has a unit and the other has none, with one value: "up to 29" of days, a unit in the head of a
 * table, "12,000 views". A bare number of an article that counts something else is another: "3 times" is not 3 hours.
 */
const isBareOf = (bare: Fact, full: Fact): boolean =>
  isBare(bare) &&
  HAS_UNIT.has(full.kind) &&
  firstNumber(full.digits)?.replace('-', '') === bare.value.replace('-', '')
/** The word behind a number is no noun that it counts. */
const COUNTS_NOTHING =
  /^(?:$|(?:for|in|at|of|from|and|or|to|per|an?|on|if|when|after|before|with|by|is|are|gross|net|und|oder|et|ou|y|o)(?!\p{L}))/u
const HAS_UNIT: ReadonlySet<string> = new Set(['amount', 'duration', 'number', 'percentage'])

/** "At eleven" and "the seven thirty" are times, and so are "six heures" in French and Spanish. */
function isHourOf(fact: Fact, { kind, value }: Fact): boolean {
  if (kind !== 'time') return false
  const [hour = 0, minute = 0] = value.split(':').map(Number)
  if (fact.kind === 'duration')
    return /heures?|horas?|\d ?h/i.test(fact.digits) && Number(fact.value) === hour * 3600 + minute * 60
  const [whole, part = ''] = fact.value.split('.')
  return (
    isBare(fact) &&
    Number(whole) <= 24 &&
    Number(whole) % 12 === hour % 12 &&
    Number(part.padEnd(2, '0')) === minute
  )
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replace(/^0+/, '')

/** Fewer digits are an extension. */
const MIN_PHONE_DIGITS = 5

/** One ends as the other does: +49 30 123456 and 030 123456. */
function isSamePhone(one: string, other: string): boolean {
  const [some, more] = [digitsOf(one), digitsOf(other)]
  if (some === more) return true
  return (
    Math.min(some.length, more.length) >= MIN_PHONE_DIGITS && (some.endsWith(more) || more.endsWith(some))
  )
}

/** Without the scheme, `www.`, the fragment, and the slash at the end. */
const bareUrl = (url: string): string =>
  url
    .replace(/^[a-z]+:\/\/(?:www\.)?/, '')
    .replace(/#.*$/s, '')
    .replace(/\/$/, '')

/** The page, or one below it, or a host of the domain: an answer may name the site alone. */
function isWithinUrl(url: string, known: string): boolean {
  const [short, long] = [bareUrl(url), bareUrl(known)]
  if (short === long || (long.startsWith(short) && /[/?]/.test(long.charAt(short.length)))) return true
  return !/[/?]/.test(short) && (/^[^/?]*/.exec(long)?.[0] ?? '').endsWith(`.${short}`)
}

/**
 * An answer may leave out the year or the day, and write 3 November as `03/11/2026` or `11/03/2026`. Where
 * both are written so, they are in the same order.
 */
function isWithinDate(date: string, known: string): boolean {
  const [some, others] = [readingsOf(date), readingsOf(known)]
  if (some.length > 1 && others.length > 1) return some[0] === others[0]
  return some.some((one) => others.some((other) => one === other || isPartOfDate(one, other)))
}

function isPartOfDate(date: string, known: string): boolean {
  const [some, whole] = [splitDate(date), splitDate(known)]
  if (some === undefined || whole === undefined || some.month !== whole.month) return false
  return (
    (some.year === undefined || some.year === whole.year) &&
    (some.day === undefined || some.day === whole.day)
  )
}

/** `2026-11-03`, `--11-03`, `2026-11`; undefined for weekdays. */
function splitDate(date: string) {
  const [, year, month, day] = /^(?:(\d{4})|-)-(\d\d)(?:-(\d\d))?$/.exec(date) ?? []
  return month === undefined ? undefined : { year, month, day }
}

/** `03/11/2026` is a day of November or of March; any other date is one alone. */
function readingsOf(date: string): readonly string[] {
  const [, first, second, year] = /^(\d\d)[/-](\d\d)[/-](\d{4})$/.exec(date) ?? []
  return year === undefined ? [date] : [`${year}-${second}-${first}`, `${year}-${first}-${second}`]
}

/** Begins with a whole label, for linear time. */
const HOST = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const PHONE = /\+?\d[\d ()/.-]{4,24}\d/g
const NUMBER = /\d{1,3}(?:[ ,.']\d{3}(?!\d))+|\d+/g
/** Months as `m1` to `m12`, weekdays as `w1` to `w7`. */
const NAMES = [
  ...MONTHS.map((names, index) => `(?<m${index + 1}>${names})`),
  ...WEEKDAYS.map((names, index) => `(?<w${index + 1}>${names})`),
]
const NAMED = new RegExp(`(?<![\\p{L}])(?:${NAMES.join('|')})s?(?!\\p{L})`, 'giu')

const domainOf = (host: string): string => host.split('.').slice(-2).join('.')
const shortNumber = (digits: string): string => digits.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
const phoneKey = (digits: string): string => `p${digits.replaceAll(/\D/g, '').slice(-4)}`

/** All keys of a line: each fact in it has one of its own keys (`keysOf`) among them. */
export function keysIn(text: string, language?: Language): Set<string> {
  const keys = new Set<string>()
  const line = (holdsNumberWord(text) ? digitsForWords(text, language) : text).toLowerCase()
  // By the domain, which is all that a short form keeps.
  for (const [host] of line.matchAll(HOST)) keys.add(domainOf(host))
  if (line.includes('\\')) keys.add('\\')
  if (/\d/.test(line)) {
    for (const [number] of line.matchAll(NUMBER)) {
      keys.add(shortNumber(number))
      if (number.length > 3) for (const part of number.split(/\D/)) keys.add(shortNumber(part))
    }
    for (const [phone] of line.matchAll(PHONE)) keys.add(phoneKey(phone))
  }
  for (const { groups = {} } of line.matchAll(NAMED))
    for (const [key, name] of Object.entries(groups)) if (name !== undefined) keys.add(key)
  return keys
}

/** The keys of which a line has at least one, if it holds the fact. */
export function keysOf({ kind, value, text }: Fact): readonly string[] {
  switch (kind) {
    case 'email':
      return [domainOf(value.slice(value.indexOf('@') + 1))]
    case 'url': {
      const [host = ''] = value.includes('\\') ? ['\\'] : (bareUrl(value).match(HOST) ?? [bareUrl(value)])
      return [domainOf(host.toLowerCase())]
    }
    case 'phone':
      return [phoneKey(value), shortNumber(value)]
    case 'date': {
      const [, weekday] = /^weekday (\d)$/.exec(value) ?? []
      if (weekday !== undefined) return [`w${weekday}`]
      const date = splitDate(value)
      // Either of the two may be the day.
      if (date === undefined) return value.split(/\D/).slice(0, 2).map(shortNumber)
      return date.day === undefined
        ? [`m${Number(date.month)}`, String(Number(date.month))]
        : [String(Number(date.day))]
    }
    case 'time':
      return [String(Number(value.slice(0, 2))), String(Number(value.slice(0, 2)) % 12), '12']
    case 'amount':
    case 'duration':
    case 'negation':
    case 'number':
    case 'percentage':
      return [...new Set([text, ...scales(value)].flatMap((one) => one.match(NUMBER) ?? []).map(shortNumber))]
  }
}

/** The value in the units in which it may be written: seconds to years, thousands, millions. */
function scales(value: string): string[] {
  const number = Math.abs(Number(value))
  if (!Number.isFinite(number)) return [value]
  return [1, 12, 60, 3600, 86_400, 604_800, 1000, 1_000_000, 0.001]
    .map((unit) => Math.floor(number / unit))
    .filter((one) => one > 0 || number < 1)
    .map(String)
}
