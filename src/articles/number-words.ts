// Numbers, fractions, clock times and prices in words become digits, so that the patterns of facts need to know
// digits alone. One table a language.
import { MONTHS, UNIT_WORDS, WEEKDAYS } from './fact-words.ts'
import type { Language } from '../text/words.ts'

/** What stands for a phrase, made of its groups. */
type Digits = (...groups: string[]) => string
/** `N` is a number below 1000 in digits or "one", `T` a clock time in digits, `U` a unit of time or measure. */
type Phrase = readonly [phrase: string, digits: string | Digits]

/** The words of a language; lists in the order of their values, `|` between the forms of one word. */
interface NumberWords {
  /** From two. */
  readonly units: string
  /** From twenty, in tens. */
  readonly tens: string
  /** With their values. */
  readonly powers: string
  /** They mean something else in other languages ("once", "neuf", "acht"): read in their own alone. */
  readonly ambiguous: string
  /** From the first, without endings. */
  readonly ordinals: string
  readonly endings: string
  readonly phrases: readonly Phrase[]
  /** Applied to what the phrases left: parts of the day behind a time. */
  readonly parts: readonly Phrase[]
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
/** A clock time so many minutes from an hour. "Half past five" stays open: 5:30 or 17:30. */
const clock = (hour: string, minutes: number): string =>
  `${(((Number(hour) || 1) + (minutes < 0 ? 11 : 12) - 1) % 12) + 1}:${twoDigits((minutes + 60) % 60)}`
const fromHour =
  (minutes: number): Digits =>
  (hour = '') =>
    clock(hour, minutes)
const past: Digits = (minutes, hour = '') => clock(hour, Number(minutes))
const before: Digits = (minutes, hour = '') => clock(hour, -Number(minutes))
const share: Digits = (part = '', whole = '') =>
  Number(part) > Number(whole)
    ? `${part} / ${whole}`
    : `${Math.round((1000 * (Number(part) || 1)) / Number(whole)) / 10} %`
const afternoon: Digits = (time) => `${time} pm`
const morning: Digits = (time) => `${time} am`

const LANGUAGES: Readonly<Partial<Record<Language, NumberWords>>> = {
  en: {
    units:
      'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
      'seventeen eighteen nineteen',
    tens: 'twenty thirty forty|fourty fifty sixty seventy eighty ninety',
    powers: 'hundred=100 thousand=1000 million=1e6 billion=1e9 dozen=12',
    ambiguous: '',
    ordinals:
      'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
      'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
    endings: '',
    phrases: [
      ['half past N', fromHour(30)],
      ['(?:a )?quarter past N', fromHour(15)],
      ['(?:a )?quarter to N', fromHour(-15)],
      ['(5|10|20|25) (?:minutes )?past N', past],
      ['(5|10|20|25) minutes to N|(2[05]) to N', before],
      ["N o'clock", fromHour(0)],
      ['(?:12 )?(?:noon|midday)', '12:00'],
      ['(?:12 )?midnight', '00:00'],
      ['(?:a |one )?half[- ](?:an? |of an? )?U', '0.5 $1'],
      ['(?:3|three)[- ]quarters of an? U', '0.75 $1'],
      ['(?:a |one )?quarter of an? U', '0.25 $1'],
      ['(?:an?|one) U and a (half)', '1.5 $1'],
      ['(?:an?|one) U and a quarter', '1.25 $1'],
      ['N U and a half', '$1.5 $2'],
      ['(?:N|one) and a half', (number) => `${number || 1}.5`],
      ['(?:an?|one) U (?=and \\d)', '1 $1 '],
      ['one (?=U)', '1 '],
      [
        '(?<=(?:in|within|after|for|than|about|around|over|least|to|by|last|under|of|only|holds?|lasts?|takes?) )' +
          'an? (?:full |whole |single )?U',
        '1 $1',
      ],
      ['an? (?:full|whole|single) U', '1 $1'],
      ['every (?:other|second) U', 'every 2 $1'],
      ['(?:a )?fortnight', '2 weeks'],
      ['(?:3|three)[- ]quarters', '75 %'],
      ['(?:one|a) third(?= of)', '33 %'],
      ['2 thirds', '67 %'],
      ['(?<!(?:first|second|other|the) )half(?! (?:an?|of an?|past|U))(?=[ ,.;:!?]|$)', '50 %'],
      ['N (?:in|out of|of) (?:every )?N', share],
    ],
    parts: [
      ['T (?:in the|this|tomorrow) morning', morning],
      ['T (?:in the |this |tomorrow )?(?:afternoon|evening)', afternoon],
      ['T at night', afternoon],
    ],
  },
  de: {
    units:
      'zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn ' +
      'siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig',
    powers: 'hundert=100 tausend=1000 millionen=1e6 dutzend=12',
    ambiguous: 'acht elf',
    ordinals:
      'erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt',
    endings: 'e[nmrs]?',
    phrases: [
      ['halb N', fromHour(-30)],
      ['viertel nach N', fromHour(15)],
      ['(?:viertel vor|dreiviertel) N', fromHour(-15)],
      ['(5|10|20|25) (?:minuten )?nach N', past],
      ['(5|10|20|25) (?:minuten )?vor N', before],
      ['(?:12 uhr )?mittags?', '12:00'],
      ['mitternachts?', '00:00'],
      ['(?:eine[rn]? |ein )?halbe[nrs]? U', '0.5 $1'],
      ['(?:ein )?halbes jahr|halbjahr', '0.5 jahr'],
      ['(?:eine[rn]? )?viertelstunde', '0.25 stunde'],
      ['(?:eine[rn]? )?dreiviertelstunde', '0.75 stunde'],
      ['(?:anderthalb|eineinhalb)', '1.5'],
      ['eine?[rnms]? (?=U)', '1 '],
      ['jede[rns]? 2(?:th)? U|jede[rns]? zweite[rns]? U', 'alle 2 $1'],
      ['vierzehntägig', '14 tage'],
      ['(?:3 viertel|dreiviertel)', '75 %'],
      ['(?:ein|1) drittel', '33 %'],
      ['2 drittel', '67 %'],
      ['(?:die |zur )?hälfte', '50 %'],
      ['jede[rns]? zehnte[rns]?', '10 %'],
      ['N von N', share],
    ],
    parts: [
      ['T (?:uhr )?(?:morgens|früh|vormittags|am (?:morgen|vormittag))', morning],
      ['T (?:uhr )?(?:abends|nachmittags|am (?:frühen |späten )?(?:abend|nachmittag))', afternoon],
    ],
  },
  fr: {
    units:
      'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept ' +
      'dix-huit dix-neuf',
    tens: 'vingt trente quarante cinquante soixante septante quatre-vingt|quatre-vingts|huitante nonante',
    powers: 'cent=100 cents=100 mille=1000 millions=1e6 douzaine=12',
    ambiguous: 'neuf dix six cent cents mille sept onze seize',
    ordinals: 'premi deuxi troisi quatri cinqui sixi septi huiti neuvi dixi',
    endings: 'ère?s?|er|ème|ième',
    phrases: [
      ['N heures? et demie', '$1h30'],
      ['N heures? et quart', '$1h15'],
      [
        'N heures? moins (?:le )?(?:quart|N)',
        (hour = '', minutes = '') => clock(hour, -(Number(minutes) || 15)).replace(':', 'h'),
      ],
      ['midi et demie?', '12:30'],
      ['midi', '12:00'],
      ['minuit', '00:00'],
      ['(?:une? )?demi[- ]?(?=U)', '0.5 '],
      ["trois quarts d'heure|3 quarts d'heure", '0.75 heure'],
      ["(?:un )?quart d'heure", '0.25 heure'],
      ['une? U et demie?', '1.5 $1'],
      ['N U et demie?', '$1.5 $2'],
      ['(?:un )?semestre', '6 mois'],
      ['(?:quinze|15) jours|(?:une )?quinzaine(?: de jours)?', '14 jours'],
      ['une? (?=U)', '1 '],
      ['1 U sur deux|une? U sur 2', '2 $1'],
      ['(?:la )?moitié', '50 %'],
      ['(?:un|1) tiers', '33 %'],
      ['2 tiers', '67 %'],
      ['3 quarts', '75 %'],
      [
        '(?:un|1|N) sur N',
        (part = '', whole) => (whole === undefined ? share('1', part) : share(part, whole)),
      ],
    ],
    parts: [
      ['T heures? du matin', '$1 am'],
      ["T heures? (?:du soir|de l'après-midi)", '$1 pm'],
      ['(\\d{1,2})h(\\d\\d) du matin', '$1:$2 am'],
      ["(\\d{1,2})h(\\d\\d) (?:du soir|de l'après-midi)", '$1:$2 pm'],
    ],
  },
  es: {
    units:
      'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis|dieciseis ' +
      'diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    powers:
      'cien=100 ciento=100 doscientos=200 trescientos=300 cuatrocientos=400 quinientos=500 ' +
      'seiscientos=600 setecientos=700 ochocientos=800 novecientos=900 mil=1000 docena=12 ' +
      'veintiuno=21 veintiún=21 veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25 ' +
      'veintiséis=26 veintisiete=27 veintiocho=28 veintinueve=29 millones=1e6',
    ambiguous: 'once quince dos mil',
    ordinals: 'primer segund tercer cuart quint sext séptim octav noven décim',
    endings: '[oa]?',
    phrases: [
      ['(?:las )?N y media', fromHour(30)],
      ['(?:las )?N y cuarto', fromHour(15)],
      ['(?:las )?N menos cuarto', fromHour(-15)],
      ['(?:las )?N y (5|10|20|25)', (hour = '', minutes) => clock(hour, Number(minutes))],
      ['(?:las )?N menos (5|10|20|25)', (hour = '', minutes) => clock(hour, -Number(minutes))],
      ['mediodía', '12:00'],
      ['medianoche', '00:00'],
      ['(?:una )?media (?=U)|medio (?=U)', '0.5 '],
      ['(?:3|tres) cuartos de U', '0.75 $1'],
      ['(?:un )?cuarto de U', '0.25 $1'],
      ['una? U y medi[oa]', '1.5 $1'],
      ['N U y medi[oa]', '$1.5 $2'],
      ['una? (?=U)', '1 '],
      ['(?:la )?mitad', '50 %'],
      ['(?:un|1) tercio', '33 %'],
      ['2 tercios', '67 %'],
      ['N de cada N', share],
    ],
    parts: [
      ['T (?:horas )?(?:de|por) la mañana', morning],
      ['T (?:horas )?(?:de|por) la (?:tarde|noche)', afternoon],
    ],
  },
}

/** A word with its value, and the language that alone it is read in. */
interface NumberWord {
  readonly value: number
  readonly only: Language | undefined
}

const CARDINALS = new Map<string, NumberWord>()
for (const [language, { units, tens, powers, ambiguous }] of Object.entries(LANGUAGES)) {
  const unclear = new Set(ambiguous.split(' '))
  const add = (forms: string, value: number): void => {
    for (const word of forms.split('|'))
      if (!unclear.has(word)) CARDINALS.set(word, { value, only: undefined })
      else if (!CARDINALS.has(word)) CARDINALS.set(word, { value, only: language as Language })
  }
  units.split(' ').forEach((forms, index) => add(forms, index + 2))
  tens.split(' ').forEach((forms, index) => add(forms, 10 * (index + 2)))
  for (const power of powers.split(' ')) {
    const [word = '', value] = power.split('=')
    add(word, Number(value))
  }
}

const anyOf = (words: Iterable<string>): string =>
  [...words].sort((some, other) => other.length - some.length).join('|')
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
const JOINT = ' and | et | y |[ -]'
/** Germans write numbers as one word: "zweihundertfünfundzwanzig", "dreieinhalb". */
const GERMAN_PARTS = `ein|und|${anyOf(`${LANGUAGES.de?.units} ${LANGUAGES.de?.tens} hundert tausend`.split(/[ |]/))}`
const CARDINAL = `(?:${anyOf(CARDINALS.keys())}|(?:${GERMAN_PARTS}){2,9}(?:einhalb)?|(?:zwei|drei|vier|fünf)einhalb)`
const IN_RUN = new RegExp(`(^|${JOINT})(${CARDINAL})${END}`, 'giu')
// "2 million" is a number and a factor, "pour cent" no number.
const FACTORS = 'hundred|thousand|million|billion|dozen|tausend|millionen|mille|millions|mil|millones'
const CARDINAL_RUN = new RegExp(
  `${START}(?<!(?:pour|por) )(?<!\\d (?=${FACTORS}))${CARDINAL}(?:(?:${JOINT})${CARDINAL})*${END}`,
  'giu',
)

/** Adds up the parts of a number, as far as they are of one: "two" and "three" are two numbers. */
class Sum {
  #thousands = 0
  #rest: number | undefined

  get value(): number | undefined {
    return this.#rest === undefined && this.#thousands === 0 ? undefined : this.#thousands + (this.#rest ?? 0)
  }

  /** False where the part begins the next number. */
  add(part: number): boolean {
    const rest = this.#rest ?? 0
    if (part >= 1000) {
      if (this.#thousands > 0 && this.#rest === undefined) return false
      this.#thousands += (this.#rest ?? 1) * part
      this.#rest = undefined
    } else if ((part === 100 || part === 12) && rest > 0 && rest < (part === 100 ? 100 : 10))
      this.#rest = rest * part
    else if (rest === 0 || fits(rest, part)) this.#rest = rest + part
    else return false
    return true
  }
}

/** "Twenty" and "seven" are 27, "soixante" and "quinze" are 75. */
const fits = (sum: number, part: number): boolean =>
  part < 100 &&
  (sum % 100 === 0 || (sum % 100 >= 20 && sum % 10 === 0 && part < ([60, 80].includes(sum % 100) ? 20 : 10)))

const IS_GERMAN_PART = new RegExp(GERMAN_PARTS, 'giu')

/** Undefined for a word that is none in the language. */
function valueOf(word: string, language: Language | undefined): number | undefined {
  const known = CARDINALS.get(word)
  if (known !== undefined)
    return known.only === undefined || known.only === language ? known.value : undefined
  const half = word.endsWith('einhalb') ? 0.5 : 0
  const parts: string[] = (half === 0 ? word : word.slice(0, -7)).match(IS_GERMAN_PART) ?? []
  const values = parts.flatMap((part) =>
    part === 'und' ? [] : [part === 'ein' ? 1 : (CARDINALS.get(part)?.value ?? 0)],
  )
  // "Fünfundzwanzig" says the units first.
  const und = parts.lastIndexOf('und')
  const at = parts.slice(0, und).filter((part) => part !== 'und').length - 1
  if (und > 0 && at >= 0) values.splice(at, 2, values[at + 1] ?? 0, values[at] ?? 0)
  const sum = new Sum()
  return values.length > 0 && values.every((value) => sum.add(value)) ? (sum.value ?? 0) + half : undefined
}

/** "twenty-seven" is one number, "two, three" are two; a word that is no number here stays as it is. */
function readRun(run: string, language: Language | undefined): string {
  let written = ''
  let sum = new Sum()
  const parts: { joint: string; text: string; value: number | undefined }[] = []
  const flush = (): void => {
    const last = parts.at(-1)
    if (sum.value !== undefined && last !== undefined) last.text = String(sum.value)
    sum = new Sum()
  }
  for (const [, joint = '', text = ''] of run.matchAll(IN_RUN)) {
    const value = valueOf(text.toLowerCase(), language)
    if (value !== undefined && sum.value !== undefined && sum.add(value)) continue
    flush()
    if (value !== undefined) sum.add(value)
    parts.push({ joint, text, value })
  }
  flush()
  for (const [index, { joint, text }] of parts.entries()) {
    const last = parts[index - 1]
    // "Seven fifty" is a price or a time.
    const isPrice =
      last?.value !== undefined &&
      joint === ' ' &&
      Number(last.text) < 100 &&
      /^[1-5]\d$/.test(text) &&
      !/^[1-9]0$/.test(last.text)
    written += (isPrice ? '.' : joint) + text
  }
  return written
}

type DigitRule = readonly [pattern: RegExp, digits: (match: string, at: number, text: string) => string]

const CURRENCY = 'euros?|eur|francs?|franken|pounds?|pfund|dollars?|dólares|libras?'
const CENTS = '(?: (?:cents?|ct|centimes?|c[eé]ntimos?|rappen|pence))?'
/** In all languages. "7 euros 50" is an amount, "1 year and 11 months" a duration. */
const LATE: readonly Phrase[] = [
  [
    `(\\d+) (${CURRENCY}) (?:and |und |et |y |con )?([1-9]\\d)${CENTS}(?! ?(?:[%:.,]?\\d|%|${UNIT_WORDS}))`,
    (whole, currency, cents) => `${whole}.${cents} ${currency}`,
  ],
  [
    '(\\d+) (?:years?|jahre?|ans?|años?),? (?:and |und |et |y )?(\\d+) (?:months?|monate?|mois|meses)',
    (years, months) => `${12 * Number(years) + Number(months)} months`,
  ],
]

/** One pattern for all phrases of a table, since most sentences have none; then the phrase that it is. */
function ruleOf(phrases: readonly Phrase[]): DigitRule {
  const patterns = phrases.map(([phrase]) => {
    const pattern = phrase
      .replaceAll(/(?<![\p{L}\\])N(?!\p{L})/gu, '(\\d{1,3}|(?<=past |to )one|one(?= in ))')
      .replaceAll(/(?<![\p{L}\\])T(?!\p{L})/gu, '(\\d{1,2}(?:[:.]\\d\\d)?)')
      .replaceAll('(?=U)', `(?=(?:${UNIT_WORDS})${END})`)
      .replaceAll(/(?<![\p{L}\\])U(?!\p{L})/gu, `(${UNIT_WORDS})`)
    return `${START}(?:${pattern})${/ '?$|\(\?=[^)]*\)$/.test(phrase) ? '' : END}`
  })
  const each = patterns.map((pattern) => new RegExp(pattern, 'iuy'))
  return [
    new RegExp(patterns.map((pattern) => pattern.replaceAll(/(?<!\\)\((?!\?)/g, '(?:')).join('|'), 'giu'),
    (match, index, text) => {
      for (const [number, pattern] of each.entries()) {
        pattern.lastIndex = index
        const found = pattern.exec(text)
        if (found?.[0] !== match) continue
        const groups = found.slice(1).filter((group) => group !== undefined)
        const digits = phrases[number]?.[1] ?? match
        if (typeof digits !== 'string') return digits(...groups)
        return digits.replaceAll(/\$([12])/g, (_, group: string) => groups[Number(group) - 1] ?? '')
      }
      return match
    },
  ]
}

function rulesOf(language: Language | undefined): readonly DigitRule[] {
  const words = LANGUAGES[language ?? 'en']
  if (words === undefined) return [[CARDINAL_RUN, (run) => readRun(run, language)], ruleOf(LATE)]
  const ordinals = new Map(words.ordinals.split(' ').map((word, index) => [word, index + 1]))
  // "First, open the app" counts nothing.
  const counted = `${[...MONTHS, ...WEEKDAYS].join('|')}|${UNIT_WORDS}|working|business|birthday|times?|attempts?|of (?:each|every|the month)`
  const ordinal = new RegExp(
    `${START}(${anyOf(ordinals.keys())})(?:${words.endings})(?= (?:of )?(?:${counted})s?${END})`,
    'giu',
  )
  return [
    [CARDINAL_RUN, (run) => readRun(run, language)],
    ruleOf(words.phrases),
    ruleOf(words.parts),
    ruleOf(LATE),
    [
      ordinal,
      (match) =>
        `${ordinals.get([...ordinals.keys()].findLast((word) => match.toLowerCase().startsWith(word)) ?? '')}th`,
    ],
  ]
}

const RULES = new Map<Language | undefined, readonly DigitRule[]>()

/** The rules that make digits of the words of a text, in the order in which they apply. */
export function numberRules(language: Language | undefined): readonly DigitRule[] {
  const rules = RULES.get(language) ?? rulesOf(language)
  RULES.set(language, rules)
  return rules
}

/** The text with digits for the numbers that it has in words. */
export const digitsForWords = (text: string, language: Language | undefined): string =>
  numberRules(language).reduce(
    (rest, [pattern, digits]) =>
      rest.replace(pattern, (match: string, ...more: unknown[]) => digits(match, Number(more.at(-2)), rest)),
    text,
  )

/** Phrases that are no cardinals, by a word of each. */
const PHRASE_WORDS =
  'half halb halbe halben halber halbes halbjahr quarter quarters viertel viertelstunde dreiviertel noon midday ' +
  'midnight mittag mittags mitternacht midi minuit demi demie quart quarts semestre moitié media medio mediodía ' +
  'medianoche mitad cuarto cuartos fortnight third thirds hälfte drittel tiers tercio tercios anderthalb eineinhalb ' +
  'clock past other second zweite zweiten zehnte vierzehntägig quinzaine deux morning afternoon evening night abends ' +
  'nachmittags morgens früh vormittags abend nachmittag morgen vormittag matin soir midi mañana tarde noche'
const TRIGGERS = new Set([
  ...CARDINALS.keys(),
  ...PHRASE_WORDS.split(' '),
  ...Object.values(LANGUAGES).flatMap(({ ordinals, endings }) => formsOf(ordinals, endings)),
])
/** "dritte", "dritten", … */
function formsOf(ordinals: string, endings: string): string[] {
  const all =
    endings === 'e[nmrs]?'
      ? ['e', 'en', 'em', 'er', 'es']
      : endings === '[oa]?'
        ? ['', 'o', 'a']
        : endings === ''
          ? ['']
          : ['er', 'ère', 'ème', 'ième']
  return ordinals.split(' ').flatMap((word) => all.map((ending) => word + ending))
}
const ARTICLE_AND_UNIT = new RegExp(
  `${START}(?:an?|one|eine?[nmrs]?|une?|una) (?:full |whole |single )?(?:${UNIT_WORDS})${END}` +
    `|15 jours|\\d (?:(?:in|out of|of|von|sur|de cada) (?:every )?\\d|(?:${CURRENCY}|years?|jahre?|ans?|años?)${END})`,
  'iu',
)

/** Whether a text gives a value in words: most sentences do not, and the rules take time. */
export const holdsNumberWord = (text: string): boolean =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).some(
    (word) =>
      TRIGGERS.has(word) || (word.length > 7 && /(?:[zß]ig|hundert|tausend|einhalb|und\p{L}+)$/u.test(word)),
  )
/** The same, or a unit with "a", which is no value to look for. */
export const mayHoldNumberWords = (text: string): boolean =>
  holdsNumberWord(text) || ARTICLE_AND_UNIT.test(text)
