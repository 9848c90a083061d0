// Days of the calendar and of the week, in English and German.
import { BEGINS } from './places.ts'
import { END, START, type FactRule, type Where } from './rule.ts'

const MONTHS = [
  'january|januar|jänner|jan',
  'february|februar|feb',
  'march|märz|mar|mär|mrz',
  'april|apr',
  'may|mai',
  'june|juni|jun',
  'july|juli|jul',
  'august|aug',
  'september|sept|sep',
  'october|oktober|oct|okt',
  'november|nov',
  'december|dezember|dec|dez',
] as const
const WEEKDAYS = [
  'monday|montag',
  'tuesday|dienstag',
  'wednesday|mittwoch',
  'thursday|donnerstag',
  'friday|freitag',
  'saturday|samstag|sonnabend',
  'sunday|sonntag',
] as const

const numberOfName = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((list, place) => list.split('|').map((name) => [name, place + 1] as const)))
const months = numberOfName(MONTHS)
const weekdays = numberOfName(WEEKDAYS)

const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = `(?:${MONTHS.join('|')})`
const YEAR = '(?:19|20)\\d\\d'
const capital = (names: readonly string[]): string =>
  [...numberOfName(names).keys()]
    .filter(
      (name) => name.length > 4 || name === 'mai' || name === 'june' || name === 'juni' || name === 'july',
    )
    .concat('juli', 'märz')
    .map((name) => name.slice(0, 1).toUpperCase() + name.slice(1))
    .join('|')

const two = (number: string | number): string => String(Number(number)).padStart(2, '0')
/** As ISO 8601 has it; `--11-03` for a day of every year. */
function dateOf(year: string | undefined, month: string | number, day: string): string {
  const full = year === undefined ? '-' : year.length === 2 ? `20${year}` : year
  return `${full}-${two(month)}-${two(day)}`
}
const monthOf = (name: string): number => months.get(name.toLowerCase()) ?? 0

const DIGITS: Where = { begins: BEGINS.digit, words: [] }
const MONTH_NAMES: Where = { begins: 0, words: [...months.keys()] }
const WEEKDAY_NAMES: Where = { begins: 0, words: [...weekdays.keys()] }

const rule = (where: Where, pattern: string, read: FactRule['read'], flags = 'iuy'): FactRule => ({
  kind: 'date',
  where,
  pattern: new RegExp(pattern, flags),
  read,
})

export const dateRules: readonly FactRule[] = [
  rule(DIGITS, `${START}(${YEAR})-(0[1-9]|1[0-2])-(${DAY})(?!\\d)t?`, ([, year, month = '', day = '']) => [
    dateOf(year, month, day),
  ]),
  rule(
    DIGITS,
    `${START}(${DAY})\\. ?(0?[1-9]|1[0-2])\\. ?(${YEAR}|\\d\\d(?![\\d:.]))${END}`,
    ([, day = '', month = '', year]) => [dateOf(year, month, day)],
  ),
  rule(
    DIGITS,
    `(?:${START}(?<=(?:am|bis|vom|zum|ab|seit|den|dem|und) )${DAY}|${START}(?:0[1-9]|[12]\\d|3[01]))\\.(?:0?[1-9]|1[0-2])\\.(?!\\d)`,
    ([match = '']) => {
      const [day = '', month = ''] = match.split('.')
      return [dateOf(undefined, month, day)]
    },
  ),
  // 03/11/2026 is a day in March or in November: it stays as it is written, unless one part cannot be a month.
  rule(DIGITS, `${START}(${DAY})/(${DAY})/(${YEAR})${END}`, ([, first = '', second = '', year = '']) => {
    if (Number(first) > 12) return [dateOf(year, second, first)]
    if (Number(second) > 12) return [dateOf(year, first, second)]
    return [`${two(first)}/${two(second)}/${year}`]
  }),
  rule(
    DIGITS,
    `${START}(${DAY})(?:st|nd|rd|th|\\.)? (?:of )?(${MONTH})\\.?(?:,? (${YEAR}))?${END}`,
    ([, day = '', month = '', year]) => [dateOf(year, monthOf(month), day)],
  ),
  rule(
    MONTH_NAMES,
    `${START}(${MONTH})\\.? (?:the )?(${DAY})(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)(?:,? (${YEAR}))?${END}`,
    // In small letters they are verbs: "may 5 people join".
    ([, month = '', day = '', year]) =>
      month === 'may' || month === 'march' ? undefined : [dateOf(year, monthOf(month), day)],
  ),
  rule(MONTH_NAMES, `${START}(${MONTH})\\.? (${YEAR})${END}`, ([, month = '', year = '']) => [
    `${year}-${two(monthOf(month))}`,
  ]),
  // A month alone has its capital, and "May" a preposition: one may march without a date.
  rule(
    MONTH_NAMES,
    `${START}(?:(${capital(MONTHS)})|(?<=(?:in|by|until|since|of|from|during|before|after) )(May))${END}`,
    ([, month, may]) => [`-${two(monthOf(month ?? may ?? ''))}`],
    'uy',
  ),
  rule(WEEKDAY_NAMES, `${START}(${WEEKDAYS.join('|')})s?${END}`, ([, day = '']) => [
    `weekday ${weekdays.get(day.toLowerCase()) ?? 0}`,
  ]),
]
