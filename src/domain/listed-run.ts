// A run as a list shows it. No zod, not even a type: the workbench takes this into the browser.
import type { RunProgress } from './progress.ts'

/** Begins the names of sets that are a part of a run, asked again. */
export const AGAIN = 'again-'

export interface ListedRun {
  /** The path is relative to the folder that was listed, with `/`; `.` is that folder itself. */
  readonly path: string
  readonly name: string
  readonly kind: 'run' | 'load' | 'search' | 'comparison'
  /** A comparison has the ids of its runs, the baseline first. */
  readonly ids: readonly string[]
  readonly sets: readonly string[]
  /** It sent some of its set, or some of another run again: that says too little of articles. */
  readonly isPart: boolean
  readonly target: string
  /** Runs with the same text belong to one trend: target, sets and what was chosen of them. */
  readonly series: string
  readonly startedAt: string
  readonly endedAt: string | null
  /** `stopped`: its process is gone before its end, and a resume finishes it. */
  readonly state: 'running' | 'complete' | 'decided' | 'incomplete' | 'interrupted' | 'stopped' | 'unreadable'
  readonly fault: string | null
  readonly reportedAt: string | null
  readonly verdict: string | null
  /** It is null without a report or coverage. `change` is since the last complete run before it. */
  readonly grounded: {
    readonly rate: number | null
    readonly answered: number
    readonly change: number | null
  } | null
  readonly expectations: { readonly passed: number; readonly failed: number } | null
  readonly calls: number | null
  readonly live: LiveRun | null
}

export interface LiveRun extends RunProgress {
  /** The unit is calls a second; null for no limit. */
  readonly pace: number | null
  readonly pausedUntil: number | null
  readonly cause: string
  readonly gaps: readonly { readonly id: string; readonly message: string }[]
}
