// Finds the facts of an answer with one table of patterns: numbers with their units, dates, times, amounts,
// addresses, negations.
import {
  CURRENCIES,
  CURRENCY_BEFORE,
  MEASURES,
  MILLION,
  MONTHS,
  MONTHS_ALONE,
  NEGATION,
  OTHER_MEASURES,
  RANGE,
  type WordRow,
  SET_PHRASES,
  SHORT_WEEKDAYS,
  STEP,
  THOUSAND,
  TIME_UNITS,
  WEEKDAYS,
} from './fact-words.ts'
import { DIGITS, type FactValue, type Groups, READERS, trimmed } from './fact-values.ts'
import { plainText } from './plain-text.ts'
import { type Language, languageOf } from '../text/words.ts'

/** What a fact is. */
export type FactKind =
  'amount' | 'date' | 'duration' | 'email' | 'negation' | 'number' | 'percentage' | 'phone' | 'time' | 'url'

/** A checkable statement of a text, such as a duration or an address. */
export interface Fact extends FactValue {
  readonly kind: FactKind
  /** As in the plain text of the answer. */
  readonly text: string
  /** The same with digits for the numbers in words. */
  readonly digits: string
  /** Where it stands in the answer, markup within it included. */
  readonly start: number
  readonly end: number
  /** The two words behind it, in lower case; empty where a sign or the end is. */
  readonly next: string
  /** The word before it. */
  readonly before: string
}

const anyOf = (table: readonly WordRow<unknown>[]): string =>
  `(?:${table.map(([pattern]) => pattern).join('|')})`

/** Bounds of a whole word: no letter or digit before or after it. */
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

/** A minus sign stands apart from what is before it. */
const NUMBER = `(?:(?<![^\\s(["':=])-|(?<=minus ))?(?:${DIGITS})`
/** One number, or the two of a range. */
const NUMBERS = `(?:(?<from>${NUMBER})(?: ?%)?(?:${RANGE}))?(?<number>${NUMBER})`
/** The second number may have a unit of its own: "€5 and 3 days" is no range of amounts. */
const OWN_UNIT = `(?!\\d[\\d.,']*[ -]?(?:%|${anyOf(MEASURES)}|${OTHER_MEASURES}|${anyOf(TIME_UNITS)})${END})`
const AMOUNTS = `(?:(?<from>${NUMBER})(?:${RANGE})${OWN_UNIT})?(?<number>${NUMBER})`

const FACTOR = `(?: ?(?:(?<thousand>${THOUSAND})|(?<million>${MILLION}))(?!\\p{L}))?`
const MONTH = `(?<name>${MONTHS.join('|')})`
const SHORT = `(?:${SHORT_WEEKDAYS.join('|')})`
const BESIDE = '\\.?(?: ?[-,] ?| and | or | to | bis | und )'
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])'
const DIGITS_OF_MONTH = '(?<month>0?[1-9]|1[0-2])'
const YEAR = '(?<year>(?:19|20)\\d\\d)'
const OF_YEAR = `(?:,? (?:de |del )?${YEAR})?`
const HOUR = '(?<hour>[01]?\\d|2[0-4])(?:[:.](?<minute>[0-5]\\d))?'
const FROM_HOUR = `(?:(?<fromHour>[01]?\\d|2[0-4])(?:[:.](?<fromMinute>[0-5]\\d))?(?: uhr)?(?:${RANGE}))?`
/**
 * "19h" and "19h30". The French write a time as they write a duration, so a time without minutes needs a
 * preposition.
 */
const H_HOUR = '(?<hour>[01]?\\d|2[0-3]) ?h'
const H_FROM = `(?<fromHour>[01]?\\d|2[0-3]) ?h? ?(?<fromMinute>[0-5]\\d)?(?:${RANGE})`
const H_END = '(?:(?:eu|o)?r?[ae]?s?)(?![\\p{L}\\p{N}])'
const AT = '(?<=(?:^|[^\\p{L}])(?:à|dès|vers|las|um|ab|at) )'
const BETWEEN = '(?<=(?:^|[^\\p{L}])(?:de|entre|from|von|zwischen) )'

const REST = `[^\\s<>"'()\\[\\]{}|\\\\^]*`
const LABEL = '[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,62}'
/**
 * The last label of a host begins no sentence, so it has no capital of its own; "e.g" and "z.B" are too short
 * for a host.
 */
const HOST = `(?=[\\p{L}\\p{N}-]{2})(?:${LABEL}\\.){1,5}(?:[\\p{Ll}\\p{Lo}]{2,24}|[A-Z]{2,24})`

/**
 * Each pattern sees only what earlier ones left: a date is not three numbers. Repetitions are bounded, for
 * linear time.
 */
const PATTERNS: readonly (readonly [kind: keyof typeof READERS, pattern: string, flags?: string])[] = [
  [
    'email',
    '(?<![\\p{L}\\p{N}._%+-])(?:mailto:)?' +
      '(?<text>[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8})',
  ],
  ['url', `${START}(?<text>(?:(?:https?|ftps?|file|sftp|ssh|smb)://|www\\.)${REST})`],
  ['path', '(?<text>\\\\{2}[\\p{L}\\p{N}][^\\s"<>|*]*|(?<![\\p{L}\\p{N}])[a-z]:\\\\[^\\s"<>|*]+)'],
  [
    'url',
    `${START}(?<text>${HOST}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])(?::\\d{2,5})?(?:[/?#]${REST})?)`,
    'gu',
  ],
  ['date', `${START}${YEAR}[-/.]${DIGITS_OF_MONTH}[-/.]${DAY}(?!\\d)t?`],
  ['date', `${START}${YEAR} ?[年년] ?${DIGITS_OF_MONTH} ?[月월](?: ?${DAY} ?[日号號일])?`],
  ['date', `${START}${DIGITS_OF_MONTH} ?[月월] ?${DAY} ?[日号號일]`],
  ['date', `${START}${DAY}\\. ?${DIGITS_OF_MONTH}\\. ?(?<year>(?:19|20)?\\d\\d(?![\\d:]|\\.\\d))${END}`],
  [
    'date',
    `${START}(?:(?<=(?:am|bis|vom|zum|ab|den|dem|und) )|(?=\\d\\d\\.))${DAY}\\.${DIGITS_OF_MONTH}\\.(?!\\d)`,
  ],
  ['date', `${START}(?<first>\\d{1,2})(?<slash>[/-])(?<second>\\d{1,2})\\k<slash>${YEAR}${END}`],
  ['date', `${START}${DAY}(?:st|nd|rd|th|er|\\.|º)? (?:of |de )?${MONTH}\\.?${OF_YEAR}${END}`],
  // In lower case these are verbs: "may 5 people join".
  ['ignored', `${START}(?:may|march)(?= \\d)`, 'gu'],
  ['date', `${START}${MONTH}\\.? (?:the )?${DAY}(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)${OF_YEAR}${END}`],
  ['date', `${START}(?<Name>${MONTHS_ALONE})(?: (?:de |del )?${YEAR})?${END}`, 'gu'],
  ['date', `${START}(?<weekday>${WEEKDAYS.join('|')})s?${END}`],
  [
    'date',
    `${START}(?<weekday>${SHORT}(?=${BESIDE}${SHORT}${END}|\\.? ?\\d)|(?<=${SHORT}${BESIDE})${SHORT})${END}`,
    'gu',
  ],
  ['ignored', `(?<=^|\\n) ?\\(?(?:(?:${STEP}) \\d{1,3}[.:)]?|\\d{1,3}(?:\\.\\d{1,2})*[.)])\\)?(?= |\\n|$)`],
  // Codes of forms and rooms: "FM-3", "U2.04".
  ['version', `${START}(?<text>[A-Z]{1,6}(?:-\\d{1,6}|\\d{1,4}(?:[.-]\\d{1,4})+))${END}`, 'gu'],
  ['time', `${START}${FROM_HOUR}${HOUR} ?(?<half>[ap])\\.? ?m\\b\\.?`],
  ['time', `${START}${FROM_HOUR}${HOUR} ?uhr(?: (?<after>[0-5]\\d)(?! ?[\\p{L}%€]))?${END}`],
  [
    'duration',
    `${START}(?<hours>\\d{1,3}) ?(?:h|hours?|std|stunden?|heures?|horas?)\\.?(?: and| und| et| y|,)?` +
      ` ?(?<minutes>[0-5]?\\d) ?(?:mins?|minutes?|minuten?|minutos?)${END}`,
  ],
  ['time', `${START}(?:${H_FROM})?${H_HOUR} ?(?<minute>[0-5]\\d)${END}`],
  ['time', `${BETWEEN}${H_FROM}${H_HOUR}${H_END}`],
  ['time', `${AT}${H_HOUR}${H_END}`],
  [
    'time',
    `(?<![\\p{N}:])(?:${BETWEEN}${FROM_HOUR})?(?<hour>[01]?\\d|2[0-4]):(?<minute>[0-5]\\d)(?::00)?(?!\\p{N}|:\\d)`,
  ],
  [
    'phone',
    `(?<![\\p{L}\\p{N}.,+])(?<text>(?:\\+\\d{1,3}|\\(?0\\d{1,5}\\)?)(?:[ /()-]{1,3}\\d{1,10}){1,6}` +
      `|\\+\\d{1,3}(?:\\.\\d{1,10}){2,6}|(?:1[ -])?\\(?\\d{3}\\)?[ .-]\\d{3}[.-]\\d{4}` +
      `|\\+\\d{7,15}|0\\d{6,14})${END}`,
  ],
  ['percentage', `${START}${NUMBERS} ?(?:%|(?:per ?cent|percent|prozent|pour cent|por ciento)(?!\\p{L}))`],
  [
    'amount',
    `(?<![\\p{L}\\p{N}]|\\d )(?<sign>(?<![^\\s(["':=])-)?(?<unit>${CURRENCY_BEFORE}) ?${AMOUNTS}${FACTOR}(?:,-{1,2})?${END}`,
  ],
  ['amount', `${START}${NUMBERS}(?:,-{1,2})?${FACTOR} ?(?:de )?(?<unit>${anyOf(CURRENCIES)})${END}`],
  ['number', `${START}${NUMBERS}[ -]?(?<measure>[KMGT]o)${END}`, 'gu'],
  ['number', `${START}${NUMBERS}[ -]?(?:(?<unit>${anyOf(MEASURES)})|(?<measure>${OTHER_MEASURES}))${END}`],
  ['duration', `${START}${NUMBERS}[ -]?(?<unit>${anyOf(TIME_UNITS)})${END}`],
  // "No. 5" is a number.
  ['ignored', `${START}(?:(?:${SET_PHRASES})${END}|no\\.(?= ?\\d))`],
  ['negation', `(?:${START}(?:${NEGATION})|(?<=\\p{L})n't)${END}`],
  // Versions, IP addresses and serial numbers are not decimal numbers: 2.10 comes after 2.9.
  ['version', `${START}(?:version |release |v)(?<text>\\d+(?:\\.\\d+){0,6})${END}`],
  ['version', `${START}(?<text>(?!\\d{1,3}(?:\\.\\d{3}){1,6}(?![\\d.]))\\d+(?:\\.\\d+){2,6})${END}`],
  ['number', `${START}${NUMBERS}(?:(?:st|nd|rd|th|er|e|º|ª|o|a)(?!\\p{L})|${FACTOR})${END}`],
  ['version', `${START}(?=\\p{L}{1,40}\\p{N}|\\p{N}{1,40}\\p{L})(?<text>[\\p{L}\\p{N}]+)`],
]
const RULES = PATTERNS.map(([kind, pattern, flags = 'giu']) => ({
  kind,
  pattern: new RegExp(pattern, flags),
}))

/** Kinds that most sentences cannot have. */
const NEED_DIGITS: ReadonlySet<string> = new Set(
  'amount duration number percentage phone time version'.split(' '),
)

/** The kinds of facts that other names stand for. */
const KINDS: Readonly<Partial<Record<keyof typeof READERS, FactKind>>> = { version: 'number', path: 'url' }

/** Replaces text that a rule has read. No pattern matches it. */
const CONSUMED = '\0'

/** A cache by sentence: answers from one knowledge base share most sentences. */
const factsBySentence = new Map<string, readonly Fact[]>()
const MAX_CACHED = 20_000

/**
 * Sentences end only after three small letters, so that abbreviations and numbers with a full stop do not
 * split them.
 */
export const BETWEEN_SENTENCES =
  /(?<=(?:\p{Ll}{3}|[/)\]"%€]|\d\d\d|\d:\d\d|[ap]\.m)[.?!]["”)*_]{0,2}) (?=["“(*_]{0,2}\p{Lu})/u

/** In the order of the text. Never throws; linear time. */
export function extractFacts(answer: string, language = languageOf(answer)): Fact[] {
  const facts: Fact[] = []
  let from = 0
  // Only a tag may hold the end of a sentence.
  for (const sentence of answer.includes('<') ? [answer] : answer.split(BETWEEN_SENTENCES)) {
    const key = `${language} ${sentence}`
    const found = factsBySentence.get(key) ?? factsOf(sentence, language)
    if (factsBySentence.size >= MAX_CACHED) factsBySentence.clear()
    factsBySentence.set(key, found)
    for (const fact of found) facts.push({ ...fact, start: from + fact.start, end: from + fact.end })
    from += sentence.length + 1
  }
  return facts
}

/** Markup may have hidden where a sentence ends, so the plain text is split again. */
function factsOf(written: string, language: Language | undefined): Fact[] {
  const { text, originOf, wordsOf } = plainText(written, language)
  let from = 0
  return text.split(BETWEEN_SENTENCES).flatMap((sentence) => {
    const before = from
    from += sentence.length + 1
    return readFacts(sentence).map((fact) => {
      const [start, end] = [before + fact.start, before + fact.end]
      return {
        ...fact,
        text: trimPunctuation(wordsOf(start, end)),
        start: originOf(start),
        end: originOf(end, true),
      }
    })
  })
}

/** `start` and `end` are indices in the sentence. */
function readFacts(sentence: string): Omit<Fact, 'text'>[] {
  const found: Omit<Fact, 'text'>[] = []
  let text = sentence
  const hasDigit = /\d/.test(sentence)
  for (const { kind, pattern } of RULES) {
    if (!hasDigit && NEED_DIGITS.has(kind)) continue
    text = text.replace(pattern, (whole: string, ...more: unknown[]) => {
      const groups = more.at(-1)
      const isNamed = typeof groups === 'object'
      const start = Number(more.at(isNamed ? -3 : -2))
      const digits = trimPunctuation(whole)
      const values: readonly FactValue[] = READERS[kind](isNamed ? (groups as Groups) : {})
      const behind = sentence.slice(start + whole.length, start + whole.length + 60)
      const next = /^[ -](\p{L}+(?:[ -]\p{L}+)?)/u.exec(behind)?.[1]?.toLowerCase() ?? ''
      const before =
        /(\p{L}+)[ -]$/u.exec(sentence.slice(Math.max(0, start - 30), start))?.[1]?.toLowerCase() ?? ''
      const place = { digits, start, end: start + digits.length, next, before }
      for (const value of values) found.push({ kind: KINDS[kind] ?? (kind as FactKind), ...value, ...place })
      return CONSUMED.repeat(whole.length)
    })
  }
  return found.sort((some, other) => some.start - other.start)
}

/** Removes punctuation at the end, except the dot of "p.m." and "3.11.". */
function trimPunctuation(text: string): string {
  const bare = trimmed(text)
  return /(?:\d\.\d{1,2}|[ap]\. ?m)$/i.test(bare.slice(-5)) ? text : bare
}
