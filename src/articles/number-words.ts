// Numbers in words become digits, so that the patterns of facts need to know digits alone.
import { anyOf, CURRENCIES, CURRENCY_BEFORE, MEASURES, MONTHS, TIME_UNITS, WEEKDAYS } from './fact-words.ts'
import type { TracedText, Written } from './traced-text.ts'
import type { Language } from '../text/words.ts'

/** Rows have two to nineteen, the tens from twenty, others with their values; `|` is between forms. */
const CARDINALS: readonly (readonly [units: string, tens: string, others: string])[] = [
  [
    'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
      'seventeen ' +
      'eighteen nineteen',
    'twenty thirty forty|fourty fifty sixty seventy eighty ninety',
    'hundred=100 thousand=1000 million=1e6 billion=1e9 dozen=12',
  ],
  [
    'zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn ' +
      'sechzehn siebzehn ' +
      'achtzehn neunzehn',
    'zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig',
    'hundert=100 tausend=1000 millionen=1e6 dutzend=12',
  ],
  [
    'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept ' +
      'dix-huit ' +
      'dix-neuf',
    'vingt trente quarante cinquante soixante septante quatre-vingt|quatre-vingts|huitante nonante',
    'cent=100 cents=100 mille=1000 millions=1e6 douzaine=12',
  ],
  [
    'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis|dieciseis ' +
      'diecisiete dieciocho diecinueve',
    'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    'cien=100 ciento=100 doscientos=200 trescientos=300 cuatrocientos=400 quinientos=500 seiscientos=600 ' +
      'setecientos=700 ochocientos=800 novecientos=900 mil=1000 millones=1e6 docena=12 veintiuno' +
      '|veintiún|veintiuna=21 ' +
      'veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27 ' +
      'veintiocho=28 ' +
      'veintinueve=29',
  ],
]
/** They mean something else in other languages, and are read in their own alone. */
const AMBIGUOUS: readonly (readonly [Language, words: string])[] = [
  ['de', 'acht elf'],
  ['fr', 'neuf dix cent cents mille sept onze seize'],
  ['es', 'once quince dos mil'],
]
/** Ordinals stand from the first on, without their endings. */
const ORDINALS = (
  'first|erst|premi|primer second|zweit|deuxi|segund third|dritt|troisi|tercer fourth|viert|quatri|cuart ' +
  'fifth|fünft|cinqui|quint sixth|sechst|sixi|sext seventh|siebt|septi|séptim eighth|acht|huiti|octav ' +
  'ninth|neunt|neuvi|noven tenth|zehnt|dixi|décim eleventh|elft|onzi twelfth|zwölft|douzi ' +
  'thirteenth|dreizehnt|treizi fourteenth|vierzehnt|quatorzi fifteenth|fünfzehnt|quinzi ' +
  'sixteenth|sechzehnt|seizi seventeenth|siebzehnt eighteenth|achtzehnt nineteenth|neunzehnt ' +
  'twentieth|zwanzigst|vingti einundzwanzigst zweiundzwanzigst dreiundzwanzigst vierundzwanzigst ' +
  'fünfundzwanzigst sechsundzwanzigst siebenundzwanzigst achtundzwanzigst neunundzwanzigst ' +
  'thirtieth|drei(?:ß|ss)igst|trenti einunddrei(?:ß|ss)igst'
).split(' ')

const VALUES = new Map<string, number>(
  CARDINALS.flatMap(([units, tens, others]) => [
    ...units.split(' ').map((forms, index) => `${forms}=${index + 2}`),
    ...tens.split(' ').map((forms, index) => `${forms}=${10 * index + 20}`),
    ...others.split(' '),
  ]).flatMap((row) => {
    const [forms = '', value] = row.split('=')
    return forms.split('|').map((word) => [word, Number(value)] as const)
  }),
)

const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
const longestFirst = (words: Iterable<string>): string =>
  [...words].sort((some, other) => other.length - some.length).join('|')

const POWERS = [...VALUES].flatMap(([word, value]) => (value < 100 ? [] : word)).join('|')
/** Germans write numbers as one word: "zweihundertfünfundzwanzig", "dreieinhalb". */
const GERMAN_WORDS = (CARDINALS[1] ?? []).join(' ').replaceAll(/=\d+/g, '').split(/[ |]/)
const GERMAN = `einhalb|ein|${longestFirst(GERMAN_WORDS)}`
const PARTS = new RegExp(`und|${GERMAN}`, 'g')

const wordPatterns = new Map<Language | undefined, RegExp>()

/** "2 million" is a number and a factor, "pour cent" no number. */
function wordsOf(language: Language | undefined): RegExp {
  const known = wordPatterns.get(language)
  if (known !== undefined) return known
  const foreign = new Set(AMBIGUOUS.flatMap(([own, words]) => (own === language ? [] : words.split(' '))))
  // "Máximo dos personas" has no word that tells its language.
  const likely = language === undefined ? '(?:dos|quince)(?= \\p{L}{2,20}s(?!\\p{L}))|' : ''
  const words = longestFirst([...VALUES.keys()].filter((word) => !foreign.has(word)))
  const pattern = new RegExp(
    `${START}(?<!(?:pour|por|\\d) (?=${POWERS}))(?:${likely}${words}|(?:und` +
      `|${GERMAN}){2,9})${END}(?!-\\p{L}+(?:st|nd|rd|th)s?${END})`,
    'giu',
  )
  wordPatterns.set(language, pattern)
  return pattern
}

/** Marks keep apart what was in digits: "twenty-seven" is ‹20›-‹7›. */
const marked: Written = ([found]) => {
  if (found === 'DOS') return found
  const word = found.toLowerCase()
  if (VALUES.has(word)) return `‹${VALUES.get(word)}›`
  const partOf = (part: string): string =>
    part === 'und' ? part : `‹${part === 'ein' ? 1 : (VALUES.get(part) ?? 0.5)}›`
  return (word.match(PARTS) ?? []).map(partOf).join('')
}

/** It takes no room, and no pattern of a longer number holds it. */
const JOINER = '\u2060'

const plus = (first: string, second: string): string => `‹${Number(first) + Number(second)}›`
const times = (first: string, second: string): string => `‹${Number(first) * Number(second)}›`
/** The parts of a number join in this order. */
const JOINTS: readonly (readonly [pattern: RegExp, joined: typeof plus])[] = [
  [/‹(\d)›und‹([2-9]0)›/g, plus],
  [/‹([2-9]0)›(?:[- ]| y | et )‹(\d)›/g, plus],
  [/‹([2-9]0)›(?:[- ]| y | et )(?:one|une?|una)(?!\p{L})/giu, (tens) => plus(tens, '1')],
  // "Soixante-quinze".
  [/‹([68]0)›(?:[- ]| et )‹(1\d)›/g, plus],
  [/‹(1?\d)›[- ]?‹(100)›/g, times],
  [/‹([2-9])› ‹(12)›/g, times],
  [/‹(\d{1,2}00)›(?: and |[- ]|)‹(\d{1,2})›/g, plus],
  [/‹(\d{1,3})›[- ]?‹(10+)›/g, times],
  [/‹(\d+000)›(?: and |[- ]|)‹(\d{1,3})›/g, plus],
  [/‹(\d+)›‹(0\.5)›/g, plus],
  // "Seven fifty" is a price or a time.
  [/‹(\d?[1-9])› ‹([1-5]\d)›/g, (first, second) => `‹${first}.${second}›`],
]

/** A `$1` is the first of the pattern's groups that was found. */
type Phrase = readonly [pattern: string, digits: string | ((first: string, second: string) => string)]

/** "Half past five" stays open: 5:30 or 17:30. */
const clock = (hour: string, minutes: number): string => {
  const hours = (((Number(hour) || 1) + (minutes < 0 ? 10 : 11)) % 12) + 1
  return `${hours}:${String((minutes + 60) % 60).padStart(2, '0')}`
}
const share = (part: string, whole: string): string =>
  Number(part) > Number(whole)
    ? `${part} / ${whole}`
    : `${Math.round((1000 * (Number(part) || 1)) / Number(whole)) / 10} %`

const A = '(?:an? |one |eine?[nmrs]? |une? |una )'
const BEHIND_A =
  'in|within|after|for|than|about|around|over|least|to|by|last|under|of|only|holds?|lasts?|takes?'
const MONEY = anyOf(CURRENCIES.slice(0, -1))
/** "Au moins 5" and "al menos 5" are bounds, "huit heures moins 5" is a time. */
const LESS =
  '(?:(?<!(?<!\\p{L})(?:au|du|le|de|en|heures?|midi|minuit|ou) )moins|(?<!(?<!\\p{L})(?:al|lo|de|ni' +
  '|nada|en|y|o|no|mucho) )menos)'
const CENTS = '(?: (?:cents?|ct|centimes?|c[eé]ntimos?|rappen|pence))?'

const N = '(\\d{1,3}|one(?= (?:in|out) )|(?<=(?:past|to|halb|nach|vor) )(?:one|eins))'
const T = '(\\d{1,2}(?:[:.h]\\d\\d)?)(?: (?:uhr|horas|heures?))?'
const UNIT = anyOf([...TIME_UNITS, ...MEASURES])
const U = `((?=\\p{L}{3})${UNIT}${END})`

/** "The difference minus 4 euros" takes something off; elsewhere, minus is a sign. */
const OF_AMOUNT =
  'difference|price|amount|sum|total|value|fee|fare|refund|deposit|cost|differenz|preis|betrag|summe' +
  '|gebühr|wert|kaution|' +
  'prix|montant|différence|somme|frais|precio|importe|diferencia|suma|tarifa'

const BEFORE_NOON = [
  '(?:in the|this|tomorrow) morning|morgens|früh|vormittags|am (?:vormittag|morgen)',
  'du matin|(?:de|por) la mañana',
].join('|')
const AFTER_NOON = [
  '(?:in the |this |tomorrow )?(?:afternoon|evening)|at night',
  'abends|nachmittags|am (?:nachmittag|abend)',
  "du soir|de l'après-midi|(?:de|por) la (?:tarde|noche)",
].join('|')

/**
 * Each phrase sees what the ones before left. A text without the hint has none of the phrases behind it: to
 * look for each in any text takes half a millisecond.
 */
const PHRASES: readonly (Phrase | { readonly hint: string })[] = [
  { hint: 'noon|mid[din]|mittag|mitternacht|minuit|med[io][ao]n|mediod' },
  ['(?:a )?quarter past (?:noon|midday)|midi et quart', '12:15'],
  ['half past (?:noon|midday)|midi et demie?', '12:30'],
  ['(?:a )?quarter to (?:noon|midday)|midi moins (?:le )?quart', '11:45'],
  ['(?:12 )?(?:noon|midday)|(?:12 uhr )?mittags?|(?<!-)midi|mediodía', '12:00'],
  ['(?:a )?quarter past midnight', '00:15'],
  ['half past midnight', '00:30'],
  ['(?:12 )?midnight|mitternachts?|minuit|medianoche', '00:00'],
  { hint: "past|hal[bf]|quart|viert|cuart|media|nach|vor|to (?:\\d|one)|o'clock|demie" },
  [`half past ${N}|las ${N} y media|${N} y media(?= de la )`, (hour) => clock(hour, 30)],
  [`halb ${N}`, (hour) => clock(hour, -30)],
  [`(?<=(?:at|by|before|until|till|from) )half (\\d{1,2})`, (hour) => clock(hour, 30)],
  [
    `(?:a )?quarter past ${N}|viertel nach ${N}|las ${N} y cuarto|${N} y cuarto(?= de la )`,
    (hour) => clock(hour, 15),
  ],
  [
    `(?:a )?quarter to ${N}|(?:viertel vor|dreiviertel) ${N}|las ${N} menos cuarto`,
    (hour) => clock(hour, -15),
  ],
  [`(5|10|20|25) (?:minutes |minuten )?(?:past|nach) ${N}`, (minutes, hour) => clock(hour, Number(minutes))],
  [`(5|10|20|25) (?:minutes to|(?:minuten )?vor) ${N}`, (minutes, hour) => clock(hour, -Number(minutes))],
  [`${N} o'clock`, '$1:00'],
  [`${N} heures? et demie`, '$1h30'],
  [`${N} heures? et quart`, '$1h15'],
  [`${N} heures? moins (?:le )?quart`, (hour) => clock(hour, -15).replace(':', 'h')],
  { hint: `${BEFORE_NOON}|${AFTER_NOON}` },
  ['(12(?:[:.h]\\d\\d)?) (?:de la noche|at night|nachts)', (time) => `${time.replace('h', ':')} am`],
  [`${T} (?:${BEFORE_NOON})`, (time) => `${time.replace('h', ':')} am`],
  [`${T} (?:${AFTER_NOON})`, (time) => `${time.replace('h', ':')} pm`],
  { hint: 'quart|cuart|viert|half|halb|demi|medi[ao]|anderthalb' },
  [`${A}?(?:3[- ]quarters of an? |3 quarts d'|3 cuartos de |dreiviertel)${U}`, '0.75 $1'],
  [`${A}?(?:quarter of an? |quart d'|cuarto de |viertel)${U}`, '0.25 $1'],
  [`${N} and a half (10{3,9})`, (number, power) => String((Number(number) + 0.5) * Number(power))],
  ['one and a half|anderthalb|eineinhalb', '1.5'],
  ['un an et demi', '18 mois'],
  [`${N} and a half`, '$1.5'],
  [`${A}?(?:half|halbe[nrs]?|demi|medi[ao])[- ]?(?:of )?(?:an? )?${U}`, '0.5 $1'],
  [`${A}${U} (?:and a half|et demie?|y medi[oa])`, '1.5 $1'],
  [`${N} ${U} (?:and a half|et demie?|y medi[oa])`, '$1.5 $2'],
  { hint: 'twice|half a 12|mal(?![\\p{L}])|fois|veces|zu \\p{L}+t(?![\\p{L}])' },
  ['half a 12', '6'],
  ['twice', '2 times'],
  [
    'zu (?:(zweit)|(dritt)|(viert)|(fünft)|(sechst)|(siebt))',
    (found) =>
      `zu ${['zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt'].indexOf(found.toLowerCase()) + 2}`,
  ],
  ['zweimal', '2 mal'],
  ['dreimal', '3 mal'],
  ['viermal', '4 mal'],
  { hint: 'new year|silvester|neujahr|christmas|heilig' },
  ["new year's eve|silvester", '31 December'],
  ["new year's day|neujahr(?:stag)?", '1 January'],
  ['christmas eve|heilig(?:er )?abend', '24 December'],
  ['christmas day', '25 December'],
  { hint: 'clock|day and night|24/7|uhr|24 sur 24|24h/24|día y noche|las 24 h' },
  [
    '(?:a?round the clock|day and night|24/7|rund um die uhr|24 ?(?:h(?:eures)?)? ?(?:sur|/) ?24|día ' +
      'y noche)',
    '24 hours a day',
  ],
  { hint: 'other|second|zweit|sur 2' },
  [`every (?:other|second) ${U}|jede[rns]? zweite[rns]? ${U}|une? ${U} sur 2|1 ${U} sur 2`, 'every 2 $1'],
  { hint: `\\b${A}(?:full |whole |single )?${UNIT}|\\bun ans?` },
  [
    `(?:an?|one) ${U}(?= and \\d)|one ${U}|an? (?:full|whole|single) ${U}|(?<=(?:${BEHIND_A}) )an? ${U}`,
    '1 $1',
  ],
  [`(?:eine?[nmrs]?|une?|una) ${U}|un (ans?)`, '1 $1'],
  {
    hint:
      'fortnight|vierzehnt|quin[zt]|quart|viert|third|dritt|tiers|terc|half|hälfte|moitié|mitad' +
      '|t[eh]l|ths? of|i[eè]me|parte',
  },
  ['(?:a )?fortnight|vierzehntägig|(?:une )?quinzaine(?: de jours)?', '14 days'],
  ['(?:one|an?|ein|1|une?) (?:(?<=one )fifth|fifth(?= of)|fünftel|cinquième)|una quinta parte', '20 %'],
  ['(?:one|an?|ein|1|une?) (?:(?<=one )eighth|eighth(?= of)|achtel|huitième)|una octava parte', '12.5 %'],
  ['(?:one|an?|ein|1|une?) (?:(?<=one )tenth|tenth(?= of)|zehntel|dixième)|una décima parte', '10 %'],
  ['3[- ]quarters|3 viertel|dreiviertel|3 quarts', '75 %'],
  ['2 (?:thirds|drittel|tiers|tercios)', '67 %'],
  [`${N}[- ](?:fifths|fünftel|cinquièmes|quintos)`, (part) => share(part, '5')],
  [`${N}[- ](?:tenths|zehntel|dixièmes|décimos)`, (part) => share(part, '10')],
  [
    '(?:one|an?|ein|1|une?) (?:third(?= (?:of|off|less|more|cheaper))|(?<=one )third|drittel|tiers|tercio)',
    '33 %',
  ],
  ['(?<!(?:first|second|other|the) )half(?! (?:an?|of an?|past))(?=[ ,.;:!?]|$)', '50 %'],
  [
    "(?:one |an? |ein |un |1 )?(?:(?<=by a )quarter(?! of an?)|quarter(?= of)|viertel|quart(?! d')" +
      '|cuarto(?! de))',
    '25 %',
  ],
  ['(?:die |zur )?hälfte|(?:la )?(?:moitié|mitad)', '50 %'],
  { hint: '(?:\\d|one) (?:in|out of|of|von|sur|de cada) (?:every )?\\d' },
  [
    `(?<!\\d[.,])${N} (?:in|out of|of|von|sur|de cada) (?:every )?${N}` +
      `(?!\\.? ?(?:${UNIT}|${MONTHS.join('|')})${END})`,
    share,
  ],
  { hint: '(?:one|eine?|une?|una) \\p{L}+ (?:in|out of|von|sur|de cada) \\d' },
  [
    `(?:one|eine?[rns]?|une?|una) \\p{L}{3,15} (?:in|out of|von|sur|de cada) ${N}`,
    (whole) => share('1', whole),
  ],
  { hint: '\\d ?[x×] ?\\d' },
  // "120 x 60 cm" has one unit for both.
  [`(\\d[\\d.,]*)(?= ?[x×] ?\\d[\\d.,]*(?: ?[x×] ?\\d[\\d.,]*)? ?(cm|mm|m|px)${END})`, '$1 $2'],
  { hint: 'below|null|zéro|minus|moins|menos|negativ|[:=(] ?- \\d' },
  [
    `(\\d[\\d.,]*) (degrees|grad|degrés)(?: celsius)? (?:below (?:zero|freezing)|unter null|sous zéro)`,
    '-$1 $2',
  ],
  // "Balance: - 20 €" has a sign; "the fee - 20 € -" has dashes.
  [`(?<=[:=(] ?)- (\\d[\\d.,']*)`, '-$1'],
  [
    `(?:(?<!(?<!\\p{L})(?:${OF_AMOUNT}) )minus|negative|negativ) ((?:(?:${CURRENCY_BEFORE}) ?)?\\d[\\d.,']*)`,
    '-$1',
  ],
  [`${LESS} (\\d[\\d.,]*)(?= ?(?:°|degrés|grados|${MONEY}))`, '-$1'],
  { hint: `(?:one|eine?n?|une?|una) (?:${MONEY})` },
  [`(?:one|eine?n?|une?|una) (${MONEY})`, '1 $1'],
  { hint: `\\d (?:${MONEY}) (?:and |und |et |y |con )?[1-9]\\d` },
  [
    `(?<![.,])(\\d+) (${MONEY}) (?:and |und |et |y |con )?([1-9]\\d)${CENTS}(?! ?(?:[%:.,]?\\d|%` +
      `|${U}|${MONEY}))`,
    '$1.$3 $2',
  ],
  { hint: '\\d (?:hours?|stunden?) (?:and |und )?[0-5]\\d' },
  [
    `(\\d{1,2}) (?:hours?|stunden?) (?:and |und )?([0-5]\\d)(?! ?(?:[%:.,]?\\d|%|${U}|${MONEY}))`,
    (hours, minutes) => `${60 * Number(hours) + Number(minutes)} minutes`,
  ],
  { hint: '\\d (?:years?|jahre?|ans?|años?)' },
  [
    '(\\d+) (?:years?|jahre?|ans?|años?),? (?:and |und |et |y )?(\\d+) (?:months?|monate?|mois|meses)',
    (years, months) => `${12 * Number(years) + Number(months)} months`,
  ],
]
/** "First, open the app" counts nothing. */
const COUNTED = [
  ...MONTHS,
  ...WEEKDAYS,
  'working|business|birthday|attempts?|of (?:each|every|the month)|des monats|du mois|del mes',
].join('|')
const ORDINAL = `(?:${ORDINALS.map((stems) => `(${stems})`).join('|')})(?:i?ère|i?ème|ier|e[nmrs]?|[oa])?`

const compile = (pattern: string): RegExp => new RegExp(`${START}(?:${pattern})${END}`, 'giu')
const RULES: { readonly hint: RegExp; readonly rules: [RegExp, Written][] }[] = []
for (const phrase of PHRASES)
  if ('hint' in phrase) RULES.push({ hint: new RegExp(phrase.hint, 'iu'), rules: [] })
  else {
    const [pattern, digits] = phrase
    const written: Written = ([, ...all]) => {
      const groups = all.filter((group) => group !== undefined)
      if (typeof digits !== 'string') return digits(groups[0] ?? '', groups[1] ?? '')
      return digits.replaceAll(/\$(\d)/g, (_, index: string) => groups[Number(index) - 1] ?? '')
    }
    RULES.at(-1)?.rules.push([compile(pattern), written])
  }
const BEFORE_COUNTED = `(?= (?:of |de )?(?:(?:${COUNTED})s?${END}|${U}))`
RULES.push({
  hint: new RegExp(ORDINALS.join('|'), 'i'),
  rules: [30, 20, 0].map((tens) => [
    compile(`${tens === 0 ? '' : `${tens}[- ]`}${ORDINAL}${BEFORE_COUNTED}`),
    ([, ...groups]) => `${tens + groups.findIndex((group) => group !== undefined) + 1}th`,
  ]),
})

/** Reads most of what gives a value in words, in a fraction of the time. */
export function readCardinals(text: TracedText, language: Language | undefined): TracedText {
  text.replace(wordsOf(language), marked)
  if (!text.text.includes('‹')) return text
  for (const [pattern, joined] of JOINTS)
    text.replace(pattern, ([, first = '', second = '']) => joined(first, second))
  // A number in words is no part of the one beside it: "Call 0800 555 0160 ten days ahead".
  return text.replace(/(?<=\d )‹|›(?= \d{3})/g, JOINER).replace(/[‹›]/g, '')
}

export function readNumberWords(text: TracedText, language: Language | undefined): TracedText {
  readCardinals(text, language)
  for (const { hint, rules } of RULES)
    if (hint.test(text.text)) for (const [pattern, written] of rules) text.replace(pattern, written)
  return text
}
