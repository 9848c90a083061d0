// Words of answers in English, German, French and Spanish that say what a value is: rounded, concluded.

const anyWord = (...words: readonly string[]): string => `(?:^|[^\\p{L}])(?:${words.join('|')})`

export const HEDGE_BEFORE = new RegExp(
  anyWord(
    'about|around|nearly|almost|roughly|approximately|approx\\.|some',
    'just (?:over|under)|over|more than|less than',
    'circa|ca\\.|rund|etwa|ungefähr|fast|knapp|gut|zirka|mehr als|über',
    'environ|presque|près de|à peu près|plus de|quelque',
    'unos|unas|casi|aproximadamente|alrededor de|cerca de|más de|más o menos',
  ) + ' ?$',
  'iu',
)
/** Words of a sentence that draws a value from others. */
export const CONCLUDES = new RegExp(
  anyWord(
    "so|thus|therefore|hence|(?<=(?:^|[,;:(.-]) ?)that(?: i|')s|which is|i\\.e\\.",
    'in total|that makes|totals?',
    'altogether|overall|comes? to|amounts? to|adds? up|works? out|would be|saves?|leaves',
    '(?:all|both|taken) together|per year|a year|twice|double',
    '(?<!no )later|earlier|after (?:that|yours)|left|remaining',
    'also|somit|daher|(?:das|dies) (?:sind|macht|ergibt|heißt)|insgesamt|zusammen|doppelt|später|früher',
    "übrig|im jahr|donc|cela fait|ça fait|soit|ainsi|c'est-à-dire",
    'au total|en tout|le double|plus (?:tard|tôt)',
    'restent?|par an|o sea|es decir|así que|por tanto|en total|el doble|más tarde|antes|quedan?|al año',
  ) + '(?!\\p{L})|=',
  'iu',
)

/** A total is the answer's own count: of what, it need not say. */
const TOTAL =
  'altogether|in total|in all|add(?:s|ed)? up to|together|insgesamt|zusammen|ergibt|ergeben' +
  '|au total|en tout|en total|suman'
export const TOTAL_BEFORE = new RegExp(`${anyWord(TOTAL)}(?!\\p{L})[^.;:!?]{0,25}$`, 'iu')
export const TOTAL_BEHIND = new RegExp(`^[^.;:!?,]{0,20}(?<!\\p{L})(?:${TOTAL})(?!\\p{L})`, 'iu')

/** "In the other ten months": what is left of a whole is no claim of its own. */
export const OTHERS = /^(?:other|others|remaining|übrigen?|restlichen?|autres?|restante?s?|otr[oa]s|demás)$/u

export const END_OF_MONTH = new RegExp(
  'last day|end of (?:the |each )?month|letzte[nrs]? tag|monatsende|ende des monats|dernier jour|' +
    'fin (?:du|de) mois|último día|fin(?:al)? de(?:l)? mes',
  'iu',
)

export const HALVES = /(?<!\p{L})(?:half|halves|hälften?|halb|moitiés?|mitad(?:es)?)(?!\p{L})/iu

export const DOUBLES = /(?<!\p{L})(?:double|twice|doppelt\p{L}*|verdoppel\p{L}*|doubler?|doble)(?!\p{L})/iu

export const ANY_MONTH = new RegExp(
  anyWord(
    '(?:each|every|the|following|next|same|folge)[- ]?months?',
    '(?:jedes|des|nächsten|folgenden) monats|folgemonats',
    '(?:chaque|du|même) mois|mois suivant|(?:cada|del) mes|mes siguiente',
  ) + '(?!\\p{L})',
  'iu',
)

export const A_UNIT = /(?<!\p{L})(?:an?|one|eine[nmrs]?|une?|una) (\p{L}+)/giu
