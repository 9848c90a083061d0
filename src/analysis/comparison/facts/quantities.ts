// Money, shares, measures and bare numbers.
import { DIGITS, DIGITS_BEGIN, RANGE, readNumber, scale } from './numbers.ts'
import { BEGINS } from './places.ts'
import { END, START, type FactRule, type Where } from './rule.ts'

const CURRENCIES: readonly (readonly [names: string, code: string])[] = [
  ['€|eur|euros?', 'EUR'],
  ['us\\$|\\$|usd|dollars?', 'USD'],
  ['£|gbp|pounds?', 'GBP'],
  ['chf|sfr\\.?|franken|francs?', 'CHF'],
  ['¥|jpy|yen', 'JPY'],
  ['cents?', 'cent'],
]
const CURRENCY = `(?:${CURRENCIES.map(([names]) => names).join('|')})`
/** Words stand after the number only. */
const BEFORE = '(?:€|eur|us\\$|\\$|usd|£|gbp|chf|sfr\\.?|¥|jpy)'
const codes = CURRENCIES.map(([names, code]) => ({ pattern: new RegExp(`^(?:${names})$`, 'iu'), code }))
const codeOf = (name: string): string => codes.find(({ pattern }) => pattern.test(name))?.code ?? name

const THOUSAND = 'k|thousand|tausend|tsd\\.?'
const MILLION = 'million(?:en|s)?|mio\\.?'
const FACTOR = `(?: ?(${THOUSAND}|${MILLION})(?!\\p{L}))?`
const factorOf = (word: string | undefined): number =>
  word === undefined ? 1 : /^mi/iu.test(word) ? 1_000_000 : 1000

const MEASURE = '(?:[kmgt]i?b|[kmg]bit/s|[kmg]bps|[kmg]?hz|km/h|km|cm|mm|m|kg|g|kwh|kw|px|dpi|°c|° c|bytes?)'

function valuesOf(numbers: readonly (string | undefined)[], factor: number, unit: string): string[] {
  return numbers.flatMap((one) => (one === undefined ? [] : [`${scale(readNumber(one), factor)}${unit}`]))
}

const DIGITS_ONLY: Where = { begins: DIGITS_BEGIN, words: [] }
const NUMBERS: Where = { begins: DIGITS_BEGIN, words: [] }

export const quantityRules: readonly FactRule[] = [
  {
    kind: 'percentage',
    where: NUMBERS,
    pattern: new RegExp(
      `${START}(?:(${DIGITS})(?: ?%)?${RANGE})?(${DIGITS}) ?(?:%|(?:per ?cent|percent|prozent)${END})`,
      'iuy',
    ),
    read: ([, from, to]) => valuesOf([from, to], 1, '%'),
  },
  {
    kind: 'amount',
    where: { begins: BEGINS.currency, words: ['eur', 'us$', 'usd', 'gbp', 'chf', 'sfr', 'jpy'] },
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}]|\\d )(${BEFORE}) ?(${DIGITS})${FACTOR}(?:(?: ?- ?| to | bis )(?:${BEFORE})? ?(${DIGITS}))?(?:,-{1,2})?${END}`,
      'iuy',
    ),
    read: ([, currency = '', from, factor, to]) =>
      valuesOf([from, to], factorOf(factor), ` ${codeOf(currency)}`),
  },
  {
    kind: 'amount',
    where: NUMBERS,
    pattern: new RegExp(
      `${START}(?:(${DIGITS})(?:,-{1,2})?${RANGE})?(${DIGITS})(?:,-{1,2})?${FACTOR} ?(${CURRENCY})${END}`,
      'iuy',
    ),
    read: ([, from, to, factor, currency = '']) =>
      valuesOf([from, to], factorOf(factor), ` ${codeOf(currency)}`),
  },
  {
    kind: 'number',
    where: DIGITS_ONLY,
    pattern: new RegExp(`${START}(?:(${DIGITS})${RANGE})?(${DIGITS})[ -]?(${MEASURE})${END}`, 'iuy'),
    read: ([, from, to, unit = '']) => valuesOf([from, to], 1, ` ${unit.toLowerCase().replace(' ', '')}`),
  },
]

/** After every rule that reads a number as something more. */
export const numberRules: readonly FactRule[] = [
  {
    kind: 'number',
    where: { begins: BEGINS.digit, words: [] },
    // A number of a list says where a line stands.
    pattern: /(?<=^|\n)\d{1,2}[.)] /y,
    read: () => [],
  },
  {
    kind: 'number',
    where: { begins: BEGINS.lettered, words: ['version', 'release'] },
    // A version is no decimal number: 2.10 comes after 2.9.
    pattern: new RegExp(`${START}(?:(?:version|release) ?|v)(\\d+(?:\\.\\d+){0,6})${END}`, 'iuy'),
    read: ([, digits = '']) => [digits.replace(/(?:\.0){1,6}$/, '')],
  },
  {
    kind: 'number',
    where: { begins: BEGINS.digit | BEGINS.lettered, words: [] },
    // Long versions and addresses of machines: 2.3.1, 10.0.0.1, 0x80070005.
    pattern: new RegExp(`${START}(?:0x[\\da-f]+|\\d+(?:\\.\\d+){2,6})${END}`, 'iuy'),
    read: ([match = '']) =>
      /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(match) ? [readNumber(match)] : [match.toLowerCase()],
  },
  {
    kind: 'number',
    where: DIGITS_ONLY,
    pattern: new RegExp(`${START}(${DIGITS})(?:(?:st|nd|rd|th)(?!\\p{L})|${FACTOR})${END}`, 'iuy'),
    read: ([, number = '', factor]) => valuesOf([number], factorOf(factor), ''),
  },
  {
    kind: 'number',
    where: { begins: BEGINS.mixed, words: [] },
    // Letters and digits in one word, such as a serial number: as it is written.
    pattern: new RegExp(`${START}(?=\\p{L}{1,40}\\p{N}|\\p{N}{1,40}\\p{L})[\\p{L}\\p{N}]+`, 'uy'),
    read: ([match = '']) => [match.toLowerCase()],
  },
]
