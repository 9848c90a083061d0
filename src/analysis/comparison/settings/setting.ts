// What the comparison of settings knows of each.
import type { Manifest } from '../../../domain/manifest.ts'

export interface Setting {
  /** For people. */
  readonly setting: string
  /** As a report shows it for one run beside another; undefined where the two cannot be held against each other. */
  readonly shown: (run: Manifest, other: Manifest) => string | undefined
  /** What follows from the difference, in a sentence. */
  readonly meaning: (baseline: Manifest, candidate: Manifest) => string
}

/** How a sentence calls the run of which it holds. */
export const runWhere = (
  holds: (run: Manifest) => boolean,
  baseline: Manifest,
): 'the baseline' | 'the candidate' => (holds(baseline) ? 'the baseline' : 'the candidate')

/** In byte order: a list of values means the same in any. */
export const listed = (values: readonly string[]): string =>
  [...new Set(values)].sort((some, other) => (some < other ? -1 : some > other ? 1 : 0)).join(', ') || 'none'

export const inWords = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`)
