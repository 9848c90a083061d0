// What a comparison is judged by, out of what was said.
import type { ComparisonOptions } from '../../domain/comparison/comparison.ts'
import type { RunSettings } from '../../library/read-options.ts'

export type ComparisonSettings = Pick<
  RunSettings,
  'failOn' | 'alpha' | 'margin' | 'minOverlap' | 'history' | 'seed' | 'quota'
>

const DEFAULT_RULES = ['must-pass', 'grounding', 'verdicts'] as const

export const comparisonOptions = (
  { failOn, alpha, margin, minOverlap, history, seed }: ComparisonSettings,
  groundedSources: readonly string[],
): ComparisonOptions => ({
  failOn: failOn ?? DEFAULT_RULES,
  areNamed: failOn !== undefined,
  alpha: alpha ?? 0.05,
  margin: margin ?? 0.02,
  minOverlap: minOverlap ?? 0.5,
  groundedSources,
  seed: seed ?? 1,
  history: history ?? [],
})
