// The files of a comparison, and the articles of the runs that are compared.
import { join } from 'node:path'
import type { RecordedArticle } from '../analysis/comparison/edits.ts'
import type { Article } from '../articles/article.ts'
import type { Row } from '../domain/changes.ts'
import type { Comparison } from '../domain/comparison.ts'
import { COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { articlesOf, recordedArticles } from './articles.ts'
import { openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'

/** Throws UsageError if the folder holds no run that can be compared. */
export const openCompared = async (path: string, reading: ReadPorts): Promise<RecordedRun> =>
  openRun(path, 'it cannot be compared with a run', reading)

/** Without `given` articles, takes the run's own as they are now. */
export async function candidateArticles(
  run: RecordedRun,
  given: readonly Article[] | undefined,
  note: (text: string) => void,
): Promise<{ articles: readonly Article[]; recorded: readonly RecordedArticle[] } | undefined> {
  const recorded = await recordedArticles(run)
  const articles = recorded && (given ?? (await articlesOf(run, note)))
  return recorded && articles && { recorded, articles }
}

export function comparisonFiles(folder: string, comparison: Comparison, rows: readonly Row[]) {
  const table = join(folder, 'comparison.csv')
  const document = comparisonDocument(comparison)
  const files: NamedText[] = [
    // First: it marks the folder as a comparison, which another one may replace.
    [join(folder, 'comparison.json'), jsonText(comparison)],
    [table, renderSpreadsheet({ columns: COMPARISON_COLUMNS, rows })],
    [join(folder, 'comparison.md'), renderMarkdown(document)],
  ]
  return { table, document, files }
}
