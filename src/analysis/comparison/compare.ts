// Compares the candidate with the baseline, and judges it.
import type { ComparedTotals, ComparisonOptions, GatedShareComparison } from '../../domain/comparison.ts'
import { digits } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import type { Quota } from '../../domain/quota.ts'
import type { Summary } from '../../domain/summary.ts'
import { type JudgedCandidate, judgeRules, testLevel } from './gates.ts'
import { type PairedQuestion, pairRuns } from './pair.ts'
import { availabilityOf, type ComparedTurn, questionValues, stateOf, type TurnValue } from './question.ts'
import { changedQuestions, comparisonRow, type ReviewOf } from './rows.ts'
import { detectableDrop, compareShares } from './shares.ts'
import { compareLatency, usageOf } from './usage.ts'

/** A run to compare, graded by the expectations of the candidate. */
export interface ComparableRun {
  readonly turns: readonly ComparedTurn[]
  readonly summary: Summary
}

type Paired = readonly PairedQuestion<ComparedTurn>[]

const groundedOf: TurnValue = ({ grounded }) => grounded
const passedOf: TurnValue = ({ passed }) => passed
const answeredOf: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notSent' ? undefined : availability === 'answer'
}

export function compareCandidate(
  baseline: ComparableRun,
  candidate: ComparableRun,
  options: ComparisonOptions,
  { allowance, reviewOf }: { readonly allowance: Quota | null; readonly reviewOf: ReviewOf },
) {
  const { questions, overlap } = pairRuns(baseline.turns, candidate.turns)
  const rows = questions.map((question) => comparisonRow(question, reviewOf))
  const isLow = overlap.shared === 0 || (overlap.share ?? 0) < options.minOverlap
  // Not the edited ones: the answers to two texts say nothing of each other.
  const paired = questions.filter(({ presence }) => presence === 'both')
  // Figures of too few shared questions would be read as figures of the whole set.
  const judged = isLow ? [] : paired
  const alpha = testLevel(options)
  const compareGatedShare = (valueOf: TurnValue): GatedShareComparison => {
    const values = questionValues(judged, valueOf)
    return { ...compareShares(values), detectableDrop: detectableDrop(values, alpha, options.margin) }
  }
  const countWithValues = (valueOf: TurnValue): number =>
    paired.filter(({ baseline: before, candidate: after }) =>
      [...before, ...after].some((turn) => valueOf(turn) !== undefined),
    ).length
  const totals: ComparedTotals = {
    overlap: { ...overlap, isLow },
    grounding: compareGatedShare(groundedOf),
    verdicts: compareGatedShare(passedOf),
    availability: compareShares(questionValues(judged, answeredOf)),
    latency: compareLatency(judged),
    quota: {
      baseline: usageOf(baseline.summary, allowance),
      candidate: usageOf(candidate.summary, allowance),
    },
  }
  const gates = judgeRules(
    {
      totals,
      newlyFailing: rows.filter(({ kinds, presence }) => presence === 'both' && kinds.includes('passToFail')),
      mustPass: mustPassOf(paired, failingOf(baseline), failingOf(candidate)),
      withValues: { grounding: countWithValues(groundedOf), verdicts: countWithValues(passedOf) },
    },
    options,
  )
  const failed = new Set(gates.flatMap(({ passed, reason }) => (passed ? [] : [reason.text])))
  const [verdict, said] =
    failed.size > 0
      ? (['failed', [...failed]] as const)
      : gates.length > 0
        ? (['passed', ['every gate passed']] as const)
        : (['done', ['nothing was gated']] as const)
  const reason = [...said, ...editedNotes(overlap.edited).map(({ text }) => text)].join('; ')
  return { rows, verdict, reason, ...totals, ...changedQuestions(rows), gates }
}

/** Ids of `must_pass` questions that failed an expectation, not those without an answer. */
const failingOf = ({ summary }: ComparableRun): ReadonlySet<string> =>
  new Set(summary.mustPass.flatMap(({ id, graded }) => (graded ? [id] : [])))

/**
 * A failure counts as new only if the baseline answered the question: otherwise it might have failed there,
 * too.
 */
function mustPassOf(
  paired: Paired,
  failedBefore: ReadonlySet<string>,
  failsNow: ReadonlySet<string>,
): JudgedCandidate['mustPass'] {
  const hadPassed = paired.filter(
    ({ baseline, candidate: [now] }) =>
      now?.question.mustPass === true &&
      !failedBefore.has(baseline[0]?.question.id ?? '') &&
      baseline.some(({ outcome, contextLost }) => outcome === 'answered' && !contextLost),
  )
  const notSent = hadPassed.filter(({ candidate }) => stateOf(candidate).availability === 'notSent')
  const questionsOf = (some: Paired) => some.flatMap(({ candidate: [now] }) => now?.question ?? [])
  const newlyFailing = questionsOf(hadPassed).filter(({ id }) => failsNow.has(id))
  return { newlyFailing, notSent: questionsOf(notSent) }
}

/** For a verdict: no question is left out in silence. */
export const editedNotes = (edited: number): Message[] =>
  edited === 0
    ? []
    : [makeMessage('questions-edited', `edited questions, left out of the comparison: ${digits(edited)}`)]
