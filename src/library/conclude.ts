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
  /** The first error that `onEvent` threw; undefined where it threw none. */
  readonly listenerError: unknown
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
  /** With `baseline`: what `comparison.json` holds. Null without one, and where the run is not complete. */
  readonly comparison: Comparison | null
  /** Arguments of `run` that finish it; null where nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly shown: Ended['shown'] & { readonly annotations: readonly string[] }
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
  const ended = endedAs(folder, summary, document)
  return {
    kind: 'run',
    ...ended,
    target: manifest.target.name,
    state: summary.state,
    summary,
    comparison,
    resume: summary.verdict === 'incomplete' ? resumeWords(run, summary) : null,
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
  listenerError: undefined,
  shown: { document, folder: path },
})

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
