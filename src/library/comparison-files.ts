// The files of a comparison, in its own folder and in a run's.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ComparedRuns } from '../analysis/comparison/runs.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { excelSeparator } from '../store/recorded-options.ts'
import type { RecordedRun } from './recorded-run.ts'

/** A table and a document for each candidate. */
export function comparisonFiles(
  folder: string,
  runs: readonly RecordedRun[],
  { comparison, rows }: ComparedRuns,
  excel: boolean | undefined,
) {
  const tables = rows.map((_, index) =>
    join(folder, candidateFile('comparison.csv', comparison.runs, index + 1)),
  )
  const documents = rows.map((_, index) => comparisonDocument(comparison, index))
  const files: NamedText[] = [
    ...rows.map((some, index): NamedText => {
      const separator = excelSeparator(excel, runs[index + 1]?.manifest)
      return [tables[index] ?? '', renderSpreadsheet(COMPARISON_COLUMNS, some, separator)]
    }),
    [join(folder, 'comparison.md'), documents.map(renderMarkdown).join('\n')],
    [join(folder, 'comparison.json'), jsonText(comparison)],
  ]
  return { tables, documents, files }
}

/**
 * Removes tables and pages of an earlier comparison with other candidates; their reviews are in reviews.csv
 * by now.
 */
export function removeEarlier(folder: string, written: readonly string[]): void {
  const own = new Set(written.map((path) => basename(path)))
  const isOurs = /^(comparison|report)-\d+-.*\.(csv|html)$|^comparison\.csv$|^report\.html$/
  for (const name of readdirSync(folder)) if (isOurs.test(name) && !own.has(name)) rmSync(join(folder, name))
}
