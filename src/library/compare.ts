// `compare`: two to eight recorded runs, graded alike; each candidate is compared with the baseline.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import {
  concludeComparison,
  compareCandidate,
  type ComparedCandidate,
} from '../analysis/comparison/compare.ts'
import { comparisonRow, createRowCollector, type ReviewOf } from '../analysis/comparison/rows.ts'
import { trendOf } from '../analysis/comparison/usage.ts'
import { createReviewBook, mergeReviews } from '../analysis/reviews/book.ts'
import { pageTurnOfRow } from '../analysis/conversations.ts'
import type { Comparison, ComparisonOptions, ComparisonRow } from '../domain/comparison.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { message } from '../domain/messages.ts'
import type { Review } from '../domain/review.ts'
import { candidateFile, COMPARISON_COLUMNS } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { factsOf, gradeCompared, type GradedRun, openCompared } from './compared-run.ts'
import { createEventSink, type RunEvent } from './events.ts'
import type { RecordedRun } from './fold.ts'
import { makeFolder, writeJson, writePieces, writeWhole } from './files.ts'
import { quotaOf, excelSeparator, sentOptions } from './manifest.ts'
import { type CommandSettings, type RunSettings, checkPaths, describeValue, readOptions } from './options.ts'
import { loadReviews, readComparisonReviews, readFolderReviews, writeReviews } from './reviews.ts'
import { findRunFolders, freeFolder, isRun, runFolder, shorten } from './run-folder.ts'
import { writePage } from './report-page.ts'
import { VERSION } from './shipped.ts'
import { optionError, UsageError } from './usage-error.ts'

export interface CompareOptions extends CommandSettings<'compare'> {
  /** Folder of the accepted run. */
  readonly baseline: string
  /** Folders of the runs that are judged against it, in order: one to seven. */
  readonly candidates: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface CompareResult {
  readonly verdict: 'passed' | 'failed'
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

const MOST_RUNS = 8

/** Writes the comparison's folder and leaves the runs unchanged. Rejects with UsageError if the runs cannot be compared. */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  const { baseline, candidates, onEvent, ...written } = options
  checkPaths('baseline', [baseline])
  checkPaths('candidates', candidates)
  const { note, notes } = createEventSink(onEvent)
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
  for (const path of paths) runs.push(await openCompared(path))
  const own = await readComparisonReviews(folder)
  const merged = mergeReviews({
    log: own.log,
    named: [...(await reviewsOfRuns(runs)), ...named],
    results: own.edited,
  })
  const hasReviews = merged.log.length > 0
  const turns = candidates.map((): PageTurn[] => [])
  const made = await writeComparison(folder, {
    runs,
    settings,
    reviewOf: hasReviews ? merged.book.reviewFor : undefined,
    excel: settings.excel ?? false,
    see: (row, place, groundedSources) => {
      const turn = pageTurnOfRow(row, groundedSources)
      if (turn !== null) turns[place]?.push(turn)
    },
  })
  const { comparison, documents, tables } = made
  const pages: string[] = []
  for (const [place, document] of documents.entries()) {
    const path = join(folder, candidateFile('report.html', comparison.runs, place + 1))
    const { label: name = 'comparison', id: runId = '' } = comparison.runs[place + 1] ?? {}
    await writePage(path, document, { runId, name, turns: turns[place] ?? [] })
    pages.push(path)
  }
  if (hasReviews) writeReviews(runFolder(folder), merged.log)
  removeEarlier(folder, [...tables, ...pages])
  const { verdict, exitCode, reason } = comparison
  return { ...made, pages, verdict, exitCode, reason, folder: resolve(folder), notes }
}

function checkRuns(paths: readonly string[]): void {
  if (paths.length < 2)
    throw new UsageError('compare needs at least two runs: the baseline, then one or more candidates')
  if (paths.length > MOST_RUNS)
    throw new UsageError(
      `compare takes ${MOST_RUNS} runs at most, including the baseline; ${paths.length} were given`,
    )
  const whole = paths.map((path) => resolve(path))
  const twice = paths.find((_, place) => whole.indexOf(whole[place] ?? '') !== place)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each run once`)
}

/** Removes tables and pages of an earlier comparison with other candidates; their reviews are in reviews.csv by now. */
function removeEarlier(folder: string, written: readonly string[]): void {
  const own = new Set(written.map((path) => basename(path)))
  const isOurs = /^(comparison|report)-\d+-.*\.(csv|html)$|^comparison\.csv$|^report\.html$/
  for (const name of readdirSync(folder)) if (isOurs.test(name) && !own.has(name)) rmSync(join(folder, name))
}

/** The reviews of all runs; if two disagree, the newer run decides. */
async function reviewsOfRuns(runs: readonly RecordedRun[]): Promise<readonly Review[]> {
  const book = createReviewBook()
  for (const { folder } of runs.toSorted(byStart)) {
    const { log = [] } = await readFolderReviews(folder)
    for (const review of log) book.add(review)
  }
  return book.current()
}

const byStart = (some: RecordedRun, other: RecordedRun): number =>
  some.manifest.startedAt < other.manifest.startedAt ? -1 : 1

interface CompareJob {
  /** The baseline first. */
  readonly runs: readonly RecordedRun[]
  readonly settings: RunSettings
  readonly reviewOf: ReviewOf
  readonly excel: boolean
  /** A run that is compared with its baseline: its own gates judge its errors. */
  readonly hasOwnGates?: boolean
  /** Called with each row of each candidate, from 0, and the sources that count as grounded. */
  readonly see: (row: ComparisonRow, candidate: number, groundedSources: readonly string[]) => void
}

const DEFAULT_RULES = ['must-pass', 'grounding', 'verdicts'] as const

export type WrittenComparison = Awaited<ReturnType<typeof writeComparison>>

/**
 * Grades all runs by the expectations of the last, and writes into `folder` the table of each candidate, `comparison.json` and `comparison.md`.
 * `baseline`: the summary of the baseline, graded like that.
 */
export async function writeComparison(folder: string, job: CompareJob) {
  const { runs, settings, reviewOf, excel, hasOwnGates = false, see } = job
  const { failOn, alpha = 0.05, margin = 0.02, minOverlap = 0.5, history = [] } = settings
  const newest = runs.at(-1)
  if (newest === undefined) throw new Error('no run to compare')
  const groundedSources = settings.groundedSources ?? newest.manifest.options.groundedSources
  const rules = { failOn: failOn ?? [...DEFAULT_RULES], areNamed: failOn !== undefined }
  const options: ComparisonOptions = {
    ...rules,
    alpha,
    margin,
    minOverlap,
    groundedSources,
    history,
  }
  const changedBefore = await changedGroundingBefore(history, runs, newest, groundedSources)
  const graded = runs.map((run) => gradeCompared(run, newest, groundedSources))
  const [baseline, ...candidates] = graded
  if (baseline === undefined) throw new Error('no baseline')
  try {
    const facts = factsOf(graded)
    makeFolder(folder)
    const tables: string[] = []
    const compared: ComparedCandidate[] = []
    for (const [place, candidate] of candidates.entries()) {
      const { questions, ...review } = compareCandidate(baseline, candidate, options, {
        allowance: quotaOf(settings.quota, candidate.summary.run.quota),
        candidates: candidates.length,
      })
      const collector = createRowCollector()
      const read = { baseline: baseline.read, candidate: candidate.read }
      const rows = function* (): Generator<ComparisonRow> {
        for (const question of questions) {
          const row = comparisonRow(question, read, reviewOf)
          collector.add(row)
          see(row, place, groundedSources)
          yield row
        }
      }
      const table = join(folder, candidateFile('comparison.csv', facts, place + 1))
      await writePieces(
        table,
        renderSpreadsheet(COMPARISON_COLUMNS, rows(), excelSeparator(excel, candidate.manifest)),
      )
      tables.push(table)
      const { changed, newlyFailing } = collector
      const again = changed.changes.filter(
        ({ id, kinds }) =>
          changedBefore.has(id) && (kinds.includes('groundingLost') || kinds.includes('groundingGained')),
      )
      const differences = differencesOf(baseline, candidate)
      const unanswered = changed.counts.answerToError + changed.counts.answerToSkipped
      const isJudged = hasOwnGates || rules.failOn.length === 0 || rules.failOn.includes('availability')
      const notes = [
        ...(differences.length === 0 ? [] : [message('sent-differently', { options: differences })]),
        ...(baseline.edited === 0 ? [] : [message('expectations-edited', { questions: baseline.edited })]),
        ...(again.length === 0 ? [] : [message('changed-before', { ids: again.map(({ id }) => id) })]),
        ...(unanswered === 0 || isJudged
          ? []
          : [message('availability-not-judged', { questions: unanswered })]),
      ]
      compared.push({ ...review, changed, newlyFailing, notes })
    }
    const comparison = concludeComparison({
      harnessVersion: VERSION,
      runs: facts,
      options,
      candidates: compared,
      trend: trendOf(graded),
      notes: runs.flatMap(({ notes }, place) =>
        notes.map((note) => message('journal-note', { run: facts[place]?.label ?? '', note })),
      ),
    })
    const documents = candidates.map((_, place) => comparisonDocument(comparison, place))
    writeWhole(join(folder, 'comparison.md'), documents.map(renderMarkdown).join('\n'))
    writeJson(join(folder, 'comparison.json'), comparison)
    return { comparison, tables, documents, baseline: baseline.summary }
  } finally {
    for (const { close } of graded) close()
  }
}

/** `--repeat 3 (baseline: 1)`. Of the articles of a sandbox only the folder is known. */
function differencesOf(baseline: GradedRun, candidate: GradedRun): string[] {
  const sentBy = ({ folder, manifest }: GradedRun): Readonly<Record<string, unknown>> => {
    const { knowledgeBase } = manifest.target
    return { ...sentOptions(manifest), '--kb': knowledgeBase && join(folder, knowledgeBase) }
  }
  const before = sentBy(baseline)
  return Object.entries(sentBy(candidate)).flatMap(([name, value]) => {
    const [now, then] = [describeValue(value), describeValue(before[name])]
    return now === then ? [] : [`${name} ${now} (baseline: ${then})`]
  })
}

/** Earlier runs that are read at most. */
const MOST_EARLIER = 30

/** Ids of questions that changed grounding between or within the latest earlier runs of the organization below `paths`. */
async function changedGroundingBefore(
  paths: readonly string[],
  compared: readonly RecordedRun[],
  newest: RecordedRun,
  groundedSources: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = new Set(compared.map(({ manifest }) => manifest.runId))
  const isMeant = (run: RecordedRun): boolean =>
    !own.has(run.manifest.runId) &&
    run.manifest.target.organization === newest.manifest.target.organization &&
    byStart(run, newest) < 0
  const earlier: RecordedRun[] = []
  for (const found of paths.flatMap((path) => findRunFolders(path))) {
    const run = await openCompared(found.path).catch(() => undefined)
    if (run !== undefined && isMeant(run)) earlier.push(run)
  }
  const values = new Map<string, Set<boolean>>()
  for (const run of earlier.toSorted(byStart).slice(-MOST_EARLIER)) {
    const { turns, close } = gradeCompared(run, run, groundedSources)
    for (const { question, grounded } of turns)
      if (grounded !== undefined)
        values.set(question.id, (values.get(question.id) ?? new Set()).add(grounded))
    close()
  }
  return new Set([...values].flatMap(([id, found]) => (found.size > 1 ? [id] : [])))
}
