// When a fact of an article says what a fact of an answer says, and by which keys an index finds its lines.
import { numbersIn, weekdayOf } from './fact-patterns.ts'
import { MONTHS, SHORT_WEEKDAY, WEEKDAYS } from './fact-words.ts'
import type { Fact } from './facts.ts'
import { readCardinals } from './number-words.ts'
import { TracedText } from './traced-text.ts'
import type { Language } from '../text/words.ts'

/** Tells whether the known fact says what `fact` says, in other spellings and units, or more than it. */
export function isSameFact(fact: Fact, known: Fact): boolean {
  if (fact.kind === known.kind) {
    if (fact.value === known.value && fact.unit === known.unit) return true
    switch (fact.kind) {
      case 'url':
        return isWithinUrl(bareUrl(fact.value), bareUrl(known.value))
      case 'date':
        return isWithinDate(fact.value, known.value)
      case 'time':
        return isSameTime(fact, known)
      case 'phone':
        return isSamePhone(fact.value, known.value)
      case 'number':
        // "A waist of 81 to 86": the unit may go without saying.
        return (
          isClose(fact, known) ||
          (countsNothing(fact) && isBareOf(fact, known)) ||
          (countsNothing(known) && isBareOf(known, fact))
        )
      case 'amount':
      case 'duration':
      case 'percentage':
        return isClose(fact, known)
      case 'email':
      case 'negation':
        return false
    }
  }
  if (fact.kind === 'phone' || known.kind === 'phone')
    return (isBare(fact) || isBare(known)) && isSamePhone(fact.value, known.value)
  return (
    isBareOf(fact, known) ||
    // The word behind a number is no noun that it counts: "3 times" is not 3 hours.
    ((countsNothing(known) || OF_AGE.test(known.before) || fact.next.startsWith('old')) &&
      !isOrdinal(known) &&
      isBareOf(known, fact)) ||
    isTimeOf(fact, known) ||
    isTimeOf(known, fact)
  )
}

export function isClose(fact: Fact, known: Fact, share = 0): boolean {
  return rangesOf(fact).some(([unit, low, high]) =>
    rangesOf(known).some(
      ([other, from, to]) =>
        unit === other && low * (1 - share) <= to * (1 + 1e-9) && from <= high * (1 + share) * (1 + 1e-9),
    ),
  )
}

/** Times and durations are counted in days, or in years. */
export function sizeOf({ kind, value, unit }: Fact): number | undefined {
  const [hour, minute] = kind === 'time' ? value.split(':').map(Number) : []
  if (hour !== undefined) return hour / 24 + (minute ?? 0) / 1440
  // Gigabytes of a thousand megabytes.
  const power = DATA.indexOf(unit)
  if (power >= 0) return Number(value) * 1000 ** power
  const number = Number(value) / (unit === 's' ? 86_400 : unit === 'months' ? 12 : 1)
  return Number.isFinite(number) ? number : undefined
}

export const isBare = ({ kind, unit }: Fact): boolean => kind === 'number' && unit === ''

/** Tells how often something is, without a number: "daily", "every year". */
export const isInterval = ({ kind, digits }: Fact): boolean => kind === 'duration' && !/\d/.test(digits)

const EVERY = /^(?:every|each|per|alle|pro|tous|toutes|par|cada|por|an?)$/u

/** "Daily" and "every 10 minutes" say how often; "after 10 minutes" does not. */
export const isHowOften = (fact: Fact): boolean => isInterval(fact) || EVERY.test(fact.before)

export const DATA = ['b', 'kb', 'mb', 'gb', 'tb']
const DAY = 86_400

/**
 * People may give a quantity in these units. A gigabyte has 1,000 or 1,024 megabytes, a month 28 to 31 days,
 * a week five working days; "two days" may be working days, and no calendar days are; French counts two weeks
 * as 15 days.
 */
function rangesOf(fact: Fact): (readonly [unit: string, low: number, high: number])[] {
  const { kind, unit, digits } = fact
  // "In the red by ten hours" is minus ten.
  const isSigned = kind !== 'duration' && !isBare(fact)
  const number = isSigned ? Number(fact.value) : Math.abs(Number(fact.value))
  if (!Number.isFinite(number)) return []
  const power = DATA.indexOf(unit.replace('i', ''))
  if (power >= 0) return [1000, 1024].map((base) => ['b', number * base ** power, number * base ** power])
  const same = [unit, digits === '15 jours' ? 14 * DAY : number, number] as const
  if (unit === 'months') {
    const [shortest, longest] = number < 12 ? [28, 31] : [30.3, 30.6]
    return [same, ['s', number * shortest * DAY, number * longest * DAY]]
  }
  if (unit === 's' && number % DAY === 0 && !/calend|kalend|natural/i.test(digits)) {
    const days = number / DAY
    const inWeeks = days % 7 === 0 ? (days / 7) * 5 : days
    return [same, ['working days', days, days], ['working days', inWeeks, inWeeks]]
  }
  // Cents are of whatever currency the other text names.
  return kind === 'amount' && number < 1 ? [same, ['¤', number, number]] : [same]
}

/** Half past five is 5:30 or 17:30 where nothing says which. An answer may leave out the seconds. */
function isSameTime(fact: Fact, known: Fact): boolean {
  // In words it has no sign of the half of the day but "a.m." or "p.m.".
  const isOpen = ({ value, digits, text }: Fact): boolean =>
    value < '13' &&
    !/m\.?$/i.test(digits) &&
    !(/\d/.test(text) && /uhr|h|(?<![\d:])(?:0\d|1[3-9]|2[0-4])/i.test(digits))
  const [some = '', longer = ''] = [fact.value, known.value].map((value) => value.replace(/^24:/, '00:'))
  const other = longer.slice(0, some.length)
  const onDial = (value: string): string => `${Number(value.slice(0, 2)) % 12}${value.slice(2)}`
  return some === other || ((isOpen(fact) || isOpen(known)) && onDial(some) === onDial(other))
}

const HAS_UNIT: ReadonlySet<string> = new Set(['amount', 'duration', 'number', 'percentage'])
const NO_NOUN =
  'for|in|at|of|from|and|or|to|until|till|bis|à|al?|per|an?|on|if|when|after|before|with|by|is|are|gross' +
  '|net|und|oder|et|ou|y|o'
const COUNTS_NOTHING = new RegExp(`^(?:$|(?:${NO_NOUN})(?!\\p{L}))`, 'u')

const OF_AGE = /^(?:under|over|aged?|unter|über|menores|mayores)$/u

const isOrdinal = ({ digits }: Fact): boolean => /\d(?:st|nd|rd|th|er|e|º|ª)$/u.test(digits)

/** One has a unit and the other none, with one value: "up to 29" of days, a unit in a head. */
const isBareOf = (bare: Fact, full: Fact): boolean =>
  isBare(bare) &&
  !isBare(full) &&
  HAS_UNIT.has(full.kind) &&
  numbersIn(full.digits).includes(bare.value.replace('-', ''))

/** "At eleven" and "the seven thirty" are times, and so are "six heures" in French and Spanish. */
function isHourOf(fact: Fact, { kind, value }: Fact): boolean {
  if (kind !== 'time') return false
  const [hour = 0, minute = 0, second = 0] = value.split(':').map(Number)
  if (fact.kind === 'duration')
    return (
      /heures?|horas?|\d ?h/i.test(fact.digits) && Number(fact.value) === hour * 3600 + minute * 60 + second
    )
  const [whole, part = ''] = fact.value.split('.')
  return (
    isBare(fact) &&
    Number(whole) <= 24 &&
    Number(whole) % 12 === hour % 12 &&
    Number(part.padEnd(2, '0')) === minute
  )
}

/** "9–17 h", "nine to five" and "9:00 to 17:00" have the same hours; the 9 of nine devices is none. */
export const isSameHour = (some: Fact, other: Fact): boolean => isTimeOf(some, other) || isTimeOf(other, some)

export const countsNothing = ({ next }: Fact): boolean => COUNTS_NOTHING.test(next)

const isTimeOf = (fact: Fact, time: Fact): boolean =>
  isHourOf(fact, time) && (!isBare(fact) || countsNothing(fact))

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')

/** One ends as the other does: +49 30 123456 and 030 123456. Fewer than five digits are an extension. */
function isSamePhone(some: string, other: string): boolean {
  const [short = '', long = ''] = [digitsOf(some), digitsOf(other)].sort((a, b) => a.length - b.length)
  return short === long || (short.length >= 5 && long.endsWith(short))
}

const bareUrl = (url: string): string => url.replaceAll(/^[a-z]+:\/\/(?:www\.|m\.)?|#.*$|\/$/gs, '')

/** An answer may name the site alone: the page, or one below it, or a host of the domain is within it. */
const isWithinUrl = (url: string, known: string): boolean =>
  url === known ||
  (known.startsWith(url) && /[/?]/.test(known.charAt(url.length))) ||
  (!/[/?]/.test(url) && (/^[^/?]*/.exec(known)?.[0] ?? '').endsWith(`.${url}`))

/**
 * An answer may leave out the year or the day, and write 3 November as `03/11/2026` or `11/03/2026`. Both
 * written so are in the same order.
 */
function isWithinDate(date: string, known: string): boolean {
  const readings = (text: string): string[] => {
    const [, first, second, year] = /^(\d\d)[/-](\d\d)[/-](\d{4}|-)$/.exec(text) ?? []
    return year === undefined ? [text] : [`${year}-${second}-${first}`, `${year}-${first}-${second}`]
  }
  const [some, others] = [readings(date), readings(known)]
  if (some.length > 1 && others.length > 1) return some[0] === others[0]
  return some.some((text) => {
    const pattern = new RegExp(`^${text.replace(/^--/, '(?:\\d{4}-|--)')}(?:-\\d\\d)?$`)
    return others.some((other) => pattern.test(other))
  })
}

/** A key is a host (from a whole label on, for linear time), a number, a month (`m1`) or a weekday (`w1`). */
const HOST = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const NUMBER = /\d{1,2}(?:,\d\d)+,\d{3}(?!\d)|\d{1,3}(?:[ ,.']\d{3}(?!\d))+|\d+/g
const PHONE = /\+?\d[\d ()/.-]{4,24}\d/g
const NAMES = [
  ...MONTHS.map((names, index) => `(?<m${index + 1}>${names})`),
  ...WEEKDAYS.map((names, index) => `(?<w${index + 1}>${names})`),
]
const SHORT = new RegExp(`(?<!\\p{L})(?:${SHORT_WEEKDAY})(?!\\p{L})`, 'gu')
const NAMED = new RegExp(`(?<![\\p{L}])(?:${NAMES.join('|')})s?(?!\\p{L})`, 'giu')

/** The domain is all that a short form keeps. */
const domainOf = (host: string): string => host.split('.').slice(-2).join('.')
const lastFour = (digits: string): string => `p${digits.replaceAll(/\D/g, '').slice(-4)}`

/** A line has all keys of its facts: each fact has one of its own (`keysOf`) among them. */
export function keysIn(text: string, language?: Language): Set<string> {
  const line = readCardinals(new TracedText(text), language).text.toLowerCase()
  const matches = (pattern: RegExp): string[] => line.match(pattern) ?? []
  return new Set([
    ...matches(HOST).map(domainOf),
    ...(line.includes('\\') ? ['\\'] : []),
    ...matches(NUMBER).flatMap((number) => [number, ...number.split(/\D/)].map(digitsOf)),
    ...matches(PHONE).map(lastFour),
    ...(text.match(SHORT) ?? []).map((name) => `w${weekdayOf(name)}`),
    ...Array.from(line.matchAll(NAMED), ({ groups = {} }) =>
      Object.keys(groups).filter((name) => groups[name] !== undefined),
    ).flat(),
  ])
}

export function keysOf({ kind, value, text }: Fact): readonly string[] {
  switch (kind) {
    case 'email':
    case 'url': {
      if (value.includes('\\')) return ['\\']
      const bare = bareUrl(value.replace(/^.*@/, '')).toLowerCase()
      return [domainOf(bare.match(HOST)?.[0] ?? bare)]
    }
    case 'phone':
      return [lastFour(value), digitsOf(value)]
    case 'date': {
      const [, month, day] = /^(?:\d{4}|-)-(\d\d)(?:-(\d\d))?$/.exec(value) ?? []
      if (value.startsWith('weekday')) return [value.replace('weekday ', 'w')]
      // Of 03/11/2026, either may be the day.
      if (month === undefined) return value.split(/\D/).slice(0, 2).map(digitsOf)
      return day === undefined ? [`m${Number(month)}`, digitsOf(month)] : [digitsOf(day)]
    }
    case 'time':
      return [String(Number(value.slice(0, 2))), String(Number(value.slice(0, 2)) % 12), '12']
    case 'amount':
    case 'duration':
    case 'negation':
    case 'number':
    case 'percentage': {
      // In the units in which it may be written: seconds to years, thousands, millions.
      const scales = [1, 12, 60, 3600, DAY, 7 * DAY, 1000, 100_000, 1_000_000, 10_000_000, 0.001]
      const number = Math.abs(Number(value))
      const written = Number.isFinite(number) ? scales.map((unit) => Math.floor(number / unit)) : [value]
      return [
        ...new Set(
          [text, ...written.filter((part) => part !== 0).map(String)]
            .flatMap((part) => part.match(NUMBER) ?? [])
            .map(digitsOf),
        ),
      ]
    }
  }
}
