// What counts as a fact of an answer, in English and German: one table of patterns, each with the normal form of what it matches.

export type FactKind =
  | 'amount'
  | 'date'
  | 'duration'
  | 'email'
  | 'extension'
  | 'name'
  | 'negation'
  | 'number'
  | 'percentage'
  | 'phone'
  | 'time'
  | 'url'

export interface FactRule {
  readonly kind: FactKind
  /** Each start may look ahead only a bounded way or consume what it saw, so that a text takes linear time. */
  readonly pattern: RegExp
  /** Values of a match (a range has two). None: it says nothing, and no later rule sees it. Undefined: not for this rule. */
  readonly read: Read
}
type Read = (match: readonly (string | undefined)[]) => readonly string[] | undefined

/** Neither letter nor digit before, and after: a whole word. */
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

const rule = (kind: FactKind, pattern: string, read: Read, flags = 'giu'): FactRule => ({
  kind,
  pattern: new RegExp(pattern, flags),
  read,
})
const words = (kind: FactKind, pattern: string, read: Read, flags?: string): FactRule =>
  rule(kind, `${START}${pattern}${END}`, read, flags)

// Numbers

/** Thousands apart by comma, dot, apostrophe or space, or not at all; decimals after a comma or a dot. A minus sign has a space before it. */
const DIGITS = `(?:(?<![^\\s(])-)?(?:\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?|\\d+(?:[.,]\\d+)?)`
const RANGE = `(?: ?- ?| to | bis | and | und | or | oder )`

/**
 * "1,200" and "1.200" to "1200", "1.200,50" to "1200.5". One separator with three digits after it parts thousands: which language
 * the answer has is not known. Leading zeros stay: "0800" is no quantity.
 */
function readNumber(text: string): string {
  const compact = text.replaceAll(/[ ']/g, '')
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  if (last === -1) return compact
  const isMixed = compact.includes('.') && compact.includes(',')
  if (!isMixed && /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(compact)) return compact.replaceAll(/[.,]/g, '')
  const whole = compact.slice(0, last).replaceAll(/[.,]/g, '')
  const decimals = compact.slice(last + 1).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** A number beyond exact arithmetic stays as it is written, with its factor. */
function scale(number: string, factor: number): string {
  if (factor === 1) return number
  if (number.length > 12) return `${number}*${factor}`
  return String(Math.round(Number(number) * factor * 1e6) / 1e6)
}

const valuesOf = (numbers: readonly (string | undefined)[], factor: number, unit: string): string[] =>
  numbers.flatMap((one) => (one === undefined ? [] : [`${scale(readNumber(one), factor)}${unit}`]))

/** What a word stands for, by the first of the patterns that is all of it. */
const lookUp = <T>(table: readonly (readonly [pattern: string, meaning: T])[]) => {
  const patterns = table.map(([pattern, meaning]) => [new RegExp(`^(?:${pattern})$`, 'iu'), meaning] as const)
  return (word: string): T | undefined => patterns.find(([pattern]) => pattern.test(word))?.[1]
}
const anyOf = (table: readonly (readonly [pattern: string, ...unknown[]])[]): string =>
  `(?:${table.map(([pattern]) => pattern).join('|')})`

// Where to go and whom to reach

const TOP_LEVEL = 'com|org|net|de|at|ch|eu|uk|io|dev|app|info|local|internal|example|test'
const REST = `[^\\s<>"'()\\[\\]{}|\\\\^]*`

/** Scheme and host in small letters, no slash at the end of the path; an address without its scheme is taken for https. */
function addressOf(text: string): string {
  const trimmed = text.slice(0, text.length - trailing(text))
  const [, scheme = 'https://', host = '', rest = ''] = /^([a-z]+:\/\/)?([^/?#]*)(.*)$/isu.exec(trimmed) ?? []
  return `${scheme.toLowerCase()}${host.toLowerCase()}${rest.endsWith('/') && !/[?#]/.test(rest) ? rest.slice(0, -1) : rest}`
}

/** How many signs at the end belong to the sentence. Counted, as a pattern would look at each start anew. */
export function trailing(text: string): number {
  let count = 0
  while (count < text.length && '.,;:!?*_`~'.includes(text.charAt(text.length - 1 - count))) count += 1
  return count
}

const ADDRESSES = [
  rule(
    'email',
    `(?<![\\p{L}\\p{N}._%+-])(?:mailto:)?([\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8})`,
    ([, address = '']) => [address.toLowerCase()],
  ),
  rule(
    'url',
    `${START}(?:(?:https?|ftp)://${REST}|www\\.${REST}|(?:[a-z0-9][a-z0-9-]{0,62}\\.){1,5}(?:${TOP_LEVEL})(?![\\p{L}\\p{N}-]|\\.[a-z])(?:[/?#]${REST})?)`,
    ([match = '']) => [addressOf(match)],
  ),
  words(
    'extension',
    `(?:(?:ext(?:ension)?|durchwahl|nebenstelle|dw)\\.?:?\\s?(?:number |no\\. ?|nr\\. ?|nummer )?|x)(\\d{2,6})`,
    ([, digits = '']) => [digits],
  ),
]

const PHONE = rule(
  'phone',
  `(?<![\\p{L}\\p{N}.,+])(?:\\+\\d{1,3}|\\(?0\\d{1,5}\\)?)(?:[ /()-]{1,3}\\d{1,10}){1,6}${END}`,
  ([match = '']) => {
    const digits = match.replace('(0)', '').replaceAll(/[^\d+]/g, '')
    return digits.length < 6 ? undefined : [digits]
  },
)

// Days and times

const MONTHS =
  'january|januar|jänner|jan february|februar|feb march|märz|mar|mär|mrz april|apr may|mai june|juni|jun july|juli|jul august|aug september|sept|sep october|oktober|oct|okt november|nov december|dezember|dec|dez'.split(
    ' ',
  )
const WEEKDAYS =
  'monday|montag tuesday|dienstag wednesday|mittwoch thursday|donnerstag friday|freitag saturday|samstag|sonnabend sunday|sonntag'.split(
    ' ',
  )
const monthOf = lookUp(MONTHS.map((names, place) => [names, place + 1]))
const weekdayOf = lookUp(WEEKDAYS.map((names, place) => [names, place + 1]))
const MONTH = `(?:${MONTHS.join('|')})`
/** Names of months that stand alone have their capital. */
const MONTH_ALONE =
  'January|Januar|Jänner|February|Februar|March|März|April|Mai|June|Juni|July|Juli|August|September|October|Oktober|November|December|Dezember'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const YEAR = '(?:19|20)\\d\\d'

const two = (number: string | number = 0): string => String(Number(number)).padStart(2, '0')
/** As ISO 8601 has it; `--11-03` for a day of every year. */
function dateOf(year: string | undefined, month: string | number = 0, day: string): string {
  const full = year === undefined ? '-' : year.length === 2 ? `20${year}` : year
  return `${full}-${two(month)}-${two(day)}`
}

const DATES = [
  rule('date', `${START}(${YEAR})-(0[1-9]|1[0-2])-(${DAY})(?!\\d)t?`, ([, year, month = '', day = '']) => [
    dateOf(year, month, day),
  ]),
  words(
    'date',
    `(${DAY})\\. ?(0?[1-9]|1[0-2])\\. ?(${YEAR}|\\d\\d(?![\\d:.]))`,
    ([, day = '', month = '', year]) => [dateOf(year, month, day)],
  ),
  rule(
    'date',
    `(?=\\d)(?:${START}(?<=(?:am|bis|vom|zum|ab|seit|den|dem|und) )${DAY}|${START}(?:0[1-9]|[12]\\d|3[01]))\\.(?:0?[1-9]|1[0-2])\\.(?!\\d)`,
    ([match = '']) => {
      const [day = '', month = ''] = match.split('.')
      return [dateOf(undefined, month, day)]
    },
  ),
  // 03/11/2026 is a day in March or in November: it stays as it is written, unless one part cannot be a month.
  words('date', `(${DAY})/(${DAY})/(${YEAR})`, ([, first = '', second = '', year = '']) => {
    if (Number(first) > 12) return [dateOf(year, second, first)]
    if (Number(second) > 12) return [dateOf(year, first, second)]
    return [`${two(first)}/${two(second)}/${year}`]
  }),
  words(
    'date',
    `(${DAY})(?:st|nd|rd|th|\\.)? (?:of )?(${MONTH})\\.?(?:,? (${YEAR}))?`,
    ([, day = '', month = '', year]) => [dateOf(year, monthOf(month), day)],
  ),
  words(
    'date',
    `(${MONTH})\\.? (?:the )?(${DAY})(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)(?:,? (${YEAR}))?`,
    // In small letters they are verbs: "may 5 people join".
    ([, month = '', day = '', year]) =>
      month === 'may' || month === 'march' ? undefined : [dateOf(year, monthOf(month), day)],
  ),
  words('date', `(${MONTH})\\.? (${YEAR})`, ([, month = '', year = '']) => [
    `${year}-${two(monthOf(month))}`,
  ]),
  // "May" alone has a preposition: one may march without a date.
  words(
    'date',
    `(?:(${MONTH_ALONE})|(?<=(?:in|by|until|since|of|from|during|before|after) )(May))`,
    ([, month, may]) => [`-${two(monthOf(month ?? may ?? ''))}`],
    'gu',
  ),
  words('date', `(${WEEKDAYS.join('|')})s?`, ([, day = '']) => [`weekday ${weekdayOf(day) ?? 0}`]),
]

const HOUR = '(?:[01]?\\d|2[0-4])'
function timeOf(hour: string, minute = '00', half = ''): string {
  const base = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${two(base)}:${minute}`
}

const TIMES = [
  // "3 pm", "3:30 p.m.", "3-5 pm".
  words(
    'time',
    `(?:(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))?(?: ?- ?| to ))?(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))? ?([ap])\\.? ?m\\b\\.?`,
    ([, from, fromMinute, to = '', toMinute, half]) => [
      ...(from === undefined ? [] : [timeOf(from, fromMinute, half)]),
      timeOf(to, toMinute, half),
    ],
  ),
  // "15 Uhr", "15.30 Uhr", "15 Uhr 30", "9-17 Uhr".
  words(
    'time',
    `(?:(${HOUR})(?:[:.]([0-5]\\d))?(?: uhr)?(?: ?- ?| bis | und ))?(${HOUR})(?:[:.]([0-5]\\d))? ?uhr(?: ([0-5]\\d))?`,
    ([, from, fromMinute, to = '', toMinute, after]) => [
      ...(from === undefined ? [] : [timeOf(from, fromMinute)]),
      timeOf(to, toMinute ?? after),
    ],
  ),
  rule(
    'time',
    `(?<![\\p{N}:])(${HOUR}):([0-5]\\d)(?::([0-5]\\d))?(?![\\p{N}]|:\\d)`,
    ([, hour = '', minute, second]) => [
      timeOf(hour, second === undefined || second === '00' ? minute : `${minute ?? ''}:${second}`),
    ],
  ),
  words('time', '(?:12 )?(?:noon|midday)', () => ['12:00']),
  words('time', '(?:12 )?(?:midnight|mitternacht)', () => ['00:00']),
]

// Money, shares, measures

const CURRENCIES = [
  ['€|eur|euros?', 'EUR'],
  ['us\\$|\\$|usd|dollars?', 'USD'],
  ['£|gbp|pounds?', 'GBP'],
  ['chf|sfr\\.?|franken|francs?', 'CHF'],
  ['¥|jpy|yen', 'JPY'],
  ['cents?', 'cent'],
] as const
/** Words stand after the number only. */
const BEFORE = '(?:€|eur|us\\$|\\$|usd|£|gbp|chf|sfr\\.?|¥|jpy)'
const codeOf = lookUp<string>(CURRENCIES)
const FACTOR = `(?: ?(k|thousand|tausend|tsd\\.?|million(?:en|s)?|mio\\.?)(?!\\p{L}))?`
const factorOf = (word: string | undefined): number =>
  word === undefined ? 1 : /^mi/iu.test(word) ? 1_000_000 : 1000
const MEASURE = '(?:[kmgt]i?b|[kmg]bit/s|[kmg]bps|[kmg]?hz|km/h|km|cm|mm|m|kg|g|kwh|kw|px|dpi|°c|° c|bytes?)'

const QUANTITIES = [
  rule(
    'percentage',
    `${START}(?:(${DIGITS})(?: ?%)?${RANGE})?(${DIGITS}) ?(?:%|(?:per ?cent|percent|prozent)${END})`,
    ([, from, to]) => valuesOf([from, to], 1, '%'),
  ),
  rule(
    'amount',
    `(?<![\\p{L}\\p{N}]|\\d )(${BEFORE}) ?(${DIGITS})${FACTOR}(?:(?: ?- ?| to | bis )(?:${BEFORE})? ?(${DIGITS}))?(?:,-{1,2})?${END}`,
    ([, currency = '', from, factor, to]) => valuesOf([from, to], factorOf(factor), ` ${codeOf(currency)}`),
  ),
  words(
    'amount',
    `(?:(${DIGITS})(?:,-{1,2})?${RANGE})?(${DIGITS})(?:,-{1,2})?${FACTOR} ?(${anyOf(CURRENCIES)})`,
    ([, from, to, factor, currency = '']) => valuesOf([from, to], factorOf(factor), ` ${codeOf(currency)}`),
  ),
  words('number', `(?:(${DIGITS})${RANGE})?(${DIGITS})[ -]?(${MEASURE})`, ([, from, to, unit = '']) =>
    valuesOf([from, to], 1, ` ${unit.toLowerCase().replace(' ', '')}`),
  ),
]

/** A day is 24 hours here: "within one day" and "within 24 hours" promise the same. Months are not so many days. */
const UNITS: readonly (readonly [pattern: string, meaning: readonly [factor: number, unit: string]])[] = [
  ['ms|milliseconds?|millisekunden?', [0.001, 's']],
  ['s|secs?|seconds?|sek|sekunden?', [1, 's']],
  ['mins?|minutes?|minuten?|minütig\\p{L}{0,2}', [60, 's']],
  ['h|hrs?|hours?|std|stunden?|stündig\\p{L}{0,2}', [3600, 's']],
  [
    '(?:business|working|work)[- ]days?|werktag(?:en?|s|es)?|arbeitstag(?:en?|s|es)?|geschäftstag(?:en?|s|es)?',
    [1, 'working days'],
  ],
  ['days?|tag(?:en?|s|es)?|tägig\\p{L}{0,2}', [86_400, 's']],
  ['wks?|weeks?|wochen?|wöchig\\p{L}{0,2}', [604_800, 's']],
  ['fortnights?', [1_209_600, 's']],
  ['months?|monat(?:en?|s|es)?|monatig\\p{L}{0,2}', [1, 'months']],
  ['yrs?|years?|jahr(?:en?|s|es)?|jährig\\p{L}{0,2}', [12, 'months']],
]
const UNIT = anyOf(UNITS)
const unitOf = lookUp(UNITS)
function lasting(number: string, name = ''): string {
  const [factor, unit] = unitOf(name) ?? [1, name]
  return `${scale(readNumber(number), factor)} ${unit}`
}
const BEFORE_ONE = '(?:within|in|for|after|take|takes|last|lasts|every|about|than|least|most)'

const DURATIONS = [
  // "1 hour and 30 minutes", "1 h 30 min": one duration.
  words(
    'duration',
    `(${DIGITS}) ?(?:h|hrs?|hours?|std\\.?|stunden?) ?(?:and |und )?(${DIGITS}) ?(?:mins?|minutes?|minuten?)`,
    ([, hours = '', minutes = '']) => {
      const [some, others] = [scale(readNumber(hours), 3600), scale(readNumber(minutes), 60)]
      return [`${Math.round((Number(some) + Number(others)) * 1e6) / 1e6} s`]
    },
  ),
  words('duration', '(?:half an hour|half-hour|(?:(?:eine|einer) )?halben? stunde)', () => ['1800 s']),
  words('duration', `(?:half an? |half-|(?:einen |ein )?halbe[nrs] )(${UNIT})`, ([, unit]) => [
    lasting('0.5', unit),
  ]),
  words(
    'duration',
    `(?:(?<=\\b(?:a|one) )(?:full|whole)|(?<=\\b(?:ein|eine[nrm]?) )(?:ganze|volle)[nrs]?) (day|week|month|year|tag|woche|monat|jahr)`,
    ([, unit]) => [lasting('1', unit)],
  ),
  words('duration', '(?:an hour and a half|anderthalb stunden|eineinhalb stunden)', () => ['5400 s']),
  words('duration', `(?:(${DIGITS})${RANGE})?(${DIGITS})[ -]?(${UNIT})`, ([, from, to, unit]) =>
    [from, to].flatMap((number) => (number === undefined ? [] : [lasting(number, unit)])),
  ),
  // Not "8 hours a day", which is "8 hours per day".
  words('duration', `${BEFORE_ONE} an? (${UNIT})`, ([, unit]) => [lasting('1', unit)]),
]

// Single words

const NEGATION =
  '(?:not|cannot|no|never|none|nothing|nobody|neither|nor|nicht|nie|niemals|nichts|niemand|weder|without|ohne|forbidden|prohibited|verboten|untersagt|impossible|unmöglich|kein|keine|keinem|keinen|keiner|keines|keins)'
/** Words that are shouted, not called so. */
const SHOUTED =
  /^(?:OK|OKAY|NOTE|IMPORTANT|WARNING|PLEASE|ATTENTION|CAUTION|ONLY|ALL|AND|OR|MUST|ALWAYS|YES|TIP|STEP|HINWEIS|WICHTIG|ACHTUNG|BITTE|NUR|UND|ODER|ALLE|IMMER|JA|NEIN|TIPP|SCHRITT)$/

const WORDING = [
  // "not only" denies nothing, "no more than" is a bound, and "No. 5" a number.
  rule(
    'negation',
    `${START}(?:not only|not just|nicht nur|no\\.(?= ?\\d)|not? (?:more|less|fewer|later|earlier) than|nicht (?:mehr|weniger|später|früher) als|(?:without|ohne) (?:further|delay|hesitation|doubt|weiteres|verzögerung|zweifel))`,
    () => [],
  ),
  // One value for all: "you cannot", "you can't", "it is forbidden" and "there is no way" deny alike.
  rule('negation', `(?:${START}${NEGATION}|(?<=\\p{L})n't)${END}`, () => ['not']),
  words(
    'name',
    `((?:\\d{1,3}\\p{Lu}{2,30}|\\p{Lu}[\\p{Lu}\\p{N}]{1,30}|\\p{Lu}(?=[-_]\\d))(?:[-_](?:[\\p{Lu}\\p{N}]{1,30})${END}){0,6})s?`,
    ([, name = '']) => (SHOUTED.test(name) ? [] : [name]),
    'gu',
  ),
]

const NUMBERS = [
  // A number of a list says where a line stands.
  rule('number', String.raw`(?<=^|\n)\d{1,2}[.)] `, () => []),
  // A version is no decimal number: 2.10 comes after 2.9.
  words('number', `(?:(?:version|release) ?|v)(\\d+(?:\\.\\d+){0,6})`, ([, digits = '']) => [
    digits.replace(/(?:\.0){1,6}$/, ''),
  ]),
  // Long versions and addresses of machines: 2.3.1, 10.0.0.1, 0x80070005.
  words('number', `(?:0x[\\da-f]+|\\d+(?:\\.\\d+){2,6})`, ([match = '']) =>
    /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(match) ? [readNumber(match)] : [match.toLowerCase()],
  ),
  words('number', `(${DIGITS})(?:(?:st|nd|rd|th)(?!\\p{L})|${FACTOR})`, ([, number = '', factor]) =>
    valuesOf([number], factorOf(factor), ''),
  ),
  // Letters and digits in one word, such as a serial number: as it is written.
  rule(
    'number',
    `${START}(?=[\\p{L}\\p{N}]{0,40}\\p{N})(?=\\p{L}{1,40}\\p{N}|\\p{N}{1,40}\\p{L})[\\p{L}\\p{N}]+`,
    ([match = '']) => [match.toLowerCase()],
    'gu',
  ),
]

/** Each rule sees what the ones before it left: a date is no three numbers. */
export const RULES: readonly FactRule[] = [
  ...ADDRESSES,
  ...DATES,
  ...TIMES,
  PHONE,
  ...QUANTITIES,
  ...DURATIONS,
  ...WORDING,
  ...NUMBERS,
]
