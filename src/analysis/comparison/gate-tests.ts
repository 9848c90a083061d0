// The tests of a gate share one level: which of the losses are more than chance.
import type { GateRule } from '../../domain/comparison/rules.ts'
import { holm } from '../../stats/paired-tests.ts'

export interface GateTest {
  readonly rule: GateRule
  /** Which candidate it is of. */
  readonly run: number
  readonly p: number
}

export interface SharedLevel {
  isSignificant(rule: GateRule, run: number): boolean
  /** The level that any one test has at least, whatever the others say. */
  readonly alphaEach: number
}

/** Holm's step-down: one false alarm among all tests of all candidates has at most the chance `alpha`. */
export function shareLevel(tests: readonly GateTest[], alpha: number): SharedLevel {
  const adjusted = holm(tests.map(({ p }) => p))
  return {
    isSignificant: (rule, run) =>
      tests.some((test, place) => test.rule === rule && test.run === run && (adjusted[place] ?? 1) <= alpha),
    alphaEach: alpha / Math.max(1, tests.length),
  }
}
