// Keys by which texts in tables are found again, whatever a spreadsheet did to them.
import { pictureControls } from '../../domain/text.ts'
import { foldText } from '../../domain/fold-text.ts'

/**
 * A spreadsheet cell holds 32,767 characters, line ends included, so texts with an equal beginning count as
 * one answer.
 */
const MAX_READ = 30_000
const MAX_COMPARED = 16_000

/** Equal for texts that differ only in case, white space and typographic signs. */
export const textKey = (text: string): string =>
  foldText(pictureControls(text.slice(0, MAX_READ)).toWellFormed()).slice(0, MAX_COMPARED)

/** The keys that a text may have in a table: its own, and that of the text as a spreadsheet saves it. */
export const textKeys = (text: string): readonly string[] => [
  textKey(text),
  textKey(asSavedBySpreadsheet(text)),
]

/**
 * Characters outside Windows-1252. Spreadsheets save "CSV" in it by default, with question marks in their
 * place.
 */
const NOT_IN_1252 = /[^\p{ASCII}\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu
const asSavedBySpreadsheet = (answer: string): string =>
  answer.slice(0, MAX_READ).replaceAll(NOT_IN_1252, (sign) => '?'.repeat(sign.length))
