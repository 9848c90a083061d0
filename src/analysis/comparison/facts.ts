// Finds the facts of an English or German answer with one table of patterns.
import { unifySigns } from '../grading/fold-text.ts'

export interface Fact {
  /** amount, date, duration, email, negation, number, percentage, phone, time or url. */
  readonly kind: string
  /** Normalised: different spellings of one fact have the same value. */
  readonly value: string
  /** As written in the answer, with white space and typographic signs unified. */
  readonly text: string
}

/** Bounds of a whole word: no letter or digit before or after it. */
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

/** Thousands separated by comma, dot, apostrophe, space or nothing; decimals after a comma or a dot. A minus sign follows a space. */
const NUMBER = `(?:(?<![^\\s(])-)?(?:\\d{1,3}(?:[ ,.']\\d{3}(?!\\d)){1,6}(?:[.,]\\d{1,9}(?!\\d))?|\\d+(?:[.,]\\d+)?)`
/** One number, or the two of a range. */
const NUMBERS = `(?:(?<from>${NUMBER})(?: ?%)?(?: ?- ?| to | bis | and | und | or | oder ))?(?<number>${NUMBER})`

/**
 * "1,200" and "1.200" become "1200", "1.200,50" becomes "1200.5". A single separator before three digits separates thousands,
 * because the answer's language is unknown. Leading zeros stay: "0800" is not a quantity.
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

/** Finds the meaning of a word by the first pattern that matches all of it. */
function lookUp<T>(table: readonly (readonly [pattern: string, meaning: T])[]) {
  const patterns = table.map(([pattern, meaning]) => [new RegExp(`^(?:${pattern})$`, 'iu'), meaning] as const)
  return (word = ''): T | undefined => patterns.find(([pattern]) => pattern.test(word))?.[1]
}
const anyOf = (table: readonly (readonly [pattern: string, ...unknown[]])[]): string =>
  `(?:${table.map(([pattern]) => pattern).join('|')})`

const CURRENCIES = [
  ['€|eur|euros?', [' EUR', 1]],
  ['us\\$|\\$|usd|dollars?', [' USD', 1]],
  ['£|gbp|pounds?', [' GBP', 1]],
  ['chf|franken|francs?', [' CHF', 1]],
] as const
const FACTOR = `(?: ?(?<factor>k|thousand|tausend|tsd\\.?|million(?:en|s)?|mio\\.?)(?!\\p{L}))?`

/** A day is 24 hours: "within one day" and "within 24 hours" promise the same. Months are not converted to days. */
const UNITS = [
  ['ms|milliseconds?|millisekunden?', [' s', 0.001]],
  ['s|secs?|seconds?|sek|sekunden?', [' s', 1]],
  ['mins?|minutes?|minuten?|minütig\\p{L}{0,2}', [' s', 60]],
  ['h|hrs?|hours?|std|stunden?|stündig\\p{L}{0,2}', [' s', 3600]],
  ['(?:business|working|work)[- ]days?|(?:werk|arbeits|geschäfts)tag(?:en?|s|es)?', [' working days', 1]],
  ['days?|tag(?:en?|s|es)?|tägig\\p{L}{0,2}', [' s', 86_400]],
  ['wks?|weeks?|wochen?|wöchig\\p{L}{0,2}', [' s', 604_800]],
  ['months?|monat(?:en?|s|es)?|monatig\\p{L}{0,2}', [' months', 1]],
  ['yrs?|years?|jahr(?:en?|s|es)?|jährig\\p{L}{0,2}', [' months', 12]],
] as const

/** Currencies and units of time: the unit in the fact's value, and the factor that converts to it. */
const unitOf = lookUp<readonly [unit: string, factor: number]>([...CURRENCIES, ...UNITS])

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
const MONTH = `(?<name>${MONTHS.join('|')})`
/** A month without a day needs its capital, and "May" also a preposition: "may" and "march" are verbs, too. */
const MONTH_ALONE =
  '(?<Name>January|Januar|Jänner|February|Februar|March|März|April|Mai|June|Juni|July|Juli|August|September|October|Oktober|November|December|Dezember|(?<=(?:in|by|until|since|of|from|before|after) )May)'
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])'
const DIGITS_OF_MONTH = '(?<month>0?[1-9]|1[0-2])'
const YEAR = '(?<year>(?:19|20)\\d\\d)'
const HOUR = '(?<hour>[01]?\\d|2[0-4])(?:[:.](?<minute>[0-5]\\d))?'
const FROM_HOUR =
  '(?:(?<fromHour>[01]?\\d|2[0-4])(?:[:.](?<fromMinute>[0-5]\\d))?(?: uhr)?(?: ?- ?| to | bis | und ))?'

const TOP_LEVEL = 'com|org|net|de|at|ch|eu|uk|io|dev|app|info|local|internal|example|test'
const REST = `[^\\s<>"'()\\[\\]{}|\\\\^]*`
/** Length of the punctuation at the end. A loop, because a pattern would take quadratic time. */
function countPunctuation(text: string): number {
  let count = 0
  while (count < text.length && '.,;:!?*_`~'.includes(text.charAt(text.length - 1 - count))) count += 1
  return count
}

const MEASURE = '[kmgt]i?b|[kmg]bit/s|[kmg]bps|[kmg]?hz|km/h|km|cm|mm|m|kg|g|kwh|kw|px|dpi|°c|° c|bytes?'
const NEGATION =
  'not|cannot|no|never|none|nothing|nobody|neither|nor|nicht|nie|niemals|nichts|niemand|weder|without|ohne|forbidden|prohibited|verboten|untersagt|impossible|unmöglich|kein|keine|keinem|keinen|keiner|keines|keins'
/** Not facts: "not only" negates nothing, "no more than" is a bound, "No. 5" is a number, and "1." numbers a list item. */
const NO_NEGATION =
  'not only|not just|nicht nur|no\\.(?= ?\\d)|not? (?:more|less|fewer|later|earlier) than|nicht (?:mehr|weniger|später|früher) als|(?:without|ohne) (?:further|delay|doubt|weiteres|verzögerung|zweifel)|(?<=^|\\n)\\d{1,2}[.)] '

/** Each pattern sees only what earlier ones left: a date is not three numbers. Repetitions are bounded, for linear time. */
const PATTERNS: readonly (readonly [kind: keyof typeof READERS, pattern: string, flags?: string])[] = [
  [
    'email',
    '(?<![\\p{L}\\p{N}._%+-])(?:mailto:)?(?<text>[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8})',
  ],
  ['url', `${START}(?<text>(?:(?:https?|ftp)://|www\\.)${REST})`],
  [
    'url',
    `${START}(?<text>(?:[a-z0-9][a-z0-9-]{0,62}\\.){1,5}(?:${TOP_LEVEL})(?![\\p{L}\\p{N}-]|\\.[a-z])(?:[/?#]${REST})?)`,
  ],
  ['date', `${START}${YEAR}-${DIGITS_OF_MONTH}-${DAY}(?!\\d)t?`],
  ['date', `${START}${DAY}\\. ?${DIGITS_OF_MONTH}\\. ?(?<year>(?:19|20)?\\d\\d(?![\\d:.]))${END}`],
  [
    'date',
    `${START}(?:(?<=(?:am|bis|vom|zum|ab|den|dem|und) )|(?=\\d\\d\\.))${DAY}\\.${DIGITS_OF_MONTH}\\.(?!\\d)`,
  ],
  // Ambiguous: 3/11 is a day in March or in November. It stays as written.
  ['date', `${START}(?<text>\\d{1,2}/\\d{1,2}/\\d{4})${END}`],
  ['date', `${START}${DAY}(?:st|nd|rd|th|\\.)? (?:of )?${MONTH}\\.?(?:,? ${YEAR})?${END}`],
  // In lower case these are verbs: "may 5 people join".
  ['ignored', `${START}(?:may|march)(?= \\d)`, 'gu'],
  ['date', `${START}${MONTH}\\.? (?:the )?${DAY}(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)(?:,? ${YEAR})?${END}`],
  ['date', `${START}${MONTH_ALONE}(?: ${YEAR})?${END}`, 'gu'],
  ['date', `${START}(?<weekday>${WEEKDAYS.join('|')})s?${END}`],
  ['time', `${START}${FROM_HOUR}${HOUR} ?(?<half>[ap])\\.? ?m\\b\\.?`],
  ['time', `${START}${FROM_HOUR}${HOUR} ?uhr${END}`],
  ['time', `(?<![\\p{N}:])(?<hour>[01]?\\d|2[0-4]):(?<minute>[0-5]\\d)(?!\\p{N}|:\\d)`],
  [
    'phone',
    `(?<![\\p{L}\\p{N}.,+])(?<text>(?:\\+\\d{1,3}|\\(?0\\d{1,5}\\)?)(?:[ /()-]{1,3}\\d{1,10}){1,6})${END}`,
  ],
  ['percentage', `${START}${NUMBERS} ?(?:%|(?:per ?cent|percent|prozent)(?!\\p{L}))`],
  [
    'amount',
    `(?<![\\p{L}\\p{N}]|\\d )(?<unit>€|eur|us\\$|\\$|usd|£|gbp|chf) ?${NUMBERS}${FACTOR}(?:,-{1,2})?${END}`,
  ],
  ['amount', `${START}${NUMBERS}(?:,-{1,2})?${FACTOR} ?(?<unit>${anyOf(CURRENCIES)})${END}`],
  ['number', `${START}${NUMBERS}[ -]?(?<measure>${MEASURE})${END}`],
  ['duration', `${START}${NUMBERS}[ -]?(?<unit>${anyOf(UNITS)})${END}`],
  ['ignored', `${START}(?:${NO_NEGATION})`],
  ['negation', `(?:${START}(?:${NEGATION})|(?<=\\p{L})n't)${END}`],
  // Versions, IP addresses and serial numbers are not decimal numbers: 2.10 comes after 2.9.
  ['version', `${START}(?:version |release |v)(?<text>\\d+(?:\\.\\d+){0,6})${END}`],
  ['version', `${START}(?<text>(?!\\d{1,3}(?:\\.\\d{3}){1,6}(?![\\d.]))\\d+(?:\\.\\d+){2,6})${END}`],
  ['number', `${START}${NUMBERS}(?:(?:st|nd|rd|th)(?!\\p{L})|${FACTOR})${END}`],
  ['version', `${START}(?=\\p{L}{1,40}\\p{N}|\\p{N}{1,40}\\p{L})(?<text>[\\p{L}\\p{N}]+)`],
]
const RULES = PATTERNS.map(([kind, pattern, flags = 'giu']) => ({
  kind,
  pattern: new RegExp(pattern, flags),
}))

type Groups = Readonly<Record<string, string | undefined>>

const asWritten = ({ text = '' }: Groups): string[] => [text.toLowerCase()]

/** The number, or the two numbers of a range, multiplied by the factor and with the unit. */
function quantities({ from, number, unit, factor, measure = '' }: Groups): string[] {
  const [name, times] = unitOf(unit) ?? [measure && ` ${measure.toLowerCase().replace(' ', '')}`, 1]
  const more = factor === undefined ? times : times * (/^mi/iu.test(factor) ? 1_000_000 : 1000)
  return [from, number]
    .flatMap((text) => (text === undefined ? [] : [readNumber(text)]))
    .map((value) => `${more === 1 ? value : Math.round(Number(value) * more * 1e6) / 1e6}${name}`)
}

const twoDigits = (number: string | number | undefined): string => String(number ?? 0).padStart(2, '0')

/** The values of a match, by kind. A match without values is not a fact, and later patterns do not see it. */
const READERS = {
  ignored: () => [],
  email: asWritten,
  version: asWritten,
  negation: () => ['not'],
  number: quantities,
  amount: quantities,
  duration: quantities,
  percentage: quantities,
  phone: ({ text = '' }: Groups) => [text.replace('(0)', '').replaceAll(/[^\d+]/g, '')],
  /** ISO 8601; `--11-03` is a day of every year. */
  date: ({ text, weekday, year, month, name, Name, day }: Groups) => {
    if (text !== undefined) return [text]
    if (weekday !== undefined) return [`weekday ${weekdayOf(weekday)}`]
    const parts = [year?.padStart(4, '20') ?? '-', twoDigits(month ?? monthOf(name ?? Name))]
    return [[...parts, ...(day === undefined ? [] : [twoDigits(day)])].join('-')]
  },
  time: ({ fromHour, fromMinute, hour, minute, half }: Groups) =>
    [[fromHour, fromMinute] as const, [hour, minute] as const].flatMap(([one, minutes = '00']) => {
      if (one === undefined) return []
      const base = half === undefined ? Number(one) : (Number(one) % 12) + (/p/i.test(half) ? 12 : 0)
      return [`${twoDigits(base)}:${minutes}`]
    }),
  /** Scheme and host in lower case, without a slash at the end of the path. Without a scheme it counts as https. */
  url: ({ text = '' }: Groups) => {
    const [, scheme = 'https://', host = '', rest = ''] =
      /^([a-z]+:\/\/)?([^/?#]*)(.*)$/isu.exec(text.slice(0, text.length - countPunctuation(text))) ?? []
    const path = rest.endsWith('/') && !/[?#]/.test(rest) ? rest.slice(0, -1) : rest
    return [`${scheme.toLowerCase()}${host.toLowerCase()}${path}`]
  },
} as const satisfies Readonly<Record<string, (groups: Groups) => readonly string[]>>

/** Replaces text that a rule has read. No pattern matches it. */
const CONSUMED = '\0'

/** A cache by sentence: answers from one knowledge base share most sentences. */
const factsBySentence = new Map<string, readonly Fact[]>()
const MAX_CACHED = 20_000

/** In the order of the text. Never throws; linear time. */
export function factsOf(answer: string): Fact[] {
  const tidy = unifySigns(answer)
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()
  // Sentences end only after three small letters, so that abbreviations and numbers with a full stop do not split them.
  return tidy.split(/(?<=\p{Ll}{3}[.?!]) (?=\p{Lu})/u).flatMap((sentence) => {
    const facts = factsBySentence.get(sentence) ?? readFacts(sentence)
    if (factsBySentence.size >= MAX_CACHED) factsBySentence.clear()
    factsBySentence.set(sentence, facts)
    return facts
  })
}

function readFacts(sentence: string): Fact[] {
  const found: { readonly at: number; readonly fact: Fact }[] = []
  let text = sentence
  for (const { kind, pattern } of RULES)
    text = text.replace(pattern, (whole: string, ...more: unknown[]) => {
      const groups = more.at(-1)
      const isNamed = typeof groups === 'object'
      for (const value of READERS[kind](isNamed ? (groups as Groups) : {}))
        found.push({
          at: Number(more.at(isNamed ? -3 : -2)),
          fact: { kind: kind === 'version' ? 'number' : kind, value, text: trimPunctuation(whole) },
        })
      return CONSUMED.repeat(whole.length)
    })
  return found.sort((some, other) => some.at - other.at).map(({ fact }) => fact)
}

/** Removes punctuation and mark-up at the end, except the dot of "p.m." and "3.11.". */
function trimPunctuation(text: string): string {
  const bare = text.slice(0, text.length - countPunctuation(text))
  return /(?:\d\.\d{1,2}|[ap]\. ?m)$/i.test(bare.slice(-5)) ? text : bare
}
