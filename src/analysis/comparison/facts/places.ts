// The places of a text where a fact may begin, by one look at each sign: patterns are tried there and nowhere else.
import { type Openings, openingAt } from './openings.ts'
import {
  CAPITAL,
  DIGIT,
  isLetter,
  isOfWord,
  kindAt,
  LETTER,
  OTHER,
  type SignKind,
  UNSURE,
  WHITE,
} from './signs.ts'

/**
 * What a match may begin with, as bits, so that a rule may have several. Each holds at least the places where the
 * pattern can match: one too many costs a little time, one too few is a lost fact.
 */
export const BEGINS = {
  /** ASCII digits, within a word too. */
  digit: 1,
  /** A minus sign before a digit. */
  minus: 2,
  /** A plus sign or an opening bracket before a digit. */
  phone: 4,
  /** € $ £ ¥ */
  currency: 8,
  /** A letter before a digit. */
  lettered: 16,
  /** A capital with more of a name after it: a capital, a number, a hyphen or an underscore. */
  name: 32,
  /** A word of letters and numbers. */
  mixed: 64,
  /** A word, or a sign that mail addresses may begin with, before the sign of an address and no white space between. */
  address: 128,
  /** The n of "n't". */
  contraction: 256,
} as const
/** The first bit that is free for a list of words. */
export const FIRST_LIST = 512

export interface Places {
  /** Offsets in UTF-16 code units, ascending. */
  readonly at: readonly number[]
  /** Of each, what may begin there. */
  readonly bits: readonly number[]
}

/** Linear time, however hostile the text. */
export function placesOf(text: string, openings: Openings): Places {
  const at: number[] = []
  const bits: number[] = []
  const mark = (offset: number, what: number): void => {
    at.push(offset)
    bits.push(what)
  }
  const add = (place: number, what: number): void => {
    bits[place] = (bits[place] ?? 0) | what
  }
  let before: SignKind = OTHER
  /** The place where the word began, and whether with a letter. */
  let word = 0
  let isLettered = false
  /** The first place since white space that is not known to be of an address. */
  let unmarked = 0
  for (let offset = 0; offset < text.length; offset += 1) {
    const kind = kindAt(text, offset)
    if (kind === UNSURE || (isOfWord(kind) && (!isOfWord(before) || before === UNSURE))) {
      if (isOfWord(before)) add(word, BEGINS.mixed)
      word = at.length
      isLettered = isLetter(kind)
      // Even where nothing is known to begin: more may come to light further on.
      const contraction = isContraction(text, offset) ? BEGINS.contraction : 0
      const opening = isLettered ? openingAt(openings, text, offset) : 0
      mark(offset, ofWord(text, offset, kind) | contraction | opening)
    } else if (isOfWord(kind)) {
      if (isLettered !== isLetter(kind)) add(word, BEGINS.mixed)
      if (kind === DIGIT && before !== DIGIT) mark(offset, BEGINS.digit)
      else if (isContraction(text, offset)) mark(offset, BEGINS.contraction)
    } else if (kind === WHITE) {
      unmarked = at.length
    } else {
      const what = ofSign(text, offset)
      if (what !== 0 || isOfMail(text, offset, before)) mark(offset, what)
      if (isOfAddress(text, offset)) for (; unmarked < at.length; unmarked += 1) add(unmarked, BEGINS.address)
    }
    before = kind
  }
  return { at: at.filter((_, place) => bits[place] !== 0), bits: bits.filter((what) => what !== 0) }
}

const JOINING: ReadonlySet<string> = new Set('-_')
const MAIL: ReadonlySet<string> = new Set('._%+-')

function ofWord(text: string, offset: number, kind: SignKind): number {
  if (kind === UNSURE) return BEGINS.name | BEGINS.mixed
  if (kind === DIGIT) return BEGINS.digit
  const next = kindAt(text, offset + 1)
  if (kind === CAPITAL && ((isOfWord(next) && next !== LETTER) || JOINING.has(text.charAt(offset + 1))))
    return BEGINS.name | (next === DIGIT ? BEGINS.lettered : 0)
  return next === DIGIT ? BEGINS.lettered : 0
}

function ofSign(text: string, offset: number): number {
  const sign = text.charAt(offset)
  if ('€$£¥'.includes(sign)) return BEGINS.currency
  if (!'-+('.includes(sign) || kindAt(text, offset + 1) !== DIGIT) return 0
  return sign === '-' ? BEGINS.minus : BEGINS.phone
}

/** A sign that a mail address may begin with, and does not go on with. */
const isOfMail = (text: string, offset: number, before: SignKind): boolean =>
  MAIL.has(text.charAt(offset)) &&
  (!isOfWord(before) || before === UNSURE) &&
  !MAIL.has(text.charAt(offset - 1))

/** Says that what stands before it since white space may be the beginning of an address. */
function isOfAddress(text: string, offset: number): boolean {
  const sign = text.charAt(offset)
  if (sign === '@') return true
  if (sign === ':') return text.startsWith('://', offset)
  return sign === '.' && (isLetter(kindAt(text, offset + 1)) || text.charAt(offset - 1).toLowerCase() === 'w')
}

function isContraction(text: string, offset: number): boolean {
  const sign = text.charCodeAt(offset)
  return (sign === 0x6e || sign === 0x4e) && text.charAt(offset + 1) === "'"
}
