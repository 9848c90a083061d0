// Conclude: a run that is over, from its folder to its reports, its verdict and what is left to send.
import { resolve } from 'node:path'
import type { Comparison } from '../domain/comparison/comparison.ts'
import { budgetForPart } from '../domain/shard.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { RunState, Summary, SummaryDetails } from '../domain/summary.ts'
import { openPicker } from '../journal/read.ts'
import type { BaselineComparison } from './compare.ts'
import { foldRun, gradedQuestions, type RecordedRun } from './fold.ts'
import { renderRun, type RunReports } from './render.ts'

/** How a run ended. What the endpoint did is in here, and never thrown. */
export interface RunResult {
  readonly kind: 'run'
  readonly target: string
  readonly state: RunState
  readonly verdict: Summary['verdict']
  /** 0 passed, 1 a gate failed, 3 the key was refused, 4 or 130 can be resumed, 5 a fault of the harness. */
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
  /** Absolute; holds `journal.ndjson`, `results.csv`, `summary.json`, `report.html` and the rest. */
  readonly folder: string
  /** What `summary.json` holds. */
  readonly summary: Summary
  /** With `baseline`: what `comparison.json` holds. Null without one, and where the run is not complete. */
  readonly comparison: Comparison | null
  /** Words of the command that finishes the run, behind `run`; null where nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly notes: readonly string[]
  /** The first error that `onEvent` threw; undefined where it threw none. */
  readonly listenerError: unknown
  /** Why the reports could not be written; what was recorded stands, and `report` writes them. */
  readonly unwritten: string | null
  /** What a screen shows beside the summary. */
  readonly shown: {
    readonly details: SummaryDetails
    readonly compared: BaselineComparison | undefined
    readonly annotations: readonly string[]
    /** As it was named. */
    readonly folder: string
  }
}

/** The reports of a run that is over, and how it ended. A disk that does not take them leaves the figures. */
export async function concludeRun(
  run: RecordedRun,
  options: Parameters<typeof renderRun>[1],
): Promise<RunResult> {
  const { folder, manifest, index } = run
  const isBegun = index.set !== undefined || index.attempts > 0
  let unwritten: string | null = null
  let reports: RunReports
  try {
    reports = isBegun ? await renderRun(run, options) : figuresOf(run)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    unwritten = error.message
    reports = figuresOf(run)
  }
  const { details, comparison, annotations } = reports
  const isLost = unwritten !== null && reports.summary.verdict !== 'incomplete'
  const summary: Summary = isLost
    ? {
        ...reports.summary,
        verdict: 'incomplete',
        exitCode: 4,
        reason: `every turn has an outcome, but the reports could not be written (${unwritten})`,
      }
    : reports.summary
  return {
    kind: 'run',
    target: manifest.target.name,
    state: summary.state,
    verdict: summary.verdict,
    exitCode: summary.exitCode,
    reason: summary.reason,
    folder: resolve(folder.path),
    summary,
    comparison: comparison?.written?.comparison ?? null,
    resume: reports.summary.verdict === 'incomplete' ? resumeWords(run, summary) : null,
    notes: [],
    listenerError: undefined,
    unwritten: isBegun ? unwritten : 'no question was sent',
    shown: { details, compared: comparison, annotations, folder: folder.path },
  }
}

/** Of what is recorded, without a file. */
function figuresOf(run: RecordedRun): RunReports {
  const picker = openPicker(run.folder.journal)
  try {
    const { questions } = gradedQuestions(run.index, picker.pick, run.manifest.options.passPolicy)
    const { summary, details } = foldRun(run, questions(), undefined)
    return { summary, details, comparison: undefined, annotations: [] }
  } finally {
    picker.close()
  }
}

/** An endpoint that refuses more than that lets nobody say how many calls it takes. */
const MOST_REFUSED = 0.5

/** A budget that would not do is raised: as many calls are taken to be refused as so far. */
function resumeWords(
  { folder, manifest: { options, shard } }: RecordedRun,
  { turns, quota, pacing }: Summary,
): readonly string[] {
  const words = ['--resume', folder.path]
  const left = Math.max(1, turns.notAsked) / (1 - Math.min(MOST_REFUSED, pacing.rate429 ?? 0))
  const needed = quota.attempts + Math.ceil(left)
  if (options.maxCalls === null || needed <= options.maxCalls) return words
  return [...words, '--max-calls', String(shard === undefined ? needed : budgetForPart(needed, shard))]
}
