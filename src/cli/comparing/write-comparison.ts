// Makes a comparison of recorded runs and writes its files: what `compare` does, and `run` with a baseline.
import { join } from 'node:path'
import type { ConcludedComparison } from '../../analysis/comparison/compare.ts'
import type { ComparisonRow } from '../../domain/comparison/change.ts'
import { renderComparisonCsv } from '../../report/comparison-csv.ts'
import { renderComparisonMarkdown } from '../../report/comparison-markdown.ts'
import { comparisonPage, comparisonTable } from '../../report/comparison-table-name.ts'
import { jsonPieces } from '../../report/json-pieces.ts'
import { renderComparisonOverview } from '../../report/page/overview/comparison.ts'
import { writeInTurns, writeWhole } from '../files.ts'
import { sheetOf } from '../sheet.ts'
import { makeFolder } from '../run-folder.ts'
import { compareRuns, type CompareJob } from './compare-runs.ts'
import { createComparisonPages } from './comparison-pages.ts'
import { seen } from './seen.ts'

export interface WrittenComparison extends ConcludedComparison {
  /** The CSV files, in the order of the candidates. */
  readonly tables: readonly string[]
  readonly markdown: string
  /** HTML pages; none where the run's own page holds the comparison. */
  readonly pages: readonly string[]
}

/** `folder` is made where it is missing; `begin` is called once it is there, before its first file. With several candidates each has a CSV file of its own. */
export async function writeComparison(
  folder: string,
  {
    excel,
    begin = () => undefined,
    see,
    ...job
  }: Omit<CompareJob, 'write'> & {
    readonly excel: boolean
    readonly begin?: () => void
    /** Sees each row as it is written. Without it the comparison gets pages of its own. */
    readonly see?: (row: ComparisonRow) => void
  },
): Promise<WrittenComparison> {
  const tables: string[] = []
  const pages = createComparisonPages()
  try {
    const concluded = await compareRuns({
      ...job,
      write: async (rows, runs, run, manifest) => {
        // Not before: runs that cannot be compared leave no empty folder.
        if (tables.length === 0) {
          makeFolder(folder)
          begin()
        }
        const table = comparisonTable(runs, run)
        const path = join(folder, table)
        const look = see ?? pages.open(join(folder, comparisonPage(runs, run)))
        await writeInTurns(path, renderComparisonCsv(seen(rows, look), sheetOf(excel, manifest)))
        tables.push(path)
      },
    })
    const [markdown, json] = [join(folder, 'comparison.md'), join(folder, 'comparison.json')]
    writeWhole(markdown, [renderComparisonMarkdown(concluded.comparison, concluded.details)])
    await writeInTurns(json, jsonFile(concluded.comparison))
    const written = await pages.write(concluded.comparison, (place) =>
      renderComparisonOverview(concluded.comparison, concluded.details, place),
    )
    return { ...concluded, tables, markdown, pages: written }
  } finally {
    pages.close()
  }
}

function* jsonFile(value: unknown): Generator<string> {
  yield* jsonPieces(value)
  yield '\n'
}
