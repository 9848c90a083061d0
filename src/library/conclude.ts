// Render and conclude: writes every report of a run, from its folder alone, and returns its verdict and the
// command that resumes it.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { gradedQuestions } from '../analysis/graded.ts'
import type { Repeats } from '../analysis/repeats.ts'
import { reviewingBy, unmatchedReviews } from '../analysis/reviews/book.ts'
import { summarise } from '../analysis/summary.ts'
import { turnsLeft } from '../analysis/turns.ts'
import { joinReasons } from '../analysis/verdict.ts'
import type { Comparison } from '../domain/comparison.ts'
import { makeMessage } from '../domain/message.ts'
import type { Review } from '../domain/review.ts'
import { budgetForPart } from '../domain/shard.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import { openPicker } from '../journal/read.ts'
import type { Manifest } from '../options/manifest.ts'
import type { RunSettings } from '../options/settings.ts'
import { type Annotations, annotationsOf } from '../report/annotations.ts'
import { gaugesOfRun } from '../report/metric-figures.ts'
import { namedTarget } from '../report/recorded-blocks.ts'
import { runDocument } from '../report/run-document.ts'
import { failuresOf } from '../report/standing.ts'
import { consult } from './articles.ts'
import { judgeWithBaseline, removeComparison, reviewsOfBaseline } from './baseline.ts'
import { runFolder } from '../store/folder.ts'
import type { Job } from './job.ts'
import { missingBaseline } from './judging.ts'
import { finalMetrics } from './metrics.ts'
import { foldJournalsOf, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { type CheckLedger, concludeSent, type Ended, endedAs, writeReports } from './reports.ts'
import { keepReviews, mergedReviews } from './reviews.ts'
import { runFiles } from './run-files.ts'
import type { OpenedRuns } from './paced.ts'

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
  readonly shown: Ended['shown'] & { readonly annotations: Annotations }
}

/** What a run was given that its folder does not record. */
export interface Concluding {
  readonly settings: Pick<RunSettings, 'articles' | 'excel' | 'baseline' | 'retryErrors'>
  readonly imported: readonly Review[]
  readonly checkLedger?: CheckLedger | undefined
  readonly reading: ReadPorts
}

/**
 * The runs of all targets, one after the other: one whose reports cannot be written does not stop the next.
 */
export async function concludeAll(
  { runs, imported }: OpenedRuns,
  job: Job,
): Promise<PromiseSettledResult<RunResult>[]> {
  const results: PromiseSettledResult<RunResult>[] = []
  for (const { session } of runs) {
    const concluded = concludeSent(session, job, async () => {
      const { manifest, stop, plan } = session
      const recorded = await foldJournalsOf({ folder: runFolder(plan.recording.path), manifest, stop })
      return concludeRun(recorded, { settings: job.settings, imported, reading: job })
    })
    results.push(...(await Promise.allSettled([concluded])))
  }
  return results
}

/** Throws UsageError for a table in the folder that cannot be read any more. */
export async function concludeRun(run: RecordedRun, given: Concluding): Promise<RunResult> {
  const picker = openPicker(run.folder.journal)
  try {
    return await renderRun(run, gradedQuestions(run.model, picker.pick, run.manifest.options), given)
  } finally {
    picker.close()
  }
}

/** Above this share of 429s the number of calls that are needed cannot be estimated. */
const MAX_REFUSED_SHARE = 0.5

/** Raises a budget that would be used up again, assuming the share of 429s so far. */
function resumeWords(
  { folder, manifest: { options, shard, target }, model }: RecordedRun,
  { quota, pacing }: Summary,
  retryErrors = false,
): readonly string[] {
  const words = ['--resume', folder.path, ...(retryErrors ? ['--retry-errors'] : [])]
  const turns = Math.max(1, turnsLeft(model, target.sandbox))
  const left = turns / (1 - Math.min(MAX_REFUSED_SHARE, pacing.rate429 ?? 0))
  const needed = quota.attempts + Math.ceil(left)
  if (options.maxCalls === null || needed <= options.maxCalls) return words
  return [...words, '--max-calls', String(shard === undefined ? needed : budgetForPart(needed, shard))]
}

/** Each report reads the questions once more. */
async function renderRun(
  run: RecordedRun,
  questions: Iterable<Repeats>,
  { settings, imported, checkLedger, reading }: Concluding,
): Promise<RunResult> {
  const { folder, manifest } = run
  const named = [...(await reviewsOfBaseline(run)), ...imported]
  // In a shard, a text may be the only one of its kind by chance: merge pairs the reviews of the whole run.
  const questionsOfSet = manifest.shard === undefined ? run.model.questions : undefined
  const reviews = await mergedReviews(folder.path, named, questionsOfSet)
  const reviewingOf = reviewingBy(reviews)
  const areGiven = settings.articles !== undefined
  const { articles, consulted, missing } = await consult(run, questions, areGiven, reading.ports)
  const notes = [...run.notes, ...missingBaseline(settings.baseline), ...missing]
  const folded = summarise(questions, { ...run, notes }, { reviewingOf, consulted })
  const now = articles && consulted && { articles, recorded: consulted.records }
  const compared = await judgeWithBaseline(run, folded.summary, reviews, now, reading)
  const { comparison, baseline, judged } = compared
  // A removed question may have the id of another: ids may be row numbers.
  const rows = new Map(compared.rows.flatMap((row) => (row.candidate === null ? [] : [[row.id, row]])))
  const ledger = checkLedger?.(folded.summary.quota)
  const warnings = [...compared.summary.warnings, ...unmatchedReviews(reviews, [run])]
  const summary = { ...compared.summary, warnings, ...(ledger && { ledger }) }
  const whole = makeMessage('noted', joinReasons(summary.reasons))
  const gates = [
    { name: 'complete', passed: summary.verdict !== 'incomplete', reason: whole },
    ...summary.gates,
  ]
  const failures = failuresOf(questions, judged)
  const target = namedTarget(manifest.target.name)
  const isOver = summary.verdict !== 'incomplete' && summary.state !== 'decided'
  const resume = isOver ? null : resumeWords(run, summary, settings.retryErrors)
  const document = runDocument({ ...folded, summary, failures, baseline, resume })
  const { gaps } = folded.details
  const changes = compared.rows
  const judgedRun = { summary, document, gates, judged, failures, reviews, rows, changes, gaps, consulted }
  const { notSent } = summary.turns
  const files = [
    ...compared.files,
    [folder.metrics, await finalMetrics(folder, manifest, gaugesOfRun(summary), notSent)] as const,
    ...runFiles(run, questions, settings.excel, judgedRun),
  ]
  const unwritten = await writeReports(files, () => reviews && keepReviews(folder, reviews))
  if (comparison === null && unwritten === null) removeComparison(folder)
  // The other gates of an incomplete run would bury why it stopped.
  const shown = summary.verdict === 'incomplete' ? gates.slice(0, 1) : gates
  const annotations = annotationsOf(failures, shown, annotationPaths(folder.path, manifest), target)
  const ended = endedAs(folder, summary, document, unwritten)
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

/**
 * Question sets relative to the working directory, as annotations name files; undefined for a set
 * outside of it.
 */
function annotationPaths(folder: string, { datasets }: Manifest): (string | undefined)[] {
  return datasets.map(({ source }) => {
    const path = relative(process.cwd(), resolve(folder, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
}
