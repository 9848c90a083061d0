// Comparisons made by hand, for tests of what is said of them.
import { CHANGES, type ChangeKind } from '../../src/domain/changes.ts'
import type {
  CandidateComparison,
  MeasuredDifference,
  PercentileChange,
  ShareReview,
  UsageFigures,
} from '../../src/domain/comparison.ts'

export const makeDifference = (
  estimate: number,
  low: number | null,
  high: number | null,
): MeasuredDifference => ({ estimate, low, high })

export function makeShare(more: Partial<ShareReview> = {}): ShareReview {
  return {
    questions: 300,
    threads: 120,
    baseline: 0.8,
    candidate: 0.8,
    difference: makeDifference(0, -0.02, 0.02),
    p: 1,
    test: 'bootstrap and sign flips over threads',
    ...more,
  }
}

export function makePercentile(more: Partial<PercentileChange> = {}): PercentileChange {
  return { baseline: 800, candidate: 800, difference: makeDifference(0, -40, 40), p: 0.9, ...more }
}

export function makeUsage(more: Partial<UsageFigures> = {}): UsageFigures {
  return {
    min: 305,
    max: 305,
    callsPerTurn: 1.02,
    shareOfQuota: null,
    ...more,
  }
}

/** How many questions changed in each way; none but those that are said. */
export const makeCounts = (more: Partial<Record<ChangeKind, number>> = {}): Record<ChangeKind, number> => ({
  ...(Object.fromEntries(Object.keys(CHANGES).map((kind) => [kind, 0])) as Record<ChangeKind, number>),
  ...more,
})

/** Nothing changed in it. */
export function makeCandidate(more: Partial<CandidateComparison> = {}): CandidateComparison {
  return {
    run: 1,
    overlap: {
      shared: 305,
      baseline: 305,
      candidate: 305,
      share: 1,
      isLow: false,
    },
    added: [],
    removed: [],
    counts: makeCounts(),
    answers: { same: 305, rephrased: 0, factsChanged: 0, otherAnswer: 0 },
    changes: [],
    grounding: { ...makeShare(), detectableDrop: 0.043 },
    verdicts: {
      ...makeShare({ questions: 180, threads: 90, baseline: 0.95, candidate: 0.95 }),
      detectableDrop: null,
    },
    availability: makeShare({ questions: 305, baseline: 1, candidate: 1, test: 'exact McNemar' }),
    latency: { turns: 300, p50: makePercentile(), p95: makePercentile() },
    quota: { baseline: makeUsage(), candidate: makeUsage() },
    gates: [],
    notes: [],
    ...more,
  }
}
