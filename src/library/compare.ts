// `compare`: two to eight recorded runs, graded alike; each candidate is compared with the baseline.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pageTurnOfRow } from '../analysis/conversations.ts'
import type { ComparedRuns } from '../analysis/comparison/runs.ts'
import { createReviewBook } from '../analysis/reviews/book.ts'
import type { Comparison } from '../domain/comparison.ts'
import type { Review } from '../domain/review.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { changedGroundingBefore, compareRecorded, openCompared, referenceOf } from './compared-runs.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { jsonText, makeFolder, type NamedText, writeFiles } from '../store/files.ts'
import { excelSeparator } from '../store/recorded-options.ts'
import { checkPaths, readOptions } from '../options/settings.ts'
import type { CommandOptions } from '../options/documented.ts'
import { type Ports, realPorts } from './ports.ts'
import { byStart, type RecordedRun } from './recorded-run.ts'
import { pageOf } from './reports.ts'
import { loadReviews, readFolderReviews, reviewsFile, unmatchedReviews } from './reviews.ts'
import { findTwice, freeFolder, isRun, runFolder, shorten } from '../store/folder.ts'
import { optionError, UsageError } from '../options/faults.ts'

export interface CompareOptions extends CommandOptions<'compare'> {
  /** Folder of the accepted run. */
  readonly baseline: string
  /** Folders of the runs that are judged against it, in order: one to seven. */
  readonly candidates: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface CompareResult {
  readonly verdict: 'passed' | 'failed' | 'done'
  /** 0 passed, 1 a gate failed. */
  readonly exitCode: number
  readonly reason: string
  /** Absolute; holds `comparison.json`, `comparison.csv`, `comparison.md` and `report.html`. */
  readonly folder: string
  /** What `comparison.json` holds. */
  readonly comparison: Comparison
  readonly notes: readonly string[]
  /** CSV files, in the order of the candidates. */
  readonly tables: readonly string[]
  readonly pages: readonly string[]
  /** One for each candidate. */
  readonly documents: readonly Document[]
}

const MAX_RUNS = 8

/**
 * Writes the comparison's folder and leaves the runs unchanged. Rejects with UsageError if the runs cannot be
 * compared.
 */
export async function compare(options: CompareOptions, ports: Ports = realPorts()): Promise<CompareResult> {
  const { baseline, candidates, onEvent, ...written } = options
  checkPaths('baseline', [baseline])
  checkPaths('candidates', candidates)
  const { note, notes } = createEventSink(onEvent)
  const reading = { note, ports }
  const settings = readOptions('compare', written)
  const paths = [baseline, ...candidates]
  checkRuns(paths)
  const folder =
    settings.out ?? freeFolder(new Date(), `compare-${shorten(basename(resolve(paths.at(-1) ?? '')))}`)
  // A recorded run never changes.
  if (isRun(folder))
    throw optionError('out', `${folder} is a run, which must not change: name another folder`)
  const named = await loadReviews(settings.reviews ?? [], 'written', note)
  const runs: RecordedRun[] = []
  for (const path of paths) runs.push(await openCompared(path, reading))
  const reviews = await readFolderReviews(folder, {
    named: [...(await reviewsOfRuns(runs)), ...named],
    run: referenceOf(runs),
  })
  const changedBefore = await changedGroundingBefore(runs, settings, reading)
  const compared = compareRecorded(runs, settings, {
    reviewOf: reviews?.book.reviewFor,
    changedBefore,
    notes: unmatchedReviews(reviews, runs),
  })
  const { comparison, rows } = compared
  const { tables, documents, files } = comparisonFiles(folder, runs, compared, settings.excel)
  const pages = documents.map((_, place) =>
    join(folder, candidateFile('report.html', comparison.runs, place + 1)),
  )
  makeFolder(folder)
  await writeFiles([
    ...(reviews === undefined ? [] : [reviewsFile(runFolder(folder), reviews)]),
    ...files,
    ...documents.map((document, place): NamedText => {
      const { label: name = 'comparison', id: runId = '' } = comparison.runs[place + 1] ?? {}
      const turns = rows[place]?.flatMap(
        (row) => pageTurnOfRow(row, comparison.options.groundedSources) ?? [],
      )
      return [pages[place] ?? '', pageOf(document, { runId, name, reviews, turns: turns ?? [] })]
    }),
  ])
  removeEarlier(folder, [...tables, ...pages])
  const { verdict, exitCode, reason } = comparison
  return { verdict, exitCode, reason, folder: resolve(folder), comparison, notes, tables, pages, documents }
}

function checkRuns(paths: readonly string[]): void {
  if (paths.length < 2)
    throw new UsageError('compare needs at least two runs: the baseline, then one or more candidates')
  if (paths.length > MAX_RUNS)
    throw new UsageError(
      `compare takes ${MAX_RUNS} runs at most, including the baseline; ${paths.length} were given`,
    )
  const twice = findTwice(paths)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each run once`)
}

/**
 * Removes tables and pages of an earlier comparison with other candidates; their reviews are in reviews.csv
 * by now.
 */
function removeEarlier(folder: string, written: readonly string[]): void {
  const own = new Set(written.map((path) => basename(path)))
  const isOurs = /^(comparison|report)-\d+-.*\.(csv|html)$|^comparison\.csv$|^report\.html$/
  for (const name of readdirSync(folder)) if (isOurs.test(name) && !own.has(name)) rmSync(join(folder, name))
}

/** If two runs disagree, the newer one decides. */
async function reviewsOfRuns(runs: readonly RecordedRun[]): Promise<readonly Review[]> {
  const book = createReviewBook()
  for (const { folder } of runs.toSorted(byStart))
    for (const review of (await readFolderReviews(folder.path))?.log ?? []) book.add(review)
  return book.current()
}

/** The files of a comparison in its own folder and in a run's: a table and a document for each candidate. */
export function comparisonFiles(
  folder: string,
  runs: readonly RecordedRun[],
  { comparison, rows }: ComparedRuns,
  excel: boolean | undefined,
) {
  const tables = rows.map((_, place) =>
    join(folder, candidateFile('comparison.csv', comparison.runs, place + 1)),
  )
  const documents = rows.map((_, place) => comparisonDocument(comparison, place))
  const files: NamedText[] = [
    ...rows.map((some, place): NamedText => {
      const separator = excelSeparator(excel, runs[place + 1]?.manifest)
      return [tables[place] ?? '', renderSpreadsheet(COMPARISON_COLUMNS, some, separator)]
    }),
    [join(folder, 'comparison.md'), documents.map(renderMarkdown).join('\n')],
    [join(folder, 'comparison.json'), jsonText(comparison)],
  ]
  return { tables, documents, files }
}
