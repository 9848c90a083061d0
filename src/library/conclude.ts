// Conclude: a run that is over, from its folder to its reports, its verdict and what is left to send.
import { resolve } from 'node:path'
import type { Comparison } from '../domain/comparison.ts'
import { budgetForPart } from './shard.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import type { Document } from '../report/document.ts'
import type { RecordedRun } from './fold.ts'
import { renderRun } from './render.ts'
import type { RunFolder } from './run-folder.ts'

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
  /** What a screen shows beside the summary. */
  readonly shown: {
    readonly document: Document
    readonly annotations: readonly string[]
    /** As it was named. */
    readonly folder: string
  }
}

/** The reports of a run that is over, and how it ended. Throws ReportsError. */
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
    comparison: comparison?.written?.comparison ?? null,
    resume: verdict === 'incomplete' ? resumeWords(run, summary) : null,
    notes: [],
    listenerError: undefined,
    shown: { document, annotations, folder: folder.path },
  }
}

/** The disk does not take the reports. What was recorded stands; `report` writes them. */
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
