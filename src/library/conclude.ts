// Conclude: writes the reports of a finished run, and returns its verdict and the command that resumes it.
import { resolve } from 'node:path'
import type { Comparison } from '../domain/comparison.ts'
import { budgetForPart } from './shard.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import type { Document } from '../report/document.ts'
import type { RecordedRun } from './fold.ts'
import { renderRun } from './render.ts'
import type { RunFolder } from './run-folder.ts'

/** How a run ended. Failures of the endpoint are in here; they are never thrown. */
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
  /** Arguments of `run` that finish it; null where nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly notes: readonly string[]
  /** The first error that `onEvent` threw; undefined where it threw none. */
  readonly listenerError: unknown
  /** For the screen. */
  readonly shown: {
    readonly document: Document
    readonly annotations: readonly string[]
    /** The folder as the user wrote it. */
    readonly folder: string
  }
}

/** Throws ReportsError where the disk rejects a report. */
export async function concludeRun(
  run: RecordedRun,
  options: Parameters<typeof renderRun>[1],
): Promise<RunResult> {
  const { folder, manifest } = run
  const { summary, document, comparison, annotations } = await withReports(folder, async () =>
    renderRun(run, options),
  )
  const { state, verdict, exitCode, reason } = summary
  return {
    kind: 'run',
    target: manifest.target.name,
    state,
    verdict,
    exitCode,
    reason,
    folder: resolve(folder.path),
    summary,
    comparison,
    resume: verdict === 'incomplete' ? resumeWords(run, summary) : null,
    notes: [],
    listenerError: undefined,
    shown: { document, annotations, folder: folder.path },
  }
}

/** The disk rejects the reports. The journal is complete: `report` writes them later. */
export class ReportsError extends StorageError {
  readonly folder: string
  constructor(folder: string, cause: StorageError) {
    super(cause)
    this.name = 'ReportsError'
    this.folder = folder
  }
}

export async function withReports<T>({ path }: RunFolder, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw error instanceof StorageError ? new ReportsError(path, error) : error
  }
}

/** Above this share of 429s the number of calls that are needed cannot be estimated. */
const MOST_REFUSED = 0.5

/** Raises a budget that would be used up again, assuming the share of 429s so far. */
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
