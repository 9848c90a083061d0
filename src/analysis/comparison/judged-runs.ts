// What a comparison judges of two runs: the questions of both, and their values, those of known flaky ones with their noise.
import type { ComparisonOptions, OverlapReview } from '../../domain/comparison/comparison.ts'
import { knownFlaky, type KnownFlaky } from './known-flaky.ts'
import { pairRuns, type Pairing, type QuestionPair } from './pair.ts'
import {
  foldedValue,
  groundingValue,
  questionValues,
  verdictValue,
  type QuestionValues,
  type TurnValue,
} from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

export interface JudgedRuns {
  readonly pairing: Pairing<TurnSummary>
  readonly overlap: OverlapReview
  readonly flaky: KnownFlaky
  /** The questions of both runs; empty where the overlap is low. */
  readonly judged: readonly QuestionPair<TurnSummary>[]
  /** Of those judged. */
  readonly values: {
    readonly grounding: readonly QuestionValues[]
    readonly verdicts: readonly QuestionValues[]
  }
  /** Of the questions of both runs, how many have a value in the baseline. */
  readonly baselineValues: { readonly grounding: number; readonly verdicts: number }
}

export function judgedRuns(
  baseline: readonly TurnSummary[],
  candidate: readonly TurnSummary[],
  { minOverlap }: Pick<ComparisonOptions, 'minOverlap'>,
): JudgedRuns {
  const pairing = pairRuns(baseline, candidate)
  const { paired } = pairing
  const overlap = overlapOf(pairing, minOverlap)
  const flaky = knownFlaky(paired)
  // Of too few questions no headline: whoever reads one would take it for the whole set's.
  const judged = overlap.isLow ? [] : paired
  const counted = function (valueOf: TurnValue): number {
    let count = 0
    for (const { baseline: turns } of paired) {
      if (foldedValue(turns, valueOf) !== undefined) count += 1
    }
    return count
  }
  return {
    pairing,
    overlap,
    flaky,
    judged,
    values: {
      grounding: questionValues(judged, groundingValue, flaky.grounding),
      verdicts: questionValues(judged, verdictValue, flaky.verdict),
    },
    baselineValues: { grounding: counted(groundingValue), verdicts: counted(verdictValue) },
  }
}

function overlapOf({ overlap, renamed, edited }: Pairing<TurnSummary>, minOverlap: number): OverlapReview {
  const { shared, baseline, candidate, share } = overlap
  const isLow = shared === 0 || (share ?? 0) < minOverlap
  return { shared, renamed, edited: edited.length, baseline, candidate, share: share ?? null, isLow }
}
