// Compare: two to eight recorded runs, graded alike, each candidate held against the baseline.
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  concludeComparison,
  type ConcludedComparison,
  reviewCandidate,
  type ReviewedCandidate,
} from '../analysis/comparison/compare.ts'
import { pairRuns } from '../analysis/comparison/pair.ts'
import { comparisonRows, createRowGatherer, type ReviewOf } from '../analysis/comparison/rows.ts'
import { trendOf } from '../analysis/comparison/usage.ts'
import { createReviewBook, mergeReviews } from '../analysis/reviews/book.ts'
import { pageTurnOfRow } from '../analysis/conversations.ts'
import type { Comparison, ComparisonOptions, ComparisonRow } from '../domain/comparison.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { BaselineResult, Summary } from '../domain/summary.ts'
import type { Manifest } from '../domain/manifest.ts'
import { message } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Review } from '../domain/review.ts'
import { renderPage } from '../page/render.tsx'
import { comparisonPage, comparisonTable, renderComparisonCsv } from '../report/comparison-csv.ts'
import { comparisonDocument, pageChanges } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { factsOf, gradeCompared, openCompared, pairables, type ComparedRun } from './compared-run.ts'
import { createEventSink, type RunEvent } from './events.ts'
import { makeFolder, writePieces, writeWhole } from './files.ts'
import { findRunFolders } from './find-runs.ts'
import { baselineFolder, quotaOf, csvLayout } from './manifest.ts'
import { type CommandSettings, type RunSettings, checkObject, checkPaths, readOptions } from './options.ts'
import { loadReviews, readComparisonReviews, readFolderReviews, writeReviews } from './reviews.ts'
import { freeFolder, isRun, rejectNoRun, runFolder, shorten, type RunFolder } from './run-folder.ts'
import { pageAssets, VERSION } from './shipped.ts'
import { UsageError } from './usage-error.ts'

export interface CompareOptions extends CommandSettings<'compare'> {
  /** Folder of the accepted run. */
  readonly baseline: string
  /** Folders of the runs judged against it, in their order: one to seven. */
  readonly candidates: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface CompareResult extends ConcludedComparison, ComparisonFiles {
  readonly verdict: 'passed' | 'failed'
  /** 0 passed, 1 something got worse. */
  readonly exitCode: number
  readonly reason: string
  /** Absolute; holds `comparison.json`, `comparison.csv`, `comparison.md` and `report.html`. */
  readonly folder: string
  /** What `comparison.json` holds. */
  readonly comparison: Comparison
  readonly notes: readonly string[]
}

interface ComparisonFiles {
  /** CSV files, in the order of the candidates. */
  readonly tables: readonly string[]
  readonly markdown: string
  /** None where the run's own page holds the comparison. */
  readonly pages: readonly string[]
  /** For people, one a candidate. */
  readonly documents: readonly Document[]
}

export interface WrittenComparison extends ConcludedComparison, ComparisonFiles {
  /** Graded by what the last run expects. */
  readonly baseline: Summary
}

const MOST_RUNS = 8

/** Writes the comparison's folder; the runs stay as they are. Rejects with UsageError where there is nothing to compare. */
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
    throw new UsageError('compare needs two runs at least: the baseline, then one or more candidates')
  if (paths.length > MOST_RUNS)
    throw new UsageError(
      `compare takes ${MOST_RUNS} runs at most, the baseline among them; ${paths.length} were given`,
    )
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined)
    throw new UsageError(`${missing} is not there: name the folder of a recorded run`)
  for (const path of paths) rejectNoRun(path)
  const real = paths.map((path) => realpathSync(path))
  const twice = paths.find((_, place) => real.indexOf(real[place] ?? '') !== place)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each run once`)
}

/** A recorded run stays as it is: nothing is written into its folder, nor below it. */
function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`--out ${folder} is not a folder; name another`)
  for (let path = resolve(folder); dirname(path) !== path; path = dirname(path))
    if (isRun(path))
      throw new UsageError(
        `the comparison would be written into the run ${path}, which must stay as it is: name another folder with --out`,
      )
}

/** Tables and pages of an earlier comparison with other candidates: what was said in them stands in reviews.csv. */
function removeEarlier(folder: string, { tables, pages }: ComparisonFiles): void {
  const own = new Set([...tables, ...pages].map((path) => basename(path)))
  const isOurs = /^(comparison|report)-\d+-.*\.(csv|html)$|^comparison\.csv$|^report\.html$/
  for (const name of readdirSync(folder)) if (isOurs.test(name) && !own.has(name)) rmSync(join(folder, name))
}

/** What stands when all runs have spoken, the oldest first. */
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

export interface BaselineComparison {
  readonly result: BaselineResult
  /** Undefined where the baseline could not be read. */
  readonly written: WrittenComparison | undefined
}

/** The end of a run with a baseline; undefined where it has none. A baseline that is gone cannot be judged by, and so fails. */
export async function compareWithBaseline(
  folder: RunFolder,
  { options }: Manifest,
  {
    reviewOf,
    ...more
  }: Pick<CompareJob, 'expectations' | 'excel'> & {
    readonly reviewOf: ReviewOf
    readonly see: (row: ComparisonRow) => void
  },
): Promise<BaselineComparison | undefined> {
  const { baseline, failOn, alpha, margin, minOverlap, seed, groundedSources } = options
  if (baseline === null) return undefined
  const path = join(folder.path, baseline)
  const settings = {
    alpha,
    margin,
    minOverlap,
    seed,
    groundedSources,
    ...(failOn === null ? {} : { failOn }),
  }
  try {
    const written = await writeComparison(folder.path, {
      paths: [path, folder.path],
      settings,
      reviewsOf: async () => reviewOf,
      ...more,
    })
    const { verdict, reason, runs } = written.comparison
    return { result: { baseline: runs[0]?.label ?? path, verdict, reason }, written }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const reason = `the run could not be compared with its baseline: ${error.message}`
    return { result: { baseline: basename(path), verdict: 'failed', reason }, written: undefined }
  }
}

/**
 * Throws UsageError, before anything is sent, where the baseline cannot be compared with these questions: a gate that must fail in any case is no
 * reason to pay for a run. `questions`: undefined where only the baseline is looked at.
 */
export async function checkBaseline(
  { baseline, minOverlap = 0.5 }: RunSettings,
  targets: readonly string[],
  questions: readonly (Question | undefined)[] | undefined,
): Promise<void> {
  if (baseline === undefined) return
  for (const path of new Set(targets.map((target) => baselineFolder(baseline, target)))) {
    const run = await openCompared(path)
    run.picker.close()
    if (questions === undefined) continue
    const before = run.index.questions
    const { shared, share } = pairRuns(pairables(before), pairables(questions)).overlap
    if (shared === 0 || (share ?? 0) < minOverlap)
      throw new UsageError(
        `--baseline ${path} has ${shared} of these ${questions.length} questions, and ` +
          `${before.length - shared} others: too few in both to compare by ` +
          `(${Math.floor((share ?? 0) * 100)}%, --min-overlap ${Math.round(minOverlap * 100)}%); name a run of the same questions, ` +
          'or leave --baseline out and accept this run as the new one',
      )
  }
}

type ComparisonSettings = Pick<
  RunSettings,
  'failOn' | 'alpha' | 'margin' | 'minOverlap' | 'history' | 'seed' | 'quota' | 'groundedSources'
>

interface CompareJob {
  /** Run folders, baseline first. */
  readonly paths: readonly string[]
  readonly settings: ComparisonSettings
  /** What people think of the answers of these runs. */
  readonly reviewsOf: (runs: readonly ComparedRun[]) => Promise<ReviewOf>
  /** What is expected now, where that is not what the last run has recorded. */
  readonly expectations?: readonly (Question | undefined)[]
  readonly excel: boolean
  /** Sees each row as it is written. Without it the comparison gets pages of its own. */
  readonly see?: (row: ComparisonRow) => void
}

/** `folder` is made only once the runs are found to be comparable. With several candidates each has a table of its own. */
async function writeComparison(folder: string, job: CompareJob): Promise<WrittenComparison> {
  const runs: ComparedRun[] = []
  try {
    for (const path of job.paths) runs.push(await openCompared(path))
    const newest = runs.at(-1)
    if (newest === undefined) throw new Error('no run to compare')
    const groundedSources = job.settings.groundedSources ?? newest.manifest.options.groundedSources
    const options = comparisonOptions(job.settings, groundedSources)
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
      const rows = seen(
        comparisonRows(review.questions, { baseline: baseline.read, candidate: candidate.read }, reviewOf),
        (row) => {
          gathered.add(row)
          job.see?.(row)
          const turn = job.see === undefined ? pageTurnOfRow(row) : null
          if (turn !== null) own.push(turn)
        },
      )
      const table = join(folder, comparisonTable(facts, place + 1))
      await writePieces(table, renderComparisonCsv(rows, csvLayout(job.excel, candidate.run.manifest)))
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
    writeWhole(json, `${JSON.stringify(comparison, null, 2)}\n`)
    const pages: string[] = []
    for (const [place, document] of (job.see === undefined ? documents : []).entries()) {
      const path = join(folder, comparisonPage(facts, place + 1))
      const name = facts[place + 1]?.label ?? 'comparison'
      const contents = { runId: facts[place + 1]?.id ?? '', name, changes: pageChanges }
      const conversations = { contents, turns: turns[place] ?? [] }
      await writePieces(path, renderPage({ document, conversations, assets: pageAssets() }))
      pages.push(path)
    }
    return { ...concluded, tables, markdown, pages, documents, baseline: baseline.summary }
  } finally {
    for (const { picker } of runs) picker.close()
  }
}

const DEFAULT_RULES = ['must-pass', 'grounding', 'verdicts'] as const

const comparisonOptions = (
  { failOn, alpha, margin, minOverlap, history, seed }: ComparisonSettings,
  groundedSources: readonly string[],
): ComparisonOptions => ({
  failOn: failOn ?? DEFAULT_RULES,
  areNamed: failOn !== undefined,
  alpha: alpha ?? 0.05,
  margin: margin ?? 0.02,
  minOverlap: minOverlap ?? 0.5,
  groundedSources,
  seed: seed ?? 1,
  history: history ?? [],
})

function* seen<T>(items: Iterable<T>, see: (item: T) => void): Generator<T> {
  for (const item of items) {
    see(item)
    yield item
  }
}

/** More would only cost time. */
const MOST_EARLIER = 30

/** Ids of questions whose grounding differed between, or within, the latest earlier runs of the same organization below `paths`. */
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
