// Judges a recorded run and writes all that its folder says of it. `run`, `report` and `merge` end here.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type JudgedRun, judgeRun } from '../analysis/judged-run.ts'
import { turnsLeft } from '../analysis/turns.ts'
import type { Comparison } from '../domain/comparison.ts'
import type { Review } from '../domain/review.ts'
import { budgetForPart } from '../domain/shard.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import type { RunSettings } from '../options/settings.ts'
import { type Annotations, annotationsOf } from '../report/annotations.ts'
import { gaugesOfRun } from '../report/metric-figures.ts'
import { namedTarget } from '../report/recorded-blocks.ts'
import { runDocument } from '../report/run-document.ts'
import { failuresOf } from '../report/standing.ts'
import { runFolder } from '../store/folder.ts'
import { openRunArticles } from './articles.ts'
import { openBaseline, removeComparison, reviewsOfBaseline } from './baseline.ts'
import { comparisonFiles } from './compared-runs.ts'
import type { Job } from './job.ts'
import { missingBaseline } from './judging.ts'
import { finalMetrics } from './metrics.ts'
import type { SentRuns } from './paced.ts'
import type { Ports } from './ports.ts'
import { foldJournalsOf, openReadable, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { type CheckLedger, concludeSent, type Ended, endedAs, writeReports } from './reports.ts'
import { keepReviews, mergedReviews } from './reviews.ts'
import { runFiles } from './run-files.ts'
import { VERSION } from './shipped.ts'

export interface RunResult extends Ended {
  readonly kind: 'run'
  readonly target: string
  readonly state: RunState
  readonly verdict: Summary['verdict']
  /** The contents of `summary.json`. */
  readonly summary: Summary
  /** The contents of `comparison.json`. Null without `baseline`, and if the run is not complete. */
  readonly comparison: Comparison | null
  /** Arguments of `run` that finish it; null if nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly shown: Ended['shown'] & { readonly annotations: Annotations }
}

/** The command says it, and the run's folder does not record it. */
export interface JudgingInput {
  readonly settings: RunSettings
  /** They come from `--reviews`. */
  readonly imported: readonly Review[]
  readonly checkLedger?: CheckLedger | undefined
  readonly reading: ReadPorts
}

/** One after the other: a run whose reports cannot be written does not stop the next. */
export async function writeRuns(
  { sessions, imported }: SentRuns,
  job: Job,
): Promise<PromiseSettledResult<RunResult>[]> {
  const results: PromiseSettledResult<RunResult>[] = []
  for (const session of sessions) {
    const written = concludeSent(session, job, async () => {
      const { manifest, stop, plan } = session
      const run = await foldJournalsOf(runFolder(plan.recording.path), manifest, stop)
      return judgeAndWrite(run, { settings: job.settings, imported, reading: job })
    })
    results.push(...(await Promise.allSettled([written])))
  }
  return results
}

/** Throws UsageError for a table in the folder that cannot be read any more. */
export async function judgeAndWrite(run: RecordedRun, input: JudgingInput): Promise<RunResult> {
  const { settings, imported, checkLedger, reading } = input
  const notes = missingBaseline(settings.baseline)
  const named = [...(await reviewsOfBaseline(run)), ...imported]
  // In a shard, a text may be the only one of its kind by chance: merge pairs the reviews of the whole run.
  const questions = run.manifest.shard === undefined ? run.model.questions : undefined
  const reviews = await mergedReviews(run.folder.path, named, questions)
  const areGiven = settings.articles !== undefined
  const articles = await openRunArticles(run, areGiven, reading.ports, (text) => notes.push(text))
  const baseline = await openBaseline(run, reading)
  const readable = openReadable(run)
  try {
    const judging = { reviews, articles, baseline, checkLedger, notes, harnessVersion: VERSION }
    return await writeRun(run, judgeRun(readable, judging), input)
  } finally {
    readable.close()
    baseline?.close()
  }
}

async function writeRun(run: RecordedRun, judged: JudgedRun, input: JudgingInput): Promise<RunResult> {
  const { settings, reading } = input
  const { folder, manifest } = run
  const { summary, comparison, reviews, gates } = judged
  const failures = failuresOf(judged.questions, judged.decision)
  const isOver = summary.verdict !== 'incomplete' && summary.state !== 'decided'
  const resume = isOver ? null : resumeArguments(run, summary, settings.retryErrors)
  const document = runDocument({ ...judged, failures, resume })
  const metrics = await finalMetrics(folder, manifest, gaugesOfRun(summary), summary.turns.notSent)
  const files = [
    ...(comparison === null ? [] : comparisonFiles(folder.path, comparison, judged.rows).files),
    [folder.metrics, metrics] as const,
    ...runFiles(run, judged, failures, document, settings.excel),
  ]
  const unwritten = await writeReports(files, () => reviews && keepReviews(folder, reviews))
  if (comparison === null && unwritten === null) removeComparison(folder)
  // The other gates of an incomplete run would bury why it stopped.
  const shown = summary.verdict === 'incomplete' ? gates.slice(0, 1) : gates
  const target = namedTarget(manifest.target.name)
  const paths = annotationPaths(run, reading.ports)
  const annotations = annotationsOf(failures, shown, paths, target)
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

/** Above this share of 429s the number of calls that are needed cannot be estimated. */
const MAX_REFUSED_SHARE = 0.5

/** Raises a budget that would be used up again, assuming the share of 429s so far. */
function resumeArguments(
  { folder, manifest: { options, shard, target }, model }: RecordedRun,
  { quota, pacing }: Summary,
  retryErrors = false,
): readonly string[] {
  const args = ['--resume', folder.path, ...(retryErrors ? ['--retry-errors'] : [])]
  const turns = Math.max(1, turnsLeft(model, target.sandbox))
  const left = turns / (1 - Math.min(MAX_REFUSED_SHARE, pacing.rate429 ?? 0))
  const needed = quota.attempts + Math.ceil(left)
  if (options.maxCalls === null || needed <= options.maxCalls) return args
  return [...args, '--max-calls', String(shard === undefined ? needed : budgetForPart(needed, shard))]
}

/** Annotations name question sets relative to the working directory; undefined for a set outside of it. */
const annotationPaths = ({ folder, manifest }: RecordedRun, { cwd }: Ports): (string | undefined)[] =>
  manifest.datasets.map(({ source }) => {
    const path = relative(cwd, resolve(folder.path, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
