// When a fact of an article says what a fact of an answer says, and by which keys an index finds its lines.
import { MONTHS, WEEKDAYS } from './fact-words.ts'
import { countOfWord, firstNumber } from './fact-values.ts'
import { type Fact, WORD } from './facts.ts'

/** Whether the known fact says what `fact` says: other spellings, and what `fact` leaves out, count. */
export function isSameFact(fact: Fact, known: Fact): boolean {
  if (fact.kind === 'phone' || known.kind === 'phone') {
    const isPair = [fact, known].every(
      ({ kind, unit }) => kind === 'phone' || (kind === 'number' && unit === ''),
    )
    return isPair && isSamePhone(fact.value, known.value)
  }
  if (fact.kind !== known.kind) return false
  if (fact.kind === 'url') return isWithinUrl(fact.value, known.value)
  if (fact.kind === 'date') return isWithinDate(fact.value, known.value)
  return fact.value === known.value && fact.unit === known.unit
}

/** Whether a number without a unit has the value that is written: a unit may stand in the head of a table. */
export const isSameNumber = (fact: Fact, known: Fact): boolean =>
  HAS_UNIT.has(fact.kind) &&
  known.kind === 'number' &&
  known.unit === '' &&
  known.value === firstNumber(fact.text)
const HAS_UNIT: ReadonlySet<string> = new Set(['amount', 'duration', 'number', 'percentage'])

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
const NAMED = new RegExp(`(?<![\\p{L}])(?:${NAMES.join('|')}|(?<count>${WORD}))s?(?!\\p{L})`, 'giu')

const domainOf = (host: string): string => host.split('.').slice(-2).join('.')
const shortNumber = (digits: string): string => digits.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
const phoneKey = (digits: string): string => `p${digits.replaceAll(/\D/g, '').slice(-4)}`

/** All keys of a line: each fact in it has one of its own keys (`keysOf`) among them. */
export function keysIn(text: string): Set<string> {
  const keys = new Set<string>()
  const line = text.toLowerCase()
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
    for (const [key, name] of Object.entries(groups))
      if (name !== undefined) keys.add(key === 'count' ? (countOfWord(name) ?? '') : key)
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
