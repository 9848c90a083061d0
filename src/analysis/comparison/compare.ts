// Runs compared: each candidate's reviews judged together, and what is said of them all.
import type {
  CandidateComparison,
  ComparedRunFacts,
  Comparison,
  ComparisonDetails,
  ComparisonOptions,
  SettingDifference,
  Trend,
  QuotaReview,
} from '../../domain/comparison/comparison.ts'
import type { GatheredChanges } from './gather-changes.ts'
import { shareLevel } from './gate-tests.ts'
import { notesOf } from './candidate-notes.ts'
import { gateTests, judgeRules, type Reviewed } from './judge-comparison.ts'
import { mustPassReview } from './must-pass-review.ts'
import type { RunReview } from './review-runs.ts'
import { sensitivityOf } from './sensitivity.ts'
import type { TurnSummary } from './turn-summary.ts'

/** What was found of one candidate. */
export interface CandidateReview {
  /** Place in `runs`, from 1. */
  readonly run: number
  readonly review: RunReview
  readonly gathered: GatheredChanges
  readonly settings: readonly SettingDifference[]
  readonly quota: QuotaReview | null
  readonly expectationsEdited: number
  /** Ids of `must_pass` questions that fail in each run, by its own ids. */
  readonly failing: { readonly baseline: ReadonlySet<string>; readonly candidate: ReadonlySet<string> }
}

export interface ComparedAll {
  readonly harnessVersion: string
  readonly runs: readonly ComparedRunFacts[]
  readonly options: ComparisonOptions
  readonly candidates: readonly CandidateReview[]
  readonly trend: readonly Trend[]
  readonly notes: readonly string[]
}

export interface ConcludedComparison {
  readonly comparison: Comparison
  readonly details: ComparisonDetails
}

export function concludeComparison(all: ComparedAll): ConcludedComparison {
  const { options, runs } = all
  const judged: (CandidateReview & { readonly reviewed: Reviewed })[] = []
  for (const one of all.candidates) judged.push({ ...one, reviewed: reviewedOf(one, options) })
  const level = shareLevel(
    judged.flatMap(({ reviewed }) => gateTests(reviewed, options.failOn)),
    options.alpha,
  )
  const candidates: CandidateComparison[] = []
  for (const { reviewed, ...one } of judged) {
    const { pairing, values, overlap, grounding, verdicts, availability, latency } = one.review
    candidates.push({
      run: one.run,
      settings: one.settings,
      overlap,
      added: listOf(pairing.added),
      removed: listOf(pairing.removed),
      edited: [...pairing.edited].flatMap(({ baseline: [before], candidate: [after] }) =>
        before === undefined || after === undefined
          ? []
          : [{ id: after.id, baseline: before.message, candidate: after.message }],
      ),
      grounding: {
        ...grounding,
        sensitivity: sensitivityOf(values.grounding, level.alphaEach, options.margin),
      },
      verdicts: {
        ...verdicts,
        sensitivity: sensitivityOf(values.verdicts, level.alphaEach, options.margin),
        expectationsEdited: one.expectationsEdited,
      },
      availability,
      answers: one.gathered.answers,
      quota: overlap.isLow ? null : one.quota,
      latency,
      changes: one.gathered.changes,
      changesLeftOut: one.gathered.changesLeftOut,
      reviews: one.gathered.reviews,
      gates: judgeRules(reviewed, options.failOn, level, options.margin),
      notes: notesOf(one, runs, options),
    })
  }
  const { harnessVersion, trend, notes } = all
  return {
    comparison: {
      formatVersion: 1,
      harnessVersion,
      ...verdictOf(candidates, runs),
      runs,
      options,
      candidates,
      trend,
      notes,
    },
    details: { shown: all.candidates.map(({ gathered }) => gathered.shown) },
  }
}

function reviewedOf({ run, review, quota, failing }: CandidateReview, options: ComparisonOptions): Reviewed {
  const { overlap, grounding, verdicts, availability, latency, baselineValues, questions } = review
  const { minOverlap, areNamed } = options
  const mustPass = mustPassReview(questions, failing)
  return {
    run,
    isLow: overlap.isLow,
    grounding,
    verdicts,
    availability,
    latency,
    quota,
    baselineValues,
    minOverlap,
    mustPass,
    areNamed,
  }
}

/** What the process exits with is decided here, and nowhere else. */
function verdictOf(
  candidates: readonly CandidateComparison[],
  runs: readonly ComparedRunFacts[],
): Pick<Comparison, 'verdict' | 'exitCode' | 'reason'> {
  const failed = candidates.flatMap(({ run, gates }) =>
    gates
      .filter(({ passed }) => !passed)
      .map(({ reason }) => (candidates.length > 1 ? `${runs[run]?.label}: ${reason}` : reason)),
  )
  const reasons = [...new Set(failed)]
  if (reasons.length > 0) return { verdict: 'failed', exitCode: 1, reason: reasons.join('; ') }
  const isGated = candidates.some(({ gates }) => gates.length > 0)
  return { verdict: 'passed', exitCode: 0, reason: isGated ? 'every gate passed' : 'nothing was gated' }
}

const listOf = (questions: Iterable<readonly TurnSummary[]>): { id: string; message: string }[] =>
  Array.from(questions).flatMap(([first]) =>
    first === undefined ? [] : [{ id: first.id, message: first.message }],
  )
