// How long something takes or lasts, in seconds, months or working days.
import { DIGITS, DIGITS_BEGIN, RANGE, readNumber, scale } from './numbers.ts'
import { END, START, type FactRule, type Where } from './rule.ts'

/** A day is 24 hours here: "within one day" and "within 24 hours" promise the same. Months are not so many days. */
const UNITS: readonly (readonly [pattern: string, factor: number, unit: string])[] = [
  ['ms|milliseconds?|millisekunden?', 0.001, 's'],
  ['s|secs?|seconds?|sek|sekunden?', 1, 's'],
  ['mins?|minutes?|minuten?|minütig\\p{L}{0,2}', 60, 's'],
  ['h|hrs?|hours?|std|stunden?|stündig\\p{L}{0,2}', 3600, 's'],
  [
    '(?:business|working|work)[- ]days?|werktag(?:en?|s|es)?|arbeitstag(?:en?|s|es)?|geschäftstag(?:en?|s|es)?',
    1,
    'working days',
  ],
  ['days?|tag(?:en?|s|es)?|tägig\\p{L}{0,2}', 86_400, 's'],
  ['wks?|weeks?|wochen?|wöchig\\p{L}{0,2}', 604_800, 's'],
  ['fortnights?', 1_209_600, 's'],
  ['months?|monat(?:en?|s|es)?|monatig\\p{L}{0,2}', 1, 'months'],
  ['yrs?|years?|jahr(?:en?|s|es)?|jährig\\p{L}{0,2}', 12, 'months'],
]
const UNIT = `(?:${UNITS.map(([pattern]) => pattern).join('|')})`
const readers = UNITS.map(([pattern, factor, unit]) => ({
  pattern: new RegExp(`^(?:${pattern})$`, 'iu'),
  factor,
  unit,
}))

function valueOf(number: string, unit: string): string {
  const reader = readers.find(({ pattern }) => pattern.test(unit))
  if (reader === undefined) return `${number} ${unit}`
  return `${scale(number, reader.factor)} ${reader.unit}`
}

const BEFORE_ONE = 'within in for after take takes last lasts every about than least most'.split(' ')

const NUMBERS: Where = { begins: DIGITS_BEGIN, words: [] }

export const durationRules: readonly FactRule[] = [
  {
    kind: 'duration',
    where: NUMBERS,
    // "1 hour and 30 minutes", "1 h 30 min": one duration.
    pattern: new RegExp(
      `${START}(${DIGITS}) ?(?:h|hrs?|hours?|std\\.?|stunden?) ?(?:and |und )?(${DIGITS}) ?(?:mins?|minutes?|minuten?)${END}`,
      'iuy',
    ),
    read: ([, hours = '', minutes = '']) => {
      const [some, others] = [scale(readNumber(hours), 3600), scale(readNumber(minutes), 60)]
      return [`${scale(String(Number(some) + Number(others)), 1)} s`]
    },
  },
  {
    kind: 'duration',
    where: { begins: 0, words: ['half', 'eine', 'halbe'] },
    pattern: new RegExp(`${START}(?:half an hour|half-hour|(?:(?:eine|einer) )?halben? stunde)${END}`, 'iuy'),
    read: () => ['1800 s'],
  },
  {
    kind: 'duration',
    where: { begins: 0, words: ['half', 'einen', 'halben', 'halber', 'halbes'] },
    // "Half a day", "half-day", "einen halben Tag".
    pattern: new RegExp(`${START}(?:half an? |half-|(?:einen |ein )?halbe[nrs] )(${UNIT})${END}`, 'iuy'),
    read: ([, unit = '']) => [valueOf('0.5', unit)],
  },
  {
    kind: 'duration',
    where: { begins: 0, words: ['full', 'whole', 'ganz', 'voll'] },
    pattern: new RegExp(
      `${START}(?:(?<=\\b(?:a|one) )(?:full|whole)|(?<=\\b(?:ein|eine[nrm]?) )(?:ganze|volle)[nrs]?) (day|week|month|year|tag|woche|monat|jahr)${END}`,
      'iuy',
    ),
    read: ([, unit = '']) => [valueOf('1', unit)],
  },
  {
    kind: 'duration',
    where: { begins: 0, words: ['an', 'anderthalb', 'eineinhalb'] },
    pattern: new RegExp(`${START}(?:an hour and a half|anderthalb stunden|eineinhalb stunden)${END}`, 'iuy'),
    read: () => ['5400 s'],
  },
  {
    kind: 'duration',
    where: NUMBERS,
    pattern: new RegExp(`${START}(?:(${DIGITS})${RANGE})?(${DIGITS})[ -]?(${UNIT})${END}`, 'iuy'),
    read: ([, from, to = '', unit = '']) =>
      [from, to].flatMap((number) => (number === undefined ? [] : [valueOf(readNumber(number), unit)])),
  },
  {
    kind: 'duration',
    where: { begins: 0, words: BEFORE_ONE },
    // Not "8 hours a day", which is "8 hours per day".
    pattern: new RegExp(`${START}(?:${BEFORE_ONE.join('|')}) an? (${UNIT})${END}`, 'iuy'),
    read: ([, unit = '']) => [valueOf('1', unit)],
  },
]
