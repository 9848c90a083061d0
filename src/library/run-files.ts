// The files of a run, in its folder.
import { parse } from 'node:path'
import type { JudgedRun } from '../analysis/judged-run.ts'
import { pageTurns } from '../analysis/conversations.ts'
import type { Repeats } from '../analysis/repeats.ts'
import { articlesTable } from '../report/articles-csv.ts'
import { COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import type { Document } from '../report/document.ts'
import { gapsTable } from '../report/gaps-sheet.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { namedTarget } from '../report/recorded-blocks.ts'
import { resultsTable } from '../report/results-csv.ts'
import { type Sheet, sheetOf } from '../report/sheet.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import type { Failures } from '../report/standing.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { plainName } from '../store/folder.ts'
import type { RecordedRun } from './recorded-run.ts'
import { pageOf, workbookFiles } from './reports.ts'

export function runFiles(
  { folder, manifest }: RecordedRun,
  { questions, summary, details, gates, decision, reviews, reviewingOf, rows: changes, consulted }: JudgedRun,
  failures: Failures,
  document: Document,
  excel: boolean | undefined,
): NamedText[] {
  const { runId, startedAt, datasets, columns, target } = manifest
  const { groundedSources } = manifest.options
  const articlesOf = consulted?.of
  // A removed question may have the id of another: ids may be row numbers.
  const rows = new Map(changes.flatMap((row) => (row.candidate === null ? [] : [[row.id, row]])))
  // Stays the same when the folder is moved.
  const name = plainName([startedAt.slice(0, 16), ...datasets.map(({ path }) => parse(path).name)].join('-'))
  const results = () =>
    resultsTable(
      each(questions, (repeats) => repeats),
      { columns, groundedSources, isSandbox: target.sandbox, articlesOf },
      reviewingOf,
    )
  const articles = consulted && articlesTable(consulted.records)
  const sheets = (): Sheet[] => [
    sheetOf('Results', results()),
    ...(details.gaps.count === 0 ? [] : [sheetOf('Gaps', gapsTable(details.gaps.items, summary))]),
    ...(changes.length === 0 ? [] : [sheetOf('Changes', { columns: CHANGES, rows: changes })]),
    ...(articles === undefined ? [] : [sheetOf('Articles', articles)]),
  ]
  const cases = renderJunit(questions, {
    name: runId,
    target: namedTarget(target.name),
    startedAt,
    files: datasets.map(({ path }) => path),
    gates,
    judged: decision,
    failing: failures.failed.count + failures.errored.count,
  })
  const turns = each(questions, (repeats) =>
    pageTurns(repeats, { groundedSources, reviewingOf, rows, articlesOf }),
  )
  return [
    [folder.results, renderSpreadsheet(results())],
    ...workbookFiles(folder.workbook, excel, sheets),
    ...(articles === undefined ? [] : [[folder.articles, renderSpreadsheet(articles)] as const]),
    [folder.summary, jsonText(summary)],
    [folder.junit, cases],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document, { runId, name, reviews, turns })],
  ]
}

/** Reviews stand in one sheet alone, so that an edited copy says one thing. */
const CHANGES = COMPARISON_COLUMNS.filter(([name]) => name !== 'review' && name !== 'note')

function* each<T>(questions: Iterable<Repeats>, of: (repeats: Repeats) => readonly T[]): Generator<T> {
  for (const repeats of questions) yield* of(repeats)
}
