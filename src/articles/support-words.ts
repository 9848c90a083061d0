// Words of answers in English, German, French and Spanish that say what a value is: rounded, concluded.

import { MONTHS } from './fact-words.ts'
import type { Language } from '../text/words.ts'

const anyWord = (...words: readonly string[]): string => `(?:^|[^\\p{L}])(?:${words.join('|')})`

export const HEDGE_BEFORE = new RegExp(
  anyWord(
    'about|around|nearly|almost|roughly|approximately|approx\\.|some',
    'a good|just (?:over|under)|over|under|(?:more|less|fewer) than',
    'circa|ca\\.|rund|etwa|ungefähr|fast|knapp|gut|zirka|(?:mehr|weniger) als|über',
    'environ|presque|près de|à peu près|(?:plus|moins) de|quelque',
    'unos|unas|casi|aproximadamente|alrededor de|cerca de|más de|más o menos',
  ) + ' ?$',
  'iu',
)
/** Words of a sentence that draws a value from others. */
const CONCLUDES = new RegExp(
  anyWord(
    "so|thus|therefore|hence|(?<=(?:^|[,;:(.–-]) ?)that(?: i|')s|which is|i\\.e\\.|mak(?:es?|ing)",
    'com(?:es?|ing) to|reckon with|equals?|in total|total(?:s|ling)?|altogether|overall|all in|in all',
    'together|add(?:s|ing)? up|amounts? to|works? out|would be|instead of|saves?|leaves|left|remaining',
    'twice|double|(?<!no )later|earlier',
    'somit|daher|(?:das|dies) (?:sind|macht|ergibt|heißt|heisst)|sind (?:das|es)|macht|ergibt|ergeben',
    'insgesamt|zusammen|kommen sie auf|statt|doppelt|übrig|später|früher|pro kopf|wären',
    "donc|soit|ainsi|(?:cela|ça|ce qui) (?:fait|donne)|c'est-à-dire|au total|en tout|au lieu de",
    'le double|plus (?:tard|tôt)|restent?|seraient',
    'o sea|es decir|así que|por (?:lo )?tanto|en total|serían|el doble|en lugar de|más tarde|quedan?|suman?',
  ) + '(?!\\p{L})|=',
  'iu',
)
/** In English it says nothing. */
const ALSO = new RegExp(`${anyWord('also')}(?!\\p{L})`, 'iu')

export const ROUNDS = /rounded|gerundet|arrondi|redonde/iu

/** A total is the answer's own count: of what, it need not say. */
const TOTAL =
  'altogether|in total|in all|add(?:s|ed)? up to|together|insgesamt|zusammen|ergibt|ergeben' +
  '|au total|en tout|en total|suman'
const TOTAL_BEHIND = new RegExp(`^[^.;:!?,]{0,20}(?<!\\p{L})(?:${TOTAL})(?!\\p{L})`, 'iu')

/** The words stand before the value, or right behind it: "£46 altogether". */
export const concludes = (before: string, behind: string, language: Language | undefined): boolean =>
  CONCLUDES.test(before) || TOTAL_BEHIND.test(behind) || (language === 'de' && ALSO.test(before))

export const END_OF_MONTH = new RegExp(
  'last day|end of (?:the |each )?month|letzte[nrs]? tag|monatsende|ende des monats|dernier jour|' +
    'fin (?:du|de) mois|último día|fin(?:al)? de(?:l)? mes' +
    `|(?:ende|end of|fin(?:al(?:es)?)?(?: de)?) (?:${MONTHS.join('|')})`,
  'iu',
)

/** "The full price" is 100 %. */
export const ALL =
  /(?<!\p{L})(?:fully|full|all|complete(?:ly)?|voll\p{L}*|ganz\p{L}*|entier\p{L}*|todo)(?!\p{L})/iu

/** The words stand before the number. */
export const LESS = new RegExp(
  anyWord(
    'under|below|(?:younger|less|fewer) than|unter|(?:jünger|weniger) als|moins de|menos de|menores de',
  ) + ' $',
  'iu',
)
export const MORE = new RegExp(
  anyWord('over|above|(?:older|more) than|exceed(?:s|ing)?|über|mehr als|plus de|más de|mayores de') + ' $',
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
