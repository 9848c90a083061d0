// `results.xlsx` in the folder of a run or a comparison.
import { existsSync } from 'node:fs'
import type { Sheet } from '../report/sheet.ts'
import { renderWorkbook } from '../report/workbook.ts'
import type { NamedText } from '../store/files.ts'

/**
 * With `excel`, and where there is one already: its reviews were read, and it must not fall behind the other
 * tables.
 */
export const workbookFiles = (
  path: string,
  excel: boolean | undefined,
  sheets: () => readonly Sheet[],
): NamedText[] => (excel === true || existsSync(path) ? [[path, renderWorkbook(sheets())]] : [])
