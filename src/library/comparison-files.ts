// The files of a comparison, in its own folder and in a run's.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ComparedRuns } from '../analysis/comparison/runs.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { jsonText, type NamedText } from '../store/files.ts'

/** A table and a document for each candidate. */
export function comparisonFiles(
  folder: string,
  { comparison, rows }: Pick<ComparedRuns, 'comparison' | 'rows'>,
) {
  const tables = rows.map((_, index) =>
    join(folder, candidateFile('comparison.csv', comparison.runs, index + 1)),
  )
  const documents = rows.map((_, index) => comparisonDocument(comparison, index))
  const files: NamedText[] = [
    ...rows.map((some, index): NamedText => [
      tables[index] ?? '',
      renderSpreadsheet({ columns: COMPARISON_COLUMNS, rows: some }),
    ]),
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
