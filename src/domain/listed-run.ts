// A run as a list shows it, and how far it is while a process writes it. No zod here, not even a type: the
// workbench takes it into the browser.
import type { RunProgress } from './progress.ts'

export interface ListedRun {
  /** Relative to the folder that was listed, with `/`; `.` for that folder itself. */
  readonly path: string
  readonly kind: 'run' | 'load' | 'search' | 'comparison'
  /** The id of the run; of a comparison, those of its runs, the baseline first. */
  readonly ids: readonly string[]
  /** Names of the question sets; of a comparison, of its runs, the baseline first. */
  readonly sets: readonly string[]
  readonly target: string
  /** Runs with the same text belong to one trend: target, sets and what was chosen of them. */
  readonly series: string
  readonly startedAt: string
  readonly endedAt: string | null
  /** `stopped`: its process is gone before its end, and a resume finishes it. */
  readonly state: 'running' | 'complete' | 'decided' | 'incomplete' | 'interrupted' | 'stopped' | 'unreadable'
  /** Null for any other state than `unreadable`. */
  readonly fault: string | null
  /** When its page was written; null without one. */
  readonly reportedAt: string | null
  /** Null without a report. */
  readonly verdict: string | null
  /** Null without a report, and for what has no coverage. `change`: since the last complete run before it. */
  readonly grounded: {
    readonly rate: number | null
    readonly answered: number
    readonly change: number | null
  } | null
  readonly expectations: { readonly passed: number; readonly failed: number } | null
  /** Attempts, retries included. */
  readonly calls: number | null
  readonly live: LiveRun | null
}

export interface LiveRun extends RunProgress {
  /** Calls a second; null for no limit. */
  readonly pace: number | null
  /** Milliseconds since the epoch. */
  readonly pausedUntil: number | null
  readonly cause: string
  readonly gaps: readonly { readonly id: string; readonly message: string }[]
}
