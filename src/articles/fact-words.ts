// The words of facts in English, German, French and Spanish, as parts of patterns.

export type WordRow<T> = readonly [pattern: string, meaning: T]
/** The factor converts to the unit. */
type Unit = readonly [unit: string, factor: number]

export const anyOf = (table: readonly WordRow<unknown>[]): string =>
  `(?:${table.map(([pattern]) => pattern).join('|')})`

export const CURRENCIES: readonly WordRow<Unit>[] = [
  ['€|eur|euros?', ['EUR', 1]],
  ['us\\$|\\$|usd|dollars?|dólar(?:es)?', ['USD', 1]],
  ['£|gbp|pounds?|pfund|livres? sterling|libras? esterlinas?', ['GBP', 1]],
  ['chf|sfr\\.?|franken|francs?|francos?', ['CHF', 1]],
  ['¥|jpy|yen|円', ['JPY', 1]],
  ['cny|rmb|yuan|元', ['CNY', 1]],
  ['₩|krw|won|원', ['KRW', 1]],
  ['₹|inr|rs\\.?|rupees?|rupien?|roupies?|rupias?', ['INR', 1]],
  ['pln|zł', ['PLN', 1]],
  ['cad|c\\$', ['CAD', 1]],
  ['aud|a\\$', ['AUD', 1]],
  // Of whatever currency the article names.
  ['cents?|ct|centimes?|c[eé]ntimos?|pence|p(?![.]?m)', ['¤', 0.01]],
]
/** These signs and codes stand before the number, too. */
export const CURRENCY_BEFORE =
  '€|eur|us\\$|c\\$|a\\$|\\$|usd|£|gbp|chf|sfr\\.?|¥|jpy|cny|rmb|₩|₹|inr|rs\\.?|pln|cad|aud'

export const POWERS: readonly WordRow<number>[] = [
  ['k|thousand|tausend|tsd\\.?|mille|mil', 1000],
  ['lakhs?|lacs?', 100_000],
  ['mn?|million(?:en|s|es)?|mio\\.?|millones|millón', 1_000_000],
  ['crores?', 10_000_000],
]

/** A day is 24 hours: "within one day" and "within 24 hours" promise the same. Months stay months. */
export const TIME_UNITS: readonly WordRow<Unit>[] = [
  ['ms|milliseconds?|millisekunden?|millisecondes?|milisegundos?', ['s', 0.001]],
  ['s|secs?|seconds?|sek|sekunden?|secondes?|segundos?|秒|초', ['s', 1]],
  ['mins?|minutes?|(?:geh|fahr)?minuten?|minütig\\p{L}{0,2}|minutos?|分钟|分鐘|分間?|분', ['s', 60]],
  ['h|hrs?|hours?|std|stunden?|stündig\\p{L}{0,2}|heures?|horas?|小时|小時|時間|시간', ['s', 3600]],
  [
    '(?:business|working|work)[- ]days?|(?:werk|arbeits|geschäfts)tag(?:en?|s|es)?' +
      '|jours? (?:ouvrés?|ouvrables?)|d[ií]as? (?:h[áa]bil(?:es)?|laborables?)|工作日|営業日',
    ['working days', 1],
  ],
  [
    '(?:calendar )?days?|(?:kalender)?tag(?:en?|s|es)?|tägig\\p{L}{0,2}|jours?(?: calendaires?)?' +
      '|journées?|d[ií]as?(?: naturales)?|天|日間|日|일',
    ['s', 86_400],
  ],
  ['wks?|weeks?|wochen?|wöchig\\p{L}{0,2}|semaines?|semanas?|周|週間?|星期|주', ['s', 604_800]],
  ['months?|monat(?:en?|s|es)?|monatig\\p{L}{0,2}|mois|mes(?:es)?|个月|個月|か月|ヶ月|개월', ['months', 1]],
  ['yrs?|years?|jahr(?:en?|s|es)?|jährig\\p{L}{0,2}|ans?|années?|años?|年間?|년', ['months', 12]],
]

/** Each says how often something is, as one unit of time. */
export const INTERVALS: readonly WordRow<Unit>[] = [
  ['(?:every|each) minute|jede minute|(?:toutes les|chaque) minutes?|cada minuto', ['s', 60]],
  ['hourly|(?:every|each) hour|stündlich|jede stunde|(?:toutes les|chaque) heures?|cada hora', ['s', 3600]],
  [
    'daily|(?:every|each|once (?:a|per)) day|täglich|einmal am tag|jeden tag' +
      '|(?:tous les|chaque) jours?|(?:todos los|cada) d[ií]as?',
    ['s', 86_400],
  ],
  [
    'weekly|(?:every|each|once (?:a|per)) week|wöchentlich|jede woche|einmal (?:in der|pro) woche' +
      '|(?:une fois par|toutes les|chaque) semaines?|(?:todas las|cada) semanas?',
    ['s', 604_800],
  ],
  [
    'monthly|(?:every|each|once (?:a|per)) month|monatlich|jeden monat|einmal (?:im|pro) monat' +
      '|mensuel\\p{L}*|(?:une fois par|tous les|chaque) mois|mensual\\p{L}*|(?:todos los|cada) mes(?:es)?',
    ['months', 1],
  ],
  [
    'quarterly|(?:every|each) quarter|vierteljährlich|jedes quartal' +
      '|trimestriel\\p{L}*|chaque trimestre|trimestral\\p{L}*|cada trimestre',
    ['months', 3],
  ],
  [
    'yearly|annual(?:ly)?|(?:every|each|once (?:a|per)) year|jährlich|jedes jahr|einmal (?:im|pro) jahr' +
      '|annuel\\p{L}*|(?:une fois par|tous les|chaque) ans?|anual\\p{L}*|(?:todos los|cada) años?',
    ['months', 12],
  ],
]

export const MEASURES: readonly WordRow<Unit>[] = [
  ['bytes?|octets?', ['b', 1]],
  ['kilobytes?|kilooctets?', ['kb', 1]],
  ['megabytes?|mégaoctets?', ['mb', 1]],
  ['gigabytes?|gigaoctets?', ['gb', 1]],
  ['terabytes?|téraoctets?', ['tb', 1]],
  ['kbps|k(?:ilo)?bits?(?:/s| (?:per|a) second)', ['mbit/s', 0.001]],
  ['mbps|m(?:é|e)?(?:ga)?bits?(?:/s| (?:per|a) second| par seconde)', ['mbit/s', 1]],
  ['gbps|g(?:iga)?bits?(?:/s| (?:per|a) second| par seconde)', ['mbit/s', 1000]],
  ['m2|qm|square met(?:er|re)s?|quadratmetern?|mètres? carrés?|metros? cuadrados?', ['m2', 1]],
  ['m3|cbm|cubic met(?:er|re)s?|kubikmetern?|mètres? cubes?|metros? cúbicos?', ['l', 1000]],
  ['km|kilom[eè]t(?:er|re)[ns]?|kilómetros?', ['m', 1000]],
  ['cm|[cz]entim[eè]t(?:er|re)[ns]?|centímetros?', ['m', 0.01]],
  ['mm|millim[eè]t(?:er|re)[ns]?|milímetros?', ['m', 0.001]],
  ['m|m[eè]t(?:er|re)[ns]?|metros?', ['m', 1]],
  ['kg|kilos?|kilogram(?:m?e?s?|os?)', ['g', 1000]],
  ['mg|milligram(?:m?e?s?|os?)', ['g', 0.001]],
  ['t|tonn?e[ns]?|tons|toneladas?', ['g', 1e6]],
  ['g|gram(?:m?e?s?|os?)', ['g', 1]],
  ['ml|mill?ilit(?:er|re|ro)[ns]?', ['l', 0.001]],
  ['cl|[cz]entilit(?:er|re|ro)[ns]?', ['l', 0.01]],
  ['dl|d[eé][zc]ilit(?:er|re|ro)[ns]?', ['l', 0.1]],
  ['l|lit(?:er|re|ro)[ns]?', ['l', 1]],
  ['kph', ['km/h', 1]],
  ['k(?:ilo)?w(?:att)?[- ]?(?:h|hours?|stunden?)|kilowattheures?|kilovatios?[- ]hora', ['kwh', 1]],
  ['wh|watt[- ]?(?:hours?|stunden?)', ['kwh', 0.001]],
  ['kw|kilowatts?|kilovatios?', ['kw', 1]],
  ['w|watts?|vatios?', ['kw', 0.001]],
  ['° ?c|(?:degrees?|grad|degrés?|grados?)(?: celsius)?', ['°c', 1]],
  ['° ?f|degrees? fahrenheit', ['°f', 1]],
  ['pixels?|pixeln?|píxeles', ['px', 1]],
]
/** These are their own unit: "gib", "m2". */
export const OTHER_MEASURES =
  '[kmgt]i?b|[km]o|go(?! (?!de |par |et |ou |max))|[kcm]?m2|[kcm]m3|km/h|mph|[kmg]?hz|px|dpi'

/** These units belong to scripts that put no space around them. */
export const UNSPACED_UNITS =
  '个月|個月|か月|ヶ月|개월|小时|小時|時間|시간|分钟|分鐘|分間|星期|週間|日間|年間|工作日|営業日|[天日年月分秒周週元円]|[년월일분초주원]'

/** Each row holds the names of one month. */
export const MONTHS = [
  'january|januar|jänner|janvier|enero|jan|janv|ene',
  'february|februar|février|fevrier|febrero|feb|févr|fév',
  'march|märz|mars|marzo|mar|mär|mrz',
  'april|avril|abril|apr|avr|abr',
  'may|mai|mayo',
  'june|juni|juin|junio|jun',
  'july|juli|juillet|julio|jul|juil',
  'august|août|aout|agosto|aug|ago',
  'september|septembre|septiembre|setiembre|sept|sep',
  'october|oktober|octobre|octubre|oct|okt',
  'november|novembre|noviembre|nov',
  'december|dezember|décembre|diciembre|dec|dez|déc|dic',
]
const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const IN_FULL = MONTHS.flatMap((names) => names.split('|').filter((name) => name.length > 3))
/** A month without a day has a capital, or in French and Spanish a preposition before it or a year behind. */
export const MONTHS_ALONE =
  [...IN_FULL, 'mai'].map(capitalized).join('|') +
  `|(?<=(?:[Ee]n|[Dd]e|[Àà]|[Ff]in|[Dd]ébut|[Dd]ès|[Dd]epuis|[Aa]|[Dd]esde|[Hh]asta) )` +
  `(?:${IN_FULL.join('|')}|mai)` +
  `|(?:${IN_FULL.join('|')})(?= (?:de |del )?(?:19|20)\\d\\d)` +
  // A verb, too.
  '|(?<=(?:in|by|until|since|of|from|before|after|early|late|mid|this|next|last|end) )May' +
  '|May(?= (?:19|20)\\d\\d)'

export const WEEKDAYS = [
  'monday|montag|lundi|lunes',
  'tuesday|dienstag|mardi|martes',
  'wednesday|mittwoch|mercredi|mi[ée]rcoles',
  'thursday|donnerstag|jeudi|jueves',
  'friday|freitag|vendredi|viernes',
  'saturday|samstag|sonnabend|samedi|s[áa]bado',
  'sunday|sonntag|dimanche|domingo',
]

/** The names are English, German, French and Spanish. */
const SHORT_WEEKDAYS = (
  [
    ['mon tues? wed thu(?:rs?)? fri sat sun', 'and|or|to|through|thru|until'],
    ['mo di mi do fr sa so', 'und|oder|bis'],
    ['lun mar mer jeu ven sam dim', 'à|au|et|ou'],
    ['lun mar mi[ée] jue vie s[áa]b dom', 'al?|y|o'],
  ] as const
).map(([days, words]) => ({ days: days.split(' '), words }))
const LONG_WEEKDAYS = WEEKDAYS.flatMap((names) => names.split('|'))
  .flatMap((name) => [name, capitalized(name)])
  .join('|')
/** They need another one, or a time: "so" is a word, "Sam" a name, "sat" a verb. */
export const SHORT_WEEKDAY = SHORT_WEEKDAYS.map(({ days, words }) => {
  const capitals = days.map(capitalized).join('|')
  const inCapitals = days.map((name) => name.toUpperCase()).join('|')
  const day = days.includes('mo')
    ? `(?:${capitals}|${inCapitals})`
    : `(?:${capitals}|${inCapitals}|${days.join('|')})`
  const beside = `\\.?(?: ?[-–,/&+] ?| (?:${words}) )`
  const other = `(?:${day}|${LONG_WEEKDAYS})`
  return [
    `${day}(?=${beside}${other}(?!\\p{L}))`,
    `(?<=(?<!\\p{L})${other}${beside})${day}`,
    days.includes('lun') ? `${day}(?=\\.? \\d\\d?(?: ?h|:\\d))` : `(?:${capitals})(?=\\.? ?\\d)`,
  ].join('|')
})
  // "L-V" in Spanish and French.
  .concat('L(?= ?- ?[JVSD](?!\\p{L}))|(?<=(?<!\\p{L})L ?- ?)[JVSD]')
  .join('|')
const LETTERS = ['l', undefined, undefined, 'j', 'v', 's', 'd']
export const SHORT_AND_LONG_WEEKDAYS = WEEKDAYS.map((names, index) =>
  [names, ...SHORT_WEEKDAYS.map(({ days }) => days[index]), LETTERS[index] ?? []].flat().join('|'),
)

export const RANGE = ' ?- ?| to | bis | and | und | or | oder | à | et | ou | a | y | o '

/** "ne … pas" and "no … nunca" are one negation each. */
export const NEGATION = [
  '(?:no|sin) (?:\\p{L}{1,20} ){0,5}?(?:nunca|jamás|nada|nadie|ning[uú]na?|ninguno|tampoco)',
  'not|cannot|no|never|none|nothing|nobody|neither|without|forbidden|prohibited|impossible',
  'unable|incapables?',
  'nicht|nie|niemals|nichts|niemand|weder|ohne|verboten|untersagt|unmöglich|kein(?:e[mnrs]?|s)?|nein',
  'außerstande|unfähig',
  "n(?:e |')(?:[\\p{L}']{1,20} ){0,4}?(?:pas|plus|jamais|rien|aucune?|personne|guère)",
  'non|pas|jamais|aucune?s?|sans|interdite?s?',
  'nunca|jamás|nada|nadie|ning[uú]na?|ninguno|tampoco|sin|prohibid[oa]s?|imposibles?|incapa(?:z|ces)',
].join('|')

/** These words show courtesy, bound a number, or go on: they negate nothing. */
export const SET_PHRASES = [
  "(?:do not|don't|never|not to|no need to) (?:hesitate|worry|forget|be (?:afraid|shy|alarmed))",
  'no (?:problems?|worries|doubt|matter)',
  'not (?:only|just|least|at all|to mention|a problem)|nothing to worry about',
  'not (?:to )?exceed(?:ing)?',
  'not? (?:more|less|fewer|later|earlier|longer) than|without (?:further ado|further|delay|doubt|hesitation)',
  'never mind|why not|(?:whether )?or not|no issues?(?= ?[,!.:-])',
  'zögern sie (?:bitte )?nicht|zögere? nicht',
  'nicht (?:zu )?(?:zögern|vergessen|nur|zuletzt)|scheuen sie sich nicht',
  'verges(?:sen sie|st|st du|s) (?:bitte )?nicht',
  'kein(?:e|en)? (?:problem|sorgen?|angst|ursache|frage|zweifel)',
  'nichts zu danken|(?:machen sie|mach) (?:sich|dir) keine sorgen?|warum nicht|oder nicht',
  'nicht (?:mehr|weniger|später|früher|länger) als|ohne (?:weiteres|verzögerung|zweifel|zögern|umstände)',
  "n'(?:hésite[zr]?|oublie[zr]?)(?: surtout)? pas",
  'ne pas (?:hésiter|oublier)|(?:pas|aucun) (?:de )?(?:problème|soucis?)',
  "ne (?:vous|t'|te )? ?inquiéte?z? pas|ne vous en faites pas|pas d'inquiétude|de rien|il n'y a pas de quoi",
  'sans (?:problème|soucis?|doute|délai|tarder|plus attendre|hésiter)',
  '(?:non|pas) seulement|non plus|pourquoi pas',
  '(?:pas|ne) plus (?:de|tard|que)(?= \\d)|pas plus tard que|pas à pas',
  'no (?:lo )?dud(?:e[ns]?|éis)(?: en)?|no se preocupen?',
  'no te preocupes|no (?:se )?olvid(?:e[ns]?|ar)(?: de)?',
  'no hay (?:ningún |de )?(?:problema|qué)|(?:ningún|sin) problemas?',
  'sin (?:duda|demora|embargo|más)|no obstante',
  'no (?:solo|sólo|solamente)|no más (?:de|tarde)|por qué no|de nada|nada más|o no(?= ?[,.;?]|$)',
  // "No, you cannot" says it once.
  '(?:no|nein|non)[,.:;!-]+(?= [^?!\\n]{0,60}' +
    "(?:(?<!\\p{L})(?:not|cannot|nicht|kein\\p{L}{0,2}|pas|no)(?!\\p{L})|n't))",
].join('|')
