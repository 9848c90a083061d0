// The patterns of facts, each with the reader of its values.
import {
  anyOf,
  CURRENCIES,
  CURRENCY_BEFORE,
  INTERVALS,
  MEASURES,
  MONTHS,
  MONTHS_ALONE,
  NEGATION,
  OTHER_MEASURES,
  RANGE,
  SET_PHRASES,
  POWERS,
  SHORT_AND_LONG_WEEKDAYS,
  SHORT_WEEKDAY,
  TIME_UNITS,
  WEEKDAYS,
  type WordRow,
} from './fact-words.ts'

export type FactKind =
  'amount' | 'date' | 'duration' | 'email' | 'negation' | 'number' | 'percentage' | 'phone' | 'time' | 'url'

const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

/** Thousands have a comma, dot, apostrophe, space or nothing, or as in India; decimals a comma or dot. */
const DIGITS =
  "\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?" +
  '|\\d{1,2}(?:,\\d\\d){1,4},\\d{3}(?!\\d)(?:\\.\\d{1,9}(?!\\d))?|\\d+(?:[.,]\\d+)?|(?<![\\d.])\\.\\d+'
/** A minus sign stands apart from what is before it. */
const NUMBER = `(?:(?<![^\\s(["':=€$£¥₩₹])-)?(?:${DIGITS})`
const NUMBERS = `(?:(?<from>${NUMBER})(?: ?%)?(?:${RANGE}))?(?<number>${NUMBER})`
/** The second number may have a unit of its own: "€5 and 3 days" is no range of amounts. */
const OWN_UNIT = `(?!\\d[\\d.,']*[ -]?(?:%|${anyOf(MEASURES)}|${OTHER_MEASURES}|${anyOf(TIME_UNITS)})${END})`
const AMOUNTS = `(?:(?<from>${NUMBER})(?:${RANGE})${OWN_UNIT})?(?<number>${NUMBER})`

const WHOLE = '(?:full|whole|complete|calendar|volle[nr]?|ganze[nr]?|pleins?|completos?)'
const FACTOR = `(?: ?(?<power>${anyOf(POWERS)})(?!\\p{L}))?`
const MONTH = `(?<name>${MONTHS.join('|')})`
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])'
/** "24 to 26 December" are two days. */
const TO_DAY = `(?:${RANGE}| (?:through|until|bis zum|au|al) )(?:the |dem |den |le |el )?`
const FROM_DAY = `(?:(?<fromDay>0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th|er|\\.|º)?${TO_DAY})?`
const DIGITS_OF_MONTH = '(?<month>0?[1-9]|1[0-2])'
const YEAR = '(?<year>(?:19|20)\\d\\d)'
const OF_YEAR = `(?:,? (?:de |del )?${YEAR})?`
const HOUR = '(?<hour>[01]?\\d|2[0-4])(?:[:.](?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d))?)?'
const FROM_HOUR =
  '(?:(?<fromHour>[01]?\\d|2[0-4])(?:[:.](?<fromMinute>[0-5]\\d)(?::(?<fromSecond>[0-5]\\d))?)?' +
  `(?: uhr)?(?:${RANGE}))?`
/** The French write a time as they write a duration: without minutes ("19h") it needs a preposition. */
const H_HOUR = '(?<hour>[01]?\\d|2[0-3]) ?h'
const H_FROM = `(?<fromHour>[01]?\\d|2[0-3]) ?h? ?(?<fromMinute>[0-5]\\d)?(?:${RANGE})`
const H_END = '(?:(?:eu|o)?r?[ae]?s?)(?![\\p{L}\\p{N}])'
const AT = '(?<=(?:^|[^\\p{L}])(?:à|dès|vers|las|um|ab|at) )'
const BETWEEN = '(?<=(?:^|[^\\p{L}])(?:de|entre|from|von|zwischen) )'

const REST = `[^\\s<>"'()\\[\\]{}|\\\\^]*`
const LABEL = '[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,62}'
/** The last label of a host begins no sentence, so it is not capitalized; "e.g" and "z.B" are too short. */
const HOST = `(?=[\\p{L}\\p{N}-]{2})(?:${LABEL}\\.){1,5}(?:[\\p{Ll}\\p{Lo}]{2,24}|[A-Z]{2,24})`

export type Groups = Readonly<Record<string, string | undefined>>
type Reader = (groups: Groups) => readonly (readonly [value: string, unit?: string])[]

/**
 * A single separator before three digits separates thousands ("1,200" and "1.200" are "1200"), because the
 * answer's language is unknown. Leading zeros stay: "0800" is not a quantity.
 */
function readNumber(text: string): string {
  const compact = text.replaceAll(/[ ']/g, '').replace(/^-?(?=[.,])/, '$&0')
  const isMixed = compact.includes('.') && compact.includes(',')
  if (!isMixed && /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$|^-?\d\d?(?:,\d\d)+,\d{3}$/.test(compact))
    return compact.replaceAll(/[.,]/g, '')
  const [whole, decimals = ''] = compact.replaceAll(/[.,](?=.*[.,])/g, '').split(/[.,]/)
  const kept = trimmed(decimals, '0')
  return kept === '' ? `${whole}` : `${whole}.${kept}`
}

/** Reads them without their signs. */
export const numbersIn = (text: string): string[] =>
  Array.from(text.matchAll(new RegExp(DIGITS, 'g')), ([digits]) => readNumber(digits))

function lookUp<T>(table: readonly WordRow<T>[]) {
  const patterns = table.map(([pattern, meaning]) => [new RegExp(`^(?:${pattern})$`, 'iu'), meaning] as const)
  return (word = ''): T | undefined => patterns.find(([pattern]) => pattern.test(word))?.[1]
}
const unitOf = lookUp([...CURRENCIES, ...TIME_UNITS, ...MEASURES])
const intervalOf = lookUp(INTERVALS)
const monthOf = lookUp(MONTHS.map((names, index) => [names, index + 1]))
const powerOf = lookUp(POWERS)
export const weekdayOf = lookUp(SHORT_AND_LONG_WEEKDAYS.map((names, index) => [names, index + 1]))
const twoDigits = (number: string | number | undefined): string => String(number ?? 0).padStart(2, '0')

const asWritten: Reader = ({ text = '' }) => [[text.toLowerCase()]]
const path: Reader = ({ text = '' }) => [[trimmed(text).toLowerCase()]]

const quantities: Reader = ({ from, number, unit, power, measure = '', sign = '' }) => {
  // French counts octets.
  const [name, times] = unitOf(unit) ?? [measure.toLowerCase().replace(/^([kmg])o$/, '$1b'), 1]
  const factor = times * (powerOf(power) ?? 1)
  return [from, number].flatMap((text) => {
    if (text === undefined) return []
    const value = (text.startsWith('-') ? '' : sign) + readNumber(text)
    return [[factor === 1 ? value : String(Math.round(Number(value) * factor * 1e6) / 1e6), name]]
  })
}

const interval: Reader = ({ unit }) => {
  const [name, seconds] = intervalOf(unit) ?? ['', 1]
  return [[String(seconds), name]]
}

const hoursAndMinutes: Reader = ({ hours, minutes }) => [
  [String(Number(hours) * 3600 + Number(minutes) * 60), 's'],
]

/** The date is in ISO 8601; `--11-03` is a day of every year. */
const date: Reader = ({ weekday, year, month, name, fromDay, day, first, second, slash }) => {
  if (weekday !== undefined) return [[`weekday ${weekdayOf(weekday)}`]]
  const since = year?.padStart(4, '20') ?? '-'
  if (first === undefined || second === undefined) {
    const ofMonth = `${since}-${twoDigits(month ?? monthOf(name))}`
    const days = [fromDay, day].filter((some) => some !== undefined)
    return days.length === 0 ? [[ofMonth]] : days.map((some) => [`${ofMonth}-${twoDigits(some)}`])
  }
  const [low, high] = first.padStart(2, '0') < second.padStart(2, '0') ? [first, second] : [second, first]
  // Ambiguous: 3/11 is a day in March or in November. It stays as written.
  return Number(high) <= 12 && low !== high
    ? [[`${twoDigits(first)}${slash}${twoDigits(second)}${slash}${since}`]]
    : [[`${since}-${twoDigits(low)}-${twoDigits(high)}`]]
}

const time: Reader = ({ half, ...groups }) => {
  const { fromHour, fromMinute = '00', fromSecond, hour, minute, second, after = '00' } = groups
  const hourOf = (text = ''): number =>
    half === undefined ? Number(text) : (Number(text) % 12) + (/p/i.test(half) ? 12 : 0)
  // Seconds stand where they are not zero.
  const written = (...[hours, minutes, seconds = '00']: [number, string, string?]): string =>
    `${twoDigits(hours)}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`
  const to = written(hourOf(hour), minute ?? after, second)
  if (fromHour === undefined) return [[to]]
  const from = written(hourOf(fromHour), fromMinute, fromSecond)
  // "11 to 2 pm" begins before noon.
  const isBefore = half === undefined || from < to
  return [[isBefore ? from : written((hourOf(fromHour) + 12) % 24, fromMinute, fromSecond)], [to]]
}

const phone: Reader = ({ text = '' }) => [[text.replaceAll(/\(0\)|[^\d+]/g, '').replace(/^00/, '+')]]

/** The host is lower case, the path ends without a slash, and a missing scheme counts as https. */
const url: Reader = ({ text = '' }) => {
  const [, scheme = 'https://', host = '', rest = ''] =
    /^([a-z]+:\/\/)?([^/?#]*)(.*)$/isu.exec(trimmed(text)) ?? []
  const behind = rest.endsWith('/') && !/[?#]/.test(rest) ? rest.slice(0, -1) : rest
  return [[`${scheme.toLowerCase()}${host.toLowerCase()}${behind}`]]
}

/** Trims the punctuation at the end. A loop, because a pattern would take quadratic time. */
export function trimmed(text: string, signs = '.,;:!?*_`~'): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const READERS: Readonly<Record<FactKind, Reader>> = {
  amount: quantities,
  date,
  duration: quantities,
  email: asWritten,
  negation: () => [['not']],
  number: quantities,
  percentage: quantities,
  phone,
  time,
  url,
}

const EVERY = new RegExp(anyOf(INTERVALS), 'i')
const MAY_BE_MONEY = new RegExp(anyOf(CURRENCIES), 'i')
/** Most texts have no digit, and cannot have these. */
const NEED_DIGITS: ReadonlySet<string> = new Set('amount duration number percentage phone time'.split(' '))

/**
 * Each pattern sees only what earlier ones left: a date is not three numbers. Repetitions are bounded, for
 * linear time. A text without the hint of a pattern is not searched for it, which saves time.
 */
const PATTERNS: readonly (readonly [
  kind: FactKind | 'ignored',
  pattern: string,
  but?: { readonly hint?: RegExp; readonly read?: Reader; readonly flags?: string; readonly isOpen?: true },
])[] = [
  [
    'email',
    '(?<![\\p{L}\\p{N}._%+-])(?:mailto:)?' +
      '(?<text>[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8})',
    { hint: /@/ },
  ],
  ['url', `(?<text>(?:(?:https?|ftps?|file|sftp|ssh|smb)://|www\\.)${REST})`, { hint: /:\/\/|www\./i }],
  [
    'url',
    '(?<text>\\\\{2}[\\p{L}\\p{N}][^\\s"<>|*]*|(?<![\\p{L}\\p{N}])[a-z]:\\\\[^\\s"<>|*]+)',
    { read: path, hint: /\\/ },
  ],
  [
    'url',
    `(?<text>${HOST}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])(?::\\d{2,5})?(?:[/?#]${REST})?)`,
    { flags: 'gu', hint: /\.\p{L}/u },
  ],
  ['date', `${START}${YEAR}[-/.]${DIGITS_OF_MONTH}[-/.]${DAY}(?!\\d)t?`, { isOpen: true }],
  ['date', `(?:${YEAR} ?[年년] ?)?${DIGITS_OF_MONTH} ?[月월](?: ?${DAY} ?[日号號일])?`, { hint: /[月월]/ }],
  [
    'date',
    `${DAY}\\. ?${DIGITS_OF_MONTH}\\. ?(?<year>(?:19|20)?\\d\\d(?!\\d|[:.]\\d))`,
    { hint: /\d\. ?\d/ },
  ],
  [
    'date',
    '(?:(?<=(?:am|bis|vom|zum|ab|den|dem|und) )|(?<![€$£] ?|\\d\\.)(?=\\d\\d\\.))' +
      `${DAY}\\.${DIGITS_OF_MONTH}\\.(?!\\d)`,
    { hint: /\d\.\d\d?\./ },
  ],
  // "(24/12)", "le 05/07": two digits each, or a day that is no month; "24/7" is read before.
  [
    'date',
    '(?<!/)(?:(?<first>[0-3]\\d)(?<slash>/)(?<second>[0-3]\\d)' +
      `|(?<day>1[3-9]|2\\d|3[01])/${DIGITS_OF_MONTH})(?!/)`,
    { hint: /\d\/\d/ },
  ],
  [
    'date',
    '(?<!\\d[/-])(?<first>[0-3]?\\d)(?<slash>[/-])(?<second>[0-3]?\\d)\\k<slash>(?<year>(?:19|20)?\\d\\d)',
  ],
  ['date', `${FROM_DAY}${DAY}(?:st|nd|rd|th|er|\\.|º)? (?:of |de )?${MONTH}\\.?${OF_YEAR}`],
  // In lower case these are verbs: "may 5 people join".
  ['ignored', `(?:may|march)(?= \\d)`, { flags: 'gu' }],
  ['date', `${MONTH}\\.? (?:the )?(?:${FROM_DAY})${DAY}(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)${OF_YEAR}`],
  ['date', `(?<name>${MONTHS_ALONE})(?: (?:de |del )?${YEAR})?`, { flags: 'gu' }],
  // A short one may stand beside a long one, which must still be there.
  ['date', `(?<weekday>${SHORT_WEEKDAY})`, { flags: 'gu' }],
  ['date', `(?<weekday>${WEEKDAYS.join('|')})s?`],
  // The numbers of a list.
  [
    'ignored',
    '(?<=^|\\n) ?\\(?(?:(?:step|schritt|étape|paso) \\d{1,3}[.:)]?' +
      '|\\d{1,3}(?:\\.\\d{1,2})*[.)])\\)?(?= |\\n|$)',
    { hint: /^ ?\(?(?:\d|step|schritt|étape|paso)/im },
  ],
  // Codes of forms and rooms: "FM-3", "U2.04".
  [
    'number',
    `(?<text>[A-Z]{1,6}(?:-\\d{1,6}|\\d{1,4}(?:[.-]\\d{1,4})+))`,
    { read: asWritten, flags: 'gu', hint: /[A-Z][-\d]/ },
  ],
  ['time', `${FROM_HOUR}${HOUR} ?(?<half>[ap])\\.? ?m\\b\\.?`, { hint: /\d ?[ap]\.? ?m/i }],
  ['time', `${FROM_HOUR}${HOUR} ?uhr(?: (?<after>[0-5]\\d)(?! ?[\\p{L}%€]))?`, { hint: /uhr/i }],
  [
    'duration',
    // "After 9 hours 45 minutes are due" is no time of 9:45.
    '(?<!(?:after|nach|après|tras) )' +
      `(?<hours>\\d{1,3}) ?(?:h|hours?|std|stunden?|heures?|horas?)\\.?(?: and| und| et| y|,)?` +
      ` ?(?<minutes>[0-5]?\\d) ?(?:mins?|minutes?|minuten?|minutos?)`,
    { read: hoursAndMinutes },
  ],
  ['time', `(?:${H_FROM})?${H_HOUR} ?(?<minute>[0-5]\\d)`, { hint: /\d ?h/i }],
  ['time', `${BETWEEN}${H_FROM}${H_HOUR}${H_END}`, { hint: /\d ?h/i }],
  ['time', `${AT}${H_HOUR}${H_END}(?! (?:avant|après|antes|después|plus))`, { hint: /\d ?h/i }],
  [
    'time',
    `(?<![\\p{N}:])(?:${BETWEEN}${FROM_HOUR})?(?<hour>[01]?\\d|2[0-4]):(?<minute>[0-5]\\d)` +
      '(?::(?<second>[0-5]\\d)(?:\\.\\d{3,9})?)?(?:z| ?h(?:rs?|ours?|oras?|eures?)?)?(?!\\p{N}|:\\d)',
    { hint: /\d:\d/ },
  ],
  [
    'phone',
    '(?<![\\p{L}\\p{N}.,+])' +
      `(?<text>(?:\\+\\d{1,3}(?: ?\\(\\d{1,5}\\)\\d{0,5})?|\\(?0\\d{1,5}\\)?)(?:[ /)-]{1,3}\\d{1,10}){1,6}` +
      `|\\+\\d{1,3}(?:\\.\\d{1,10}){2,6}` +
      `|(?:1[ -])?\\(?\\d{3}\\)?[ .-]\\d{3}[.-]\\d{4}` +
      `|[6-9]\\d\\d(?: \\d{3} \\d{3}|(?:[ .-]\\d\\d){3})(?! ?[\\d€$£])` +
      '|\\+\\d{7,15}|0\\d{6,14})',
    { hint: /\d[\d ()/.-]{3,}\d/ },
  ],
  [
    'percentage',
    `${START}${NUMBERS} ?(?:%|(?:per ?cent|prozent|pour cent|por ciento)${END})`,
    { isOpen: true, hint: /%|cent|prozent|ciento/i },
  ],
  [
    'amount',
    `(?<![\\p{L}\\p{N}]|\\d )(?<sign>(?<![^\\s(["':=])-)?` +
      `(?<unit>${CURRENCY_BEFORE}) ?${AMOUNTS}${FACTOR}(?:,-{1,2})?`,
    { hint: MAY_BE_MONEY },
  ],
  [
    'amount',
    `${NUMBERS}(?:,-{1,2})?${FACTOR} ?(?:de |d')?(?<unit>${anyOf(CURRENCIES)})`,
    { hint: MAY_BE_MONEY },
  ],
  // "Under-14s" are no seconds.
  ['ignored', '(?<=(?:under|over|early|mid|late)[ -])\\d{1,2}s'],
  ['number', `${NUMBERS}[ -]?(?:(?<measure>${OTHER_MEASURES})|(?<unit>${anyOf(MEASURES)}))`],
  // "Five thousand an hour" are no French years.
  ['duration', `${NUMBERS}[ -]?(?:${WHOLE} ){0,2}(?!an hour|s['’])(?<unit>${anyOf(TIME_UNITS)})`],
  // "Twice a year" may be "twice yearly".
  ['ignored', `(?<=(?:mal|times|fois|veces) )${anyOf(INTERVALS)}`, { hint: EVERY }],
  ['duration', `(?<unit>${anyOf(INTERVALS)})`, { read: interval, hint: EVERY }],
  // "No. 5" is a number.
  ['ignored', `${SET_PHRASES}|no\\.(?= ?\\d)`],
  ['negation', `(?:${START}(?:${NEGATION})|(?<=\\p{L})n't)${END}`, { isOpen: true }],
  // Versions, IP addresses and serial numbers are not decimal numbers: 2.10 comes after 2.9.
  [
    'number',
    `(?:version |release |v)(?<text>\\d+(?:\\.\\d+){0,6})`,
    { read: asWritten, hint: /v\d|version|release/i },
  ],
  [
    'number',
    `(?<text>(?!\\d{1,3}(?:\\.\\d{3}){1,6}(?![\\d.]))\\d+(?:\\.\\d+){2,6})`,
    { read: asWritten, hint: /\d\.\d+\.\d/ },
  ],
  ['number', `${NUMBERS}(?:(?:st|nd|rd|th|er|e|º|ª|o|a)(?!\\p{L})|${FACTOR})`],
  [
    'number',
    `(?=\\p{L}{1,40}\\p{N}|\\p{N}{1,40}\\p{L})(?<text>[\\p{L}\\p{N}]+)`,
    { read: asWritten, hint: /[a-z\u00c0-\uffff]\d|\d[a-z\u00c0-\uffff]/i },
  ],
]
export const FACT_PATTERNS = PATTERNS.map(
  ([kind, pattern, { hint, read, flags = 'giu', isOpen = false } = {}]) => ({
    kind,
    hint: hint ?? (NEED_DIGITS.has(kind) ? /\d/ : undefined),
    pattern: new RegExp(isOpen ? pattern : `${START}(?:${pattern})${END}`, flags),
    read: kind === 'ignored' ? undefined : (read ?? READERS[kind]),
  }),
)
