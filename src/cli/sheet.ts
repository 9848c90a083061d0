// How CSV files are laid out with `--excel`: with the separator of the run's own question set, which its reader's Excel took.
import type { Manifest } from '../domain/manifest.ts'
import type { SpreadsheetLayout } from '../report/spreadsheet.ts'

/** A comma where the set has another separator than a semicolon, and where 0.1 recorded none. */
export function sheetOf(excel: boolean | undefined, manifest: Manifest | undefined): SpreadsheetLayout {
  const separator = manifest?.datasets[0]?.delimiter === ';' ? ';' : ','
  return { excel: excel === true ? { separator } : undefined }
}
