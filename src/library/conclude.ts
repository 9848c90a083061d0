// Render and conclude: writes every report of a run, from its folder alone, and returns its verdict and the command that resumes it.
import { isAbsolute, parse, relative, resolve, sep } from 'node:path'
import type { Repeats } from '../analysis/repeats.ts'
import { pageTurns } from '../analysis/conversations.ts'
import { type Model, threadKey } from '../analysis/fold.ts'
import type { Review } from '../domain/review.ts'
import { summarise } from '../analysis/summary.ts'
import { groupBy } from '../analysis/turns.ts'
import { joinReasons } from '../analysis/verdict.ts'
import type { Comparison } from '../domain/comparison.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Manifest } from '../domain/manifest.ts'
import { message } from '../domain/messages.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { GateOutcome, Summary, RunState } from '../domain/summary.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { annotate } from '../report/annotations.ts'
import type { Document } from '../report/document.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { runDocument } from '../report/run-document.ts'
import { createFailureCollector, type Judged } from '../report/standing.ts'
import { judgeWithBaseline, removeComparison } from './baseline.ts'
import { missingBaseline } from './judging.ts'
import { writeJson, writePieces, writeWhole } from './files.ts'
import { gradedQuestions, type RecordedRun } from './fold.ts'
import { excelSeparator } from './manifest.ts'
import { writePage } from './report-page.ts'
import { readFolderReviews, writeReviews } from './reviews.ts'
import { type RunFolder, shorten } from './run-folder.ts'
import { budgetForPart } from '../domain/shard.ts'

/** How a run, a load test or a search for the limit ended. Failures of the endpoint are in here; they are never thrown. */
export interface Ended {
  readonly verdict: string
  /** 0 passed, 1 a gate failed, 3 the key was refused, 4 or 130 can be resumed, 5 a fault of the harness. */
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
  /** Absolute; holds `journal.ndjson`, `summary.md` and the other reports. */
  readonly folder: string
  readonly notes: readonly string[]
  /** For the screen. */
  readonly shown: {
    readonly document: Document
    /** The folder as the user wrote it. */
    readonly folder: string
  }
}

export interface RunResult extends Ended {
  readonly kind: 'run'
  readonly target: string
  readonly state: RunState
  readonly verdict: Summary['verdict']
  /** What `summary.json` holds. */
  readonly summary: Summary
  /** The contents of `comparison.json`. Null without `baseline`, and if the run is not complete. */
  readonly comparison: Comparison | null
  /** Arguments of `run` that finish it; null if nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly shown: Ended['shown'] & { readonly annotations: readonly string[] }
}

export interface RenderOptions {
  readonly excel: boolean
  /** Reviews of `--reviews` files and question sets. */
  readonly imported: readonly Review[]
  /** As given; a missing one is a warning. */
  readonly baseline: string | undefined
  /** As given to the resume that ends here. */
  readonly retryErrors?: boolean
  readonly ledger?: ((account: UsageRange) => LedgerResult) | undefined
  readonly note: (text: string) => void
}

/** Throws StorageError with the folder if the disk rejects a report. */
export async function concludeRun(run: RecordedRun, options: RenderOptions): Promise<RunResult> {
  const { folder, manifest } = run
  const { summary, document, comparison, annotations, resume } = await withReports(folder, async () =>
    renderRun(run, options),
  )
  const ended = endedAs(folder, summary, document)
  return {
    kind: 'run',
    ...ended,
    target: manifest.target.name,
    state: summary.state,
    summary,
    comparison,
    resume,
    shown: { ...ended.shown, annotations },
  }
}

/** What the results of runs, load tests and searches have in common. */
export const endedAs = <V extends string>(
  { path }: RunFolder,
  { verdict, exitCode, reason }: Pick<Ended, 'exitCode' | 'reason'> & { readonly verdict: V },
  document: Document,
) => ({
  verdict,
  exitCode,
  reason,
  folder: resolve(path),
  notes: [],
  shown: { document, folder: path },
})

export async function withReports<T>({ path }: RunFolder, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw error instanceof StorageError ? new StorageError(error, path) : error
  }
}

/** Above this share of 429s the number of calls that are needed cannot be estimated. */
const MOST_REFUSED = 0.5

/** Raises a budget that would be used up again, assuming the share of 429s so far. */
function resumeWords(
  { folder, manifest: { options, shard, target }, model }: RecordedRun,
  { quota, pacing }: Summary,
  retryErrors = false,
): readonly string[] {
  const words = ['--resume', folder.path, ...(retryErrors ? ['--retry-errors'] : [])]
  const turns = Math.max(1, turnsLeft(model, target.sandbox))
  const left = turns / (1 - Math.min(MOST_REFUSED, pacing.rate429 ?? 0))
  const needed = quota.attempts + Math.ceil(left)
  if (options.maxCalls === null || needed <= options.maxCalls) return words
  return [...words, '--max-calls', String(shard === undefined ? needed : budgetForPart(needed, shard))]
}

/**
 * Turns that a resume sends. A conversation with an attempt of unknown result starts again. A new sandbox (`forgets`) knows
 * none of them, which the first call in each shows.
 */
function turnsLeft({ questions, slots }: Model, forgets: boolean): number {
  const threads = groupBy(slots, ({ index, repeat }) => {
    const question = questions[index]
    return question === undefined ? '' : `${threadKey(question)} ${repeat}`
  })
  return [...threads.values()].reduce((sum, turns) => {
    const open = turns.filter(({ outcome }) => outcome === undefined).length
    if (open > 0 && turns.some(({ dangling }) => dangling)) return sum + turns.length
    return sum + (forgets && 0 < open && open < turns.length ? turns.length + 1 : open)
  }, 0)
}

/** Throws StorageError if the disk rejects a file, and UsageError for a table in the folder that cannot be read any more. */
async function renderRun(run: RecordedRun, options: RenderOptions) {
  const { folder, manifest, model } = run
  const { groundedSources, passPolicy } = manifest.options
  const picker = openPicker(folder.journal)
  try {
    const reviews = await readFolderReviews(folder, options.imported)
    const reviewingOf = reviews.log && reviews.reviewingOf
    const { questions } = gradedQuestions(model, picker.pick, passPolicy)
    const notes = [...run.notes, ...missingBaseline(options)]
    const folded = summarise(questions(), { ...run, notes }, { reviewingOf })
    const compared = await judgeWithBaseline(run, folded.summary, reviews, options.excel)
    const ledger = options.ledger?.(folded.summary.quota)
    const summary = { ...compared.summary, ...(ledger && { ledger }) }
    await writePieces(
      folder.results,
      renderResultsCsv(
        repeatsOf(questions()),
        manifest.columns,
        groundedSources,
        reviewingOf,
        excelSeparator(options.excel, manifest),
      ),
    )
    if (reviews.log !== undefined) writeReviews(folder, reviews.log)
    if (compared.comparison === null) removeComparison(folder)
    writeJson(folder.summary, summary)
    const { failures, annotations } = await writeJunit(run, questions(), summary, compared.judged)
    const resume = summary.verdict === 'incomplete' ? resumeWords(run, summary, options.retryErrors) : null
    const document = runDocument({ ...folded, summary, failures, baseline: compared.baseline, resume })
    writeWhole(folder.summaryMarkdown, renderMarkdown(document))
    const turns = function* (): Generator<PageTurn> {
      for (const repeats of questions())
        yield* pageTurns(repeats, { groundedSources, reviewingOf, changes: compared.changes })
    }
    const { runId, datasets, startedAt } = manifest
    // Stays the same when the folder is moved.
    const name = shorten([startedAt.slice(0, 16), ...datasets.map(({ path }) => parse(path).name)].join('-'))
    await writePage(folder.page, document, { runId, name, turns: turns() })
    return { summary, document, comparison: compared.comparison, annotations, resume }
  } finally {
    picker.close()
  }
}

function* repeatsOf(questions: Iterable<Repeats>): Generator<GradedTurn> {
  for (const repeats of questions) yield* repeats
}

/** Returns what failed, and the GitHub annotations of the same questions and gates. */
async function writeJunit(
  { folder, manifest }: RecordedRun,
  questions: Iterable<Repeats>,
  { verdict, reasons, gates: judgedGates }: Summary,
  judged: Judged,
) {
  const reason = message('noted', { text: joinReasons(reasons) })
  const complete: GateOutcome = { name: 'complete', passed: verdict !== 'incomplete', reason }
  const gates = [complete, ...judgedGates]
  const collector = createFailureCollector(judged)
  const repeats = function* (): Generator<readonly GradedTurn[]> {
    for (const repeated of questions) {
      collector.add(repeated)
      yield repeated
    }
  }
  const run = {
    name: manifest.runId,
    startedAt: manifest.startedAt,
    files: manifest.datasets.map(({ path }) => path),
    gates,
    judged,
  }
  await writePieces(folder.junit, renderJunit(repeats(), run))
  const failures = collector.finish()
  // The other gates of an incomplete run would bury why it stopped.
  const shown = complete.passed ? gates : [complete]
  return { failures, annotations: annotate(failures, shown, annotationPaths(folder.path, manifest)) }
}

/** Question sets relative to the working directory, as GitHub annotations name files; undefined for a set outside of it. */
function annotationPaths(folder: string, { datasets }: Manifest): (string | undefined)[] {
  return datasets.map(({ source }) => {
    const path = source === undefined ? '..' : relative(process.cwd(), resolve(folder, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
}
