// Whether two texts are the same answer, whatever a spreadsheet did to one of them.
import { pictureControls } from '../../domain/text.ts'
import { fold } from '../grading/fold.ts'

export interface AnswerText {
  /** Folded: line ends, white space, case and typographic signs do not matter. */
  readonly key: string
  /** What the answer begins with, if it may be one that was cut. */
  readonly cutKey: string | undefined
  /** So long that a cell cannot hold it. */
  readonly isLong: boolean
  /** Undefined where the code page could have done nothing to it. */
  readonly lossy: { readonly key: string; readonly isDamaged: boolean } | undefined
}

/** What Excel takes into one cell. */
const CELL = 32_767
/** Less by our defusing quote, our ellipsis and half a surrogate pair. */
const SHORTEST_CUT = CELL - 3
/** At the cut a word, an accent or an ellipsis may be torn: so many characters say nothing. */
const TORN = 8

export function answerText(answer: string): AnswerText {
  const text = pictureControls(answer.toWellFormed())
  const key = fold(text)
  // A line end is two characters to the spreadsheet, and one in what was read.
  const longest = text.length + (text.match(/(?<!\r)\n/g)?.length ?? 0)
  const isCut = longest >= SHORTEST_CUT && text.length <= CELL
  return {
    key,
    cutKey: isCut ? key.slice(0, -TORN) : undefined,
    isLong: longest > CELL,
    lossy: lossyOf(text),
  }
}

export function isSameAnswer(some: AnswerText, other: AnswerText): boolean {
  return some.key === other.key || isCutOf(some, other) || isCutOf(other, some) || isReCoded(some, other)
}

const isCutOf = ({ cutKey }: AnswerText, { isLong, key }: AnswerText): boolean =>
  cutKey !== undefined && isLong && key.startsWith(cutKey)

/** What a file in Windows-1252 cannot hold, as a spreadsheet saves "CSV" by default: it writes question marks. */
const BEYOND_1252 = /[^\p{ASCII}\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/gu
/** An answer of question marks alone could have been any. */
const MOST_LOST = 0.1

function lossyOf(text: string): AnswerText['lossy'] {
  const saved = text.replaceAll(BEYOND_1252, '?')
  const isDamaged = saved === text
  if (isDamaged && !text.includes('?')) return undefined
  const key = fold(saved.replaceAll(/\?+/g, '?'))
  return key.split('?').length - 1 > MOST_LOST * key.length ? undefined : { key, isDamaged }
}

/** One is the other as Windows-1252 has it. */
export const isReCoded = ({ lossy: some }: AnswerText, { lossy: other }: AnswerText): boolean =>
  some !== undefined && other !== undefined && some.isDamaged !== other.isDamaged && some.key === other.key
