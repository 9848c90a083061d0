// A cell that no spreadsheet takes for a formula.
import { pictureControls } from './control-pictures.ts'

/** Spreadsheets run cells that begin like a formula; a leading quote stops them, and reading takes it off again. */
export function defuse(text: string): string {
  const cell = pictureControls(text)
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}
