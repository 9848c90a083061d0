// What makes a text no key, and which keys are likely none: what is hidden must not be what records are made of.
import { plural } from '../../domain/digits.ts'
import { OUTCOMES } from '../../domain/outcome.ts'
import { isLoopback } from '../../endpoint/address.ts'
import { FIGURE_NAMES, FIGURES_BY_VALUE } from './figure-names.ts'
import { OPTION_NAMES } from './option-names.ts'
import { OUTPUT_NAMES, OUTPUT_WORDS } from './output-words.ts'

const SHORTEST_KEY = 8
/** Of digits alone, with or without points between them: a time in milliseconds has 13. */
const SHORTEST_NUMBER = 14
const NUMBER = /^[\d.,:+-]+$/
const QUOTED = /^(["'`]).*\1$/s

/** The contract's words and the records' own: hidden in an answer, they would leave none to be read. */
const OWN_WORDS: readonly string[] = [
  ...OUTCOMES,
  'conversationId',
  'contextSource',
  'KNOWLEDGE_BASE',
  'httpStatus',
  'rejection',
  'abandoned',
]

/** Of what we write and recommend: files, commands, figures and options. */
const OWN_NAMES: readonly string[] = [
  ...OUTPUT_NAMES,
  ...FIGURE_NAMES,
  ...OUTCOMES.map((outcome) => `errors.byOutcome.${outcome}`),
  ...OPTION_NAMES,
]

/** What makes a text, without outer white space, no key: words that do not repeat it, and go on with a sentence. */
export function keyFault(value: string): string | undefined {
  if (value === '') return 'is empty; give the whole key'
  // A word that short stands in every record, too: it could not be kept out of them.
  if (value.length < SHORTEST_KEY) return `has only ${plural(value.length, 'character')}; give the whole key`
  if (OWN_WORDS.some((word) => word.includes(value)))
    return 'is a word that stands in every answer or record, and could not be kept out of them; give the key itself'
  if (OUTPUT_WORDS.some((word) => word.includes(value)))
    return 'is a word that the files are made of, and could not be kept out of them; give the key itself'
  if (OWN_NAMES.some((name) => name.includes(value)) || isFigureOfValue(value))
    return 'stands in the names of our files, figures, commands or options, and could not be kept out of them; give the key itself'
  if (isLoopback(value) || (NUMBER.test(value) && value.length < SHORTEST_NUMBER))
    return 'is a number, a date or an address as they stand in figures and records, and could not be kept out of them; give the key itself'
  if (QUOTED.test(value)) return 'stands in quotation marks; leave them out'
  if (/^bearer\s/i.test(value)) return 'begins with "Bearer", which is added to it; leave it out'
  // RFC 6750: a bearer token is visible ASCII; anything else would be refused or mangled on the way.
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'holds white space, line breaks or signs beyond ASCII; give it anew'
}

const WORD = '(?:[A-Za-z][a-z]+|[A-Z]+)'
const PLAIN_WORDS = new RegExp(`^${WORD}(?:_${WORD})*$`)
/** A key without a digit, and all in one case, is hardly longer by chance. */
const LONGEST_WORDS = 20

/** Whether it may be a word of questions and answers: hidden there, it is missed. */
export const isPlainWord = (key: string): boolean => key.length <= LONGEST_WORDS && PLAIN_WORDS.test(key)

/** `errors.byHttpStatus.502`, `contextSource.FAQ`: whatever the value, if only it may be one. */
const isFigureOfValue = (key: string): boolean =>
  FIGURES_BY_VALUE.some((figure) => {
    const value = key.startsWith(`${figure}.`) ? key.slice(figure.length + 1) : ''
    return /^\d{3}$/.test(value) || isPlainWord(value)
  })
