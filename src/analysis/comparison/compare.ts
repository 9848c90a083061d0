// Runs compared: each candidate held against the baseline, all of them judged together.
import type {
  CandidateComparison,
  ChangedQuestions,
  ComparedRunFacts,
  ComparedTotals,
  Comparison,
  ComparisonOptions,
  FamilyReview,
} from '../../domain/comparison.ts'
import { type Message, message } from '../../domain/messages.ts'
import type { Quota } from '../../domain/quota.ts'
import type { Summary } from '../../domain/summary.ts'
import { type Judged, judgeGates, levelOfEach } from './gates.ts'
import { type PairedQuestion, pairRuns } from './pair.ts'
import { availabilityOf, questionValues, stateOf, type TurnSummary, type TurnValue } from './question.ts'
import { detectableDrop, reviewShares } from './shares.ts'
import { reviewLatency, usageOf } from './usage.ts'

/** A run as comparisons take it; graded by what the last run expects. */
export interface ComparableRun {
  readonly turns: readonly TurnSummary[]
  readonly summary: Summary
}

type Paired = readonly PairedQuestion<TurnSummary>[]

const groundedOf: TurnValue = ({ grounded }) => grounded
const passedOf: TurnValue = ({ passed }) => passed
const answeredOf: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notSent' ? undefined : availability === 'answer'
}

/** Without the text of any answer. `questions`: every question of either run. `candidates`: how many share the level. */
export function reviewCandidate(
  baseline: ComparableRun,
  candidate: ComparableRun,
  options: ComparisonOptions,
  { allowance, candidates }: { readonly allowance: Quota | null; readonly candidates: number },
) {
  const { questions, overlap } = pairRuns(baseline.turns, candidate.turns)
  const isLow = overlap.shared === 0 || (overlap.share ?? 0) < options.minOverlap
  const paired = questions.filter(({ presence }) => presence === 'both')
  // Of too few questions no headline: whoever reads one would take it for the whole set's.
  const judged = isLow ? [] : paired
  const alpha = levelOfEach(options, candidates)
  const familyOf = (valueOf: TurnValue): FamilyReview => {
    const values = questionValues(judged, valueOf)
    return { ...reviewShares(values), detectableDrop: detectableDrop(values, alpha, options.margin) }
  }
  const having = (valueOf: TurnValue): number =>
    paired.filter(({ baseline: before, candidate: after }) =>
      [...before, ...after].some((turn) => valueOf(turn) !== undefined),
    ).length
  const totals: ComparedTotals = {
    overlap: { ...overlap, isLow },
    grounding: familyOf(groundedOf),
    verdicts: familyOf(passedOf),
    availability: reviewShares(questionValues(judged, answeredOf)),
    latency: reviewLatency(judged),
    quota: {
      baseline: usageOf(baseline.summary, allowance),
      candidate: usageOf(candidate.summary, allowance),
    },
  }
  return {
    questions,
    totals,
    mustPass: mustPassOf(paired, failingOf(baseline), failingOf(candidate)),
    havingValues: { grounding: having(groundedOf), verdicts: having(passedOf) },
  }
}

/** Ids of `must_pass` questions that failed what they expect; those that got no answer failed nothing. */
const failingOf = ({ summary }: ComparableRun): ReadonlySet<string> =>
  new Set(summary.mustPass.flatMap(({ id, graded }) => (graded ? [id] : [])))

/** Of a question that the baseline did not answer nobody knows whether it would have passed: nothing is new about it. */
function mustPassOf(
  paired: Paired,
  failedBefore: ReadonlySet<string>,
  failsNow: ReadonlySet<string>,
): Judged['mustPass'] {
  const hadPassed = paired.filter(
    ({ baseline, candidate: [now] }) =>
      now?.question.mustPass === true &&
      !failedBefore.has(baseline[0]?.question.id ?? '') &&
      baseline.some(({ outcome, contextLost }) => outcome === 'answered' && !contextLost),
  )
  const notSent = hadPassed.filter(({ candidate }) => stateOf(candidate).availability === 'notSent')
  const idsOf = (some: Paired): string[] => some.flatMap(({ candidate: [now] }) => now?.question.id ?? [])
  return { newlyFailing: idsOf(hadPassed).filter((id) => failsNow.has(id)), notSent: idsOf(notSent) }
}

/** `notes`: what its runs have to be told of. */
export interface ReviewedCandidate extends Judged {
  readonly changed: ChangedQuestions
  readonly notes: readonly Message[]
}

export function concludeComparison({
  candidates,
  ...all
}: Pick<Comparison, 'harnessVersion' | 'runs' | 'options' | 'trend' | 'notes'> & {
  readonly candidates: readonly ReviewedCandidate[]
}): Comparison {
  const { runs, options } = all
  const gates = judgeGates(candidates, options)
  const compared = candidates.map(({ totals, changed, notes }, place): CandidateComparison => ({
    run: place + 1,
    ...totals,
    ...changed,
    gates: gates[place] ?? [],
    notes: [...notesOf([runs[0], runs[place + 1]]), ...notes],
  }))
  return { formatVersion: 2, ...all, ...verdictOf(compared, runs), candidates: compared }
}

const notesOf = (runs: readonly (ComparedRunFacts | undefined)[]): Message[] =>
  runs.flatMap((run) =>
    run === undefined || run.state === 'complete'
      ? []
      : [message('run-not-complete', { run: run.label, state: run.state })],
  )

/** What the process exits with is decided here, and nowhere else. */
function verdictOf(
  candidates: readonly CandidateComparison[],
  runs: readonly ComparedRunFacts[],
): Pick<Comparison, 'verdict' | 'exitCode' | 'reason'> {
  const failed = candidates.flatMap(({ run, gates }) =>
    gates
      .filter(({ passed }) => !passed)
      .map(({ reason }) => (candidates.length > 1 ? `${runs[run]?.label}: ${reason.text}` : reason.text)),
  )
  if (failed.length > 0) return { verdict: 'failed', exitCode: 1, reason: [...new Set(failed)].join('; ') }
  const isGated = candidates.some(({ gates }) => gates.length > 0)
  return { verdict: 'passed', exitCode: 0, reason: isGated ? 'every gate passed' : 'nothing was gated' }
}
