// `compare`: two to eight recorded runs, graded alike; each candidate is compared with the baseline.
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  concludeComparison,
  type ConcludedComparison,
  reviewCandidate,
  type ReviewedCandidate,
} from '../analysis/comparison/compare.ts'
import { comparisonRow, createRowGatherer, type ReviewOf } from '../analysis/comparison/rows.ts'
import { trendOf } from '../analysis/comparison/usage.ts'
import { createReviewBook, mergeReviews } from '../analysis/reviews/book.ts'
import { pageTurnOfRow } from '../analysis/conversations.ts'
import type { Comparison, ComparisonOptions, ComparisonRow } from '../domain/comparison.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { message } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { comparisonPage, comparisonTable, renderComparisonCsv } from '../report/comparison-csv.ts'
import { comparisonDocument } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { factsOf, gradeCompared, openCompared, type ComparedRun } from './compared-run.ts'
import { createEventSink, type RunEvent } from './events.ts'
import { makeFolder, writeJson, writePieces, writeWhole } from './files.ts'
import { quotaOf, csvLayout } from './manifest.ts'
import { type CommandSettings, type RunSettings, checkObject, checkPaths, readOptions } from './options.ts'
import { loadReviews, readComparisonReviews, readFolderReviews, writeReviews } from './reviews.ts'
import { findRunFolders, freeFolder, isRun, rejectNoRun, runFolder, shorten } from './run-folder.ts'
import { writePage } from './report-page.ts'
import { VERSION } from './shipped.ts'
import { UsageError } from './usage-error.ts'

export interface CompareOptions extends CommandSettings<'compare'> {
  /** Folder of the accepted run. */
  readonly baseline: string
  /** Folders of the runs that are judged against it, in order: one to seven. */
  readonly candidates: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface CompareResult extends ConcludedComparison {
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
  readonly markdown: string
  readonly pages: readonly string[]
  /** One for each candidate. */
  readonly documents: readonly Document[]
}

const MOST_RUNS = 8

/** Writes the comparison's folder and leaves the runs unchanged. Rejects with UsageError where the runs cannot be compared. */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  checkObject(options, "compare({ baseline: 'accepted', candidates: ['nightly'] })")
  const { baseline, candidates, onEvent, ...written } = options
  checkPaths('baseline', [baseline])
  checkPaths('candidates', candidates)
  const { note, notes } = createEventSink(onEvent)
  const settings = readOptions('compare', written)
  const paths = [baseline, ...candidates]
  checkRuns(paths)
  const folder =
    settings.out ?? freeFolder(new Date(), `compare-${shorten(basename(resolve(paths.at(-1) ?? '')))}`)
  checkFolder(folder)
  const files = await loadReviews(settings.reviews, 'written', note)
  let log: readonly Review[] | undefined
  const made = await writeComparison(folder, {
    paths,
    settings,
    reviewsOf: async (runs) => {
      const own = await readComparisonReviews(folder)
      const ofRuns = { name: 'one of the compared runs', reviews: await reviewsOfRuns(runs) }
      const merged = mergeReviews({
        log: own.log,
        files: [ofRuns, ...(files ?? [])],
        results: own.edited,
      })
      merged.notes.forEach(note)
      if (files === undefined && merged.log.length === 0) return undefined
      log = merged.log
      return merged.book.reviewFor
    },
    excel: settings.excel ?? false,
  })
  if (log !== undefined) writeReviews(runFolder(folder), log)
  removeEarlier(folder, made)
  const { verdict, exitCode, reason } = made.comparison
  return { ...made, verdict, exitCode, reason, folder: resolve(folder), notes }
}

function checkRuns(paths: readonly string[]): void {
  if (paths.length < 2)
    throw new UsageError('compare needs at least two runs: the baseline, then one or more candidates')
  if (paths.length > MOST_RUNS)
    throw new UsageError(
      `compare takes ${MOST_RUNS} runs at most, including the baseline; ${paths.length} were given`,
    )
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined)
    throw new UsageError(`${missing} does not exist; name the folder of a recorded run`)
  for (const path of paths) rejectNoRun(path)
  const real = paths.map((path) => realpathSync(path))
  const twice = paths.find((_, place) => real.indexOf(real[place] ?? '') !== place)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each run once`)
}

/** A recorded run never changes: a comparison is not written into its folder or below it. */
function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`--out ${folder} is not a folder; name another`)
  for (let path = resolve(folder); dirname(path) !== path; path = dirname(path))
    if (isRun(path))
      throw new UsageError(`--out is inside the run ${path}, which must not change: name another folder`)
}

/** Removes tables and pages of an earlier comparison with other candidates; their reviews are in reviews.csv by now. */
function removeEarlier(folder: string, { tables, pages }: WrittenComparison): void {
  const own = new Set([...tables, ...pages].map((path) => basename(path)))
  const isOurs = /^(comparison|report)-\d+-.*\.(csv|html)$|^comparison\.csv$|^report\.html$/
  for (const name of readdirSync(folder)) if (isOurs.test(name) && !own.has(name)) rmSync(join(folder, name))
}

/** The reviews of all runs; where two disagree, the newer run decides. */
async function reviewsOfRuns(runs: readonly ComparedRun[]): Promise<readonly Review[]> {
  const book = createReviewBook()
  for (const { folder, index } of runs.toSorted(byStart)) {
    const { log = [] } = await readFolderReviews(folder, index.questions, undefined)
    for (const review of log) book.add(review)
  }
  return book.standing()
}

const byStart = (some: ComparedRun, other: ComparedRun): number =>
  some.manifest.startedAt < other.manifest.startedAt ? -1 : 1

interface CompareJob {
  /** Run folders, baseline first. */
  readonly paths: readonly string[]
  readonly settings: RunSettings
  /** Looks up reviews of the answers of these runs. */
  readonly reviewsOf: (runs: readonly ComparedRun[]) => Promise<ReviewOf>
  /** Expectations to grade by; without them, those that the last run recorded. */
  readonly expectations?: readonly (Question | undefined)[]
  readonly excel: boolean
  /** Called with each row. Without it the comparison gets pages of its own. */
  readonly see?: (row: ComparisonRow) => void
}

export type WrittenComparison = Awaited<ReturnType<typeof writeComparison>>

/**
 * Makes `folder` once the runs are known to be comparable. Each of several candidates has its own table. `baseline`: the summary of the baseline,
 * graded by the expectations of the last run.
 */
export async function writeComparison(folder: string, job: CompareJob) {
  const { failOn, alpha = 0.05, margin = 0.02, minOverlap = 0.5, history = [], seed = 1 } = job.settings
  const runs: ComparedRun[] = []
  try {
    for (const path of job.paths) runs.push(await openCompared(path))
    const newest = runs.at(-1)
    if (newest === undefined) throw new Error('no run to compare')
    const groundedSources = job.settings.groundedSources ?? newest.manifest.options.groundedSources
    const options: ComparisonOptions = {
      failOn: failOn ?? DEFAULT_RULES,
      areNamed: failOn !== undefined,
      alpha,
      margin,
      minOverlap,
      groundedSources,
      seed,
      history,
    }
    const reviewOf = await job.reviewsOf(runs)
    const changedBefore = await changedGroundingBefore(options.history, runs, newest, groundedSources)
    const reference = job.expectations ?? newest.index.questions
    const [baseline, ...candidates] = runs.map((run) => gradeCompared(run, reference, groundedSources))
    if (baseline === undefined) throw new Error('no baseline')
    const graded = [baseline, ...candidates]
    const facts = factsOf(graded)
    makeFolder(folder)
    const tables: string[] = []
    const turns: PageTurn[][] = []
    const reviewed: ReviewedCandidate[] = []
    for (const [place, candidate] of candidates.entries()) {
      const review = reviewCandidate(baseline, candidate, options, {
        allowance: quotaOf(job.settings.quota, candidate.summary.run.quota),
        candidates: candidates.length,
      })
      const gathered = createRowGatherer()
      const own: PageTurn[] = []
      const read = { baseline: baseline.read, candidate: candidate.read }
      const rows = function* (): Generator<ComparisonRow> {
        for (const question of review.questions) {
          const row = comparisonRow(question, read, reviewOf)
          gathered.add(row)
          job.see?.(row)
          const turn = job.see === undefined ? pageTurnOfRow(row, groundedSources) : null
          if (turn !== null) own.push(turn)
          yield row
        }
      }
      const table = join(folder, comparisonTable(facts, place + 1))
      await writePieces(table, renderComparisonCsv(rows(), csvLayout(job.excel, candidate.run.manifest)))
      tables.push(table)
      turns.push(own)
      const found = gathered.finish()
      const again = found.changes.filter(
        ({ id, kinds }) =>
          changedBefore.has(id) && (kinds.includes('groundingLost') || kinds.includes('groundingGained')),
      )
      reviewed.push({
        ...review,
        rows: found,
        notes: [
          ...(baseline.edited === 0 ? [] : [message('expectations-edited', { questions: baseline.edited })]),
          ...(again.length === 0 ? [] : [message('changed-before', { ids: again.map(({ id }) => id) })]),
        ],
      })
    }
    const concluded = concludeComparison({
      harnessVersion: VERSION,
      runs: facts,
      options,
      candidates: reviewed,
      trend: trendOf(graded),
      notes: graded.flatMap(({ run }, place) =>
        run.notes.map((note) => message('journal-note', { run: facts[place]?.label ?? '', note })),
      ),
    })
    const { comparison, details } = concluded
    const documents = candidates.map((_, place) => comparisonDocument(comparison, details, place))
    const [markdown, json] = [join(folder, 'comparison.md'), join(folder, 'comparison.json')]
    writeWhole(markdown, documents.map(renderMarkdown).join('\n'))
    writeJson(json, comparison)
    const pages: string[] = []
    for (const [place, document] of (job.see === undefined ? documents : []).entries()) {
      const path = join(folder, comparisonPage(facts, place + 1))
      const { label: name = 'comparison', id: runId = '' } = facts[place + 1] ?? {}
      await writePage(path, document, { runId, name, turns: turns[place] ?? [] })
      pages.push(path)
    }
    return { ...concluded, tables, markdown, pages, documents, baseline: baseline.summary }
  } finally {
    for (const { picker } of runs) picker.close()
  }
}

const DEFAULT_RULES = ['must-pass', 'grounding', 'verdicts'] as const

/** Earlier runs that are read at most. */
const MOST_EARLIER = 30

/** Ids of questions that changed grounding between or within the latest earlier runs of the organization below `paths`. */
async function changedGroundingBefore(
  paths: readonly string[],
  compared: readonly ComparedRun[],
  newest: ComparedRun,
  groundedSources: readonly string[],
): Promise<ReadonlySet<string>> {
  const earlier: ComparedRun[] = []
  const own = new Set(compared.map(({ manifest }) => manifest.runId))
  const isMeant = ({ manifest }: ComparedRun): boolean =>
    !own.has(manifest.runId) && manifest.target.organization === newest.manifest.target.organization
  try {
    for (const found of paths.flatMap((path) => findRunFolders(path))) {
      const run = await openCompared(found.path).catch(() => undefined)
      if (run !== undefined) earlier.push(run)
    }
    const values = new Map<string, Set<boolean>>()
    const before = earlier.filter((run) => isMeant(run) && byStart(run, newest) < 0).toSorted(byStart)
    for (const run of before.slice(-MOST_EARLIER))
      for (const { id, grounded } of gradeCompared(run, run.index.questions, groundedSources).turns)
        if (grounded !== undefined) values.set(id, (values.get(id) ?? new Set()).add(grounded))
    return new Set([...values].flatMap(([id, found]) => (found.size > 1 ? [id] : [])))
  } finally {
    for (const { picker } of earlier) picker.close()
  }
}
