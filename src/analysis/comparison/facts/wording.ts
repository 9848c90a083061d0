// What single words say: that something is not so, and what it is called.
import { BEGINS } from './places.ts'
import { END, START, type FactRule } from './rule.ts'

const NEGATIONS =
  'not cannot no never none nothing nobody neither nor nicht nie niemals nichts niemand weder without ohne forbidden prohibited verboten untersagt impossible unmöglich kein keine keinem keinen keiner keines keins'.split(
    ' ',
  )
/** Words that are shouted, not called so. */
const SHOUTED: ReadonlySet<string> = new Set(
  'OK OKAY NOTE IMPORTANT WARNING PLEASE ATTENTION CAUTION ONLY ALL AND OR MUST ALWAYS YES TIP STEP HINWEIS WICHTIG ACHTUNG BITTE NUR UND ODER ALLE IMMER JA NEIN TIPP SCHRITT'.split(
    ' ',
  ),
)

export const wordingRules: readonly FactRule[] = [
  {
    kind: 'negation',
    where: { begins: 0, words: ['not', 'nicht', 'no', 'without', 'ohne'] },
    // "not only" denies nothing, "no more than" is a bound, and "No. 5" a number.
    pattern: new RegExp(
      `${START}(?:not only|not just|nicht nur|no\\.(?= ?\\d)|not? (?:more|less|fewer|later|earlier) than|nicht (?:mehr|weniger|später|früher) als|(?:without|ohne) (?:further|delay|hesitation|doubt|weiteres|verzögerung|zweifel))`,
      'iuy',
    ),
    read: () => [],
  },
  {
    kind: 'negation',
    where: { begins: BEGINS.contraction, words: NEGATIONS },
    // One value for all: "you cannot", "you can't", "it is forbidden" and "there is no way" deny alike.
    pattern: new RegExp(`(?:${START}(?:${NEGATIONS.join('|')})|(?<=\\p{L})n't)${END}`, 'iuy'),
    read: () => ['not'],
  },
  {
    kind: 'name',
    where: { begins: BEGINS.name | BEGINS.mixed, words: [] },
    pattern:
      /(?<![\p{L}\p{N}])((?:\d{1,3}\p{Lu}{2,30}|\p{Lu}[\p{Lu}\p{N}]{1,30}|\p{Lu}(?=[-_]\d))(?:[-_](?:[\p{Lu}\p{N}]{1,30})(?![\p{L}\p{N}])){0,6})s?(?![\p{L}\p{N}])/uy,
    read: ([, name = '']) => (SHOUTED.has(name) ? [] : [name]),
  },
]
