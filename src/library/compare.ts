// `compare`: two to eight recorded runs, graded alike; each candidate is compared with the baseline.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ComparedRuns } from '../analysis/comparison/runs.ts'
import { pageTurnOfRow } from '../analysis/conversations.ts'
import { unmatchedReviews } from '../analysis/reviews/book.ts'
import type { Comparison } from '../domain/comparison.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { checkPaths, type CommandOptions, readOptions } from '../options/settings.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import type { Document } from '../report/document.ts'
import { type Sheet, sheetOf } from '../report/sheet.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { makeFolder, type NamedText, PRIVATE, writeFiles } from '../store/files.ts'
import { findTwice, freeFolder, isRun, runFolder, plainName } from '../store/folder.ts'
import { openArticles, recordedArticles } from './articles.ts'
import {
  candidateArticles,
  changedGroundingBefore,
  compareRecorded,
  comparisonFiles,
  openCompared,
  referenceOf,
  withEdits,
} from './compared-runs.ts'
import { type Ports, realPorts } from './ports.ts'
import { byStart, type RecordedRun } from './recorded-run.ts'
import { pageOf, workbookFiles } from './reports.ts'
import { keepReviews, loadReviews, readFolderReviews, reviewsOf } from './reviews.ts'

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
    settings.out ?? freeFolder(new Date(), `compare-${plainName(basename(resolve(paths.at(-1) ?? '')))}`)
  // A recorded run never changes.
  if (isRun(folder))
    throw optionError('out', `${folder} is a run, which must not change: name another folder`)
  const articles =
    settings.articles === undefined ? undefined : await openArticles(settings.articles, settings, note)
  const named = await loadReviews(settings.reviews ?? [], note)
  const runs: RecordedRun[] = []
  for (const path of paths) runs.push(await openCompared(path, reading))
  const reviews = await readFolderReviews(folder, {
    named: [...(await reviewsOf(runs.toSorted(byStart))), ...named],
    run: referenceOf(runs),
  })
  const changedBefore = await changedGroundingBefore(runs, settings, reading)
  const compared = compareRecorded(runs, settings, {
    reviewOf: reviews?.book.reviewFor,
    changedBefore,
    notes: unmatchedReviews(reviews, runs),
  })
  const { rows } = compared
  const [accepted, ...others] = runs
  const before = accepted && (await recordedArticles(accepted))
  if (before === undefined && articles !== undefined)
    note(`the baseline has no articles.csv: write it with report ${baseline} --articles PATH`)
  const comparison = await withEdits(compared, before, async (index) => {
    const candidate = others[index]
    return candidate && candidateArticles(candidate, articles, note)
  })
  const { tables, documents, files } = comparisonFiles(folder, { comparison, rows })
  const pages = documents.map((_, index) =>
    join(folder, candidateFile('report.html', comparison.runs, index + 1)),
  )
  makeFolder(folder, PRIVATE)
  if (reviews !== undefined) keepReviews(runFolder(folder), reviews)
  await writeFiles([
    ...files,
    ...workbookFiles(runFolder(folder).workbook, settings.excel, () => changesSheets(comparison, rows)),
    ...documents.map((document, index): NamedText => {
      const { label: name = 'comparison', id: runId = '' } = comparison.runs[index + 1] ?? {}
      const turns = rows[index]?.flatMap(
        (row) => pageTurnOfRow(row, comparison.options.groundedSources) ?? [],
      )
      return [pages[index] ?? '', pageOf(document, { runId, name, reviews, turns: turns ?? [] })]
    }),
  ])
  removeEarlier(folder, [...tables, ...pages])
  const { verdict, exitCode, reason } = comparison
  return { verdict, exitCode, reason, folder: resolve(folder), comparison, notes, tables, pages, documents }
}

/** One for each candidate. */
const changesSheets = ({ runs }: Comparison, rows: ComparedRuns['rows']): Sheet[] =>
  rows.map((some, index) => {
    const name = rows.length === 1 ? 'Changes' : `Changes ${index + 1} ${runs[index + 1]?.label ?? ''}`
    return sheetOf(name.trim(), { columns: COMPARISON_COLUMNS, rows: some })
  })

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
