// Makes a comparison of recorded runs and writes its files: what `compare` does, and `run` with a baseline.
import { join } from 'node:path'
import type { ConcludedComparison } from '../../analysis/comparison/compare.ts'
import { renderComparisonCsv } from '../../report/comparison-csv.ts'
import { renderComparisonMarkdown } from '../../report/comparison-markdown.ts'
import { comparisonTable } from '../../report/comparison-table-name.ts'
import { writeWhole } from '../files.ts'
import { spreadsheetSeparator } from '../locale.ts'
import { makeFolder } from '../run-folder.ts'
import { compareRuns, type CompareJob } from './compare-runs.ts'

export interface WrittenComparison extends ConcludedComparison {
  /** The CSV files, in the order of the candidates. */
  readonly tables: readonly string[]
  readonly markdown: string
}

/** `folder` is made where it is missing; `begin` is called once it is there, before its first file. With several candidates each has a CSV file of its own. */
export async function writeComparison(
  folder: string,
  {
    excel,
    begin = () => undefined,
    ...job
  }: Omit<CompareJob, 'write'> & { readonly excel: boolean; readonly begin?: () => void },
): Promise<WrittenComparison> {
  const sheet = excel ? { excel: { separator: spreadsheetSeparator(process.env) } } : { excel: undefined }
  const tables: string[] = []
  const concluded = await compareRuns({
    ...job,
    write: (rows, runs, run) => {
      // Not before: runs that cannot be compared leave no empty folder.
      if (tables.length === 0) {
        makeFolder(folder)
        begin()
      }
      const path = join(folder, comparisonTable(runs, run))
      writeWhole(path, renderComparisonCsv(rows, sheet))
      tables.push(path)
    },
  })
  const [markdown, json] = [join(folder, 'comparison.md'), join(folder, 'comparison.json')]
  writeWhole(markdown, [renderComparisonMarkdown(concluded.comparison, concluded.details)])
  writeWhole(json, [`${JSON.stringify(concluded.comparison, null, 2)}\n`])
  return { ...concluded, tables, markdown }
}
