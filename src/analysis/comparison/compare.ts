// Runs compared: each candidate held against the baseline, all of them judged together.
import type {
  CandidateComparison,
  ComparedRunFacts,
  Comparison,
  ComparisonDetails,
  ComparisonOptions,
  Trend,
} from '../../domain/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { type Message, message } from '../../domain/messages.ts'
import type { Quota } from '../../domain/quota.ts'
import type { Summary } from '../../domain/summary.ts'
import { compareTexts } from '../../domain/text.ts'
import { type Judged, judgeGates, levelOfEach, type MustPassReview } from './gates.ts'
import { type PairedQuestion, pairRuns } from './pair.ts'
import { questionValues, stateOf, type TurnValue } from './question.ts'
import type { GatheredRows } from './rows.ts'
import { settingDifferences } from './settings.ts'
import { reviewFamily, reviewShares } from './shares.ts'
import { availabilityOf, sourceLabel, type TurnSummary } from './turn-summary.ts'
import { reviewLatency, reviewQuota } from './usage.ts'

/** A run as comparisons take it; graded by what the last run expects. */
export interface ComparableRun {
  readonly manifest: Manifest
  readonly turns: readonly TurnSummary[]
  readonly summary: Summary
  /** Ids of `must_pass` questions that failed what they expect. */
  readonly failingMustPass: ReadonlySet<string>
}

export interface CandidateReview {
  /** Every question of either run. */
  readonly questions: readonly PairedQuestion<TurnSummary>[]
  readonly review: Pick<
    CandidateComparison,
    'overlap' | 'grounding' | 'verdicts' | 'availability' | 'latency' | 'quota' | 'settings'
  >
  readonly mustPass: MustPassReview
  readonly baselineValues: Judged['baselineValues']
}

const groundedOf: TurnValue = ({ grounded }) => grounded
const passedOf: TurnValue = ({ passed }) => passed
const answeredOf: TurnValue = (turn) => {
  const availability = availabilityOf(turn)
  return availability === 'notAsked' ? undefined : availability === 'answer'
}

/** What needs no answer's text. `candidates`: how many share the level. */
export function reviewCandidate(
  baseline: ComparableRun,
  candidate: ComparableRun,
  options: ComparisonOptions,
  { allowance, candidates }: { readonly allowance: Quota | null; readonly candidates: number },
): CandidateReview {
  const { questions, overlap } = pairRuns(baseline.turns, candidate.turns)
  const isLow = overlap.shared === 0 || (overlap.share ?? 0) < options.minOverlap
  const paired = questions.filter(({ presence }) => presence === 'both')
  // Of too few questions no headline: whoever reads one would take it for the whole set's.
  const judged = isLow ? [] : paired
  const { seed, margin } = options
  const test = { seed, margin, alpha: levelOfEach(options, candidates) }
  const having = (valueOf: TurnValue): number =>
    paired.filter(({ baseline: turns }) => turns.some((turn) => valueOf(turn) !== undefined)).length
  return {
    questions,
    review: {
      overlap: { ...overlap, isLow },
      grounding: { ...reviewFamily(questionValues(judged, groundedOf), test), matrix: matrixOf(paired) },
      verdicts: reviewFamily(questionValues(judged, passedOf), test),
      availability: reviewShares(questionValues(judged, answeredOf), seed),
      latency: reviewLatency(judged, seed),
      quota: reviewQuota(baseline.summary, candidate.summary, allowance),
      settings: settingDifferences(baseline.manifest, candidate.manifest),
    },
    mustPass: mustPassOf(paired, baseline.failingMustPass, candidate.failingMustPass),
    baselineValues: { grounding: having(groundedOf), verdicts: having(passedOf) },
  }
}

/** Every repeat of either run once at least: where one run has fewer, they stand beside the other's in turn. */
function matrixOf(
  paired: readonly PairedQuestion<TurnSummary>[],
): CandidateComparison['grounding']['matrix'] {
  const cells = new Map<string, { from: string; to: string; count: number }>()
  for (const { baseline, candidate } of paired)
    for (let place = 0; place < Math.max(baseline.length, candidate.length); place += 1) {
      const [before, after] = [baseline[place % baseline.length], candidate[place % candidate.length]]
      if (before === undefined || after === undefined) continue
      const [from, to] = [sourceLabel(before), sourceLabel(after)]
      const key = JSON.stringify([from, to])
      cells.set(key, { from, to, count: (cells.get(key)?.count ?? 0) + 1 })
    }
  return [...cells.values()].sort(
    (some, other) =>
      other.count - some.count || compareTexts(`${some.from}\0${some.to}`, `${other.from}\0${other.to}`),
  )
}

/** Of a question that the baseline did not answer nobody knows whether it would have passed: nothing is new about it. */
function mustPassOf(
  paired: readonly PairedQuestion<TurnSummary>[],
  failedBefore: ReadonlySet<string>,
  failsNow: ReadonlySet<string>,
): MustPassReview {
  const hadPassed = paired.filter(
    ({ baseline, candidate: [now] }) =>
      now?.mustPass === true &&
      !failedBefore.has(baseline[0]?.id ?? '') &&
      baseline.some(({ outcome, contextLost }) => outcome === 'answered' && !contextLost),
  )
  const idsOf = (holds: (question: PairedQuestion<TurnSummary>) => boolean): string[] =>
    hadPassed.filter(holds).map(({ candidate }) => candidate[0]?.id ?? '')
  return {
    newlyFailing: idsOf(({ candidate }) => failsNow.has(candidate[0]?.id ?? '')),
    notAsked: idsOf(({ candidate }) => stateOf(candidate).availability === 'notAsked'),
  }
}

export interface ConcludedComparison {
  readonly comparison: Comparison
  readonly details: ComparisonDetails
}

/** What was found of one candidate. `notes`: what its runs have to be told of. */
export interface ReviewedCandidate extends CandidateReview {
  readonly rows: GatheredRows
  readonly notes: readonly Message[]
}

export function concludeComparison({
  candidates,
  ...all
}: Pick<Comparison, 'harnessVersion' | 'runs' | 'options' | 'notes'> & {
  readonly candidates: readonly ReviewedCandidate[]
  readonly trend: readonly Trend[]
}): ConcludedComparison {
  const { runs, options } = all
  const gates = judgeGates(
    candidates.map(({ review, rows, mustPass, baselineValues }) => ({
      ...review,
      mustPass,
      baselineValues,
      newlyFailing: rows.changes.flatMap(({ id, kinds }) => (kinds.includes('passToFail') ? [id] : [])),
    })),
    options,
  )
  const compared = candidates.map(({ questions, review, rows, notes }, place): CandidateComparison => {
    const { counts, answers, changes, reviews } = rows
    const listed = (presence: 'added' | 'removed') =>
      questions
        .filter((question) => question.presence === presence)
        .flatMap(({ baseline, candidate }) => (candidate[0] ?? baseline[0] ?? []) as TurnSummary)
        .map(({ id, message: text }) => ({ id, message: text }))
    return {
      run: place + 1,
      ...review,
      added: listed('added'),
      removed: listed('removed'),
      edited: questions.flatMap(({ presence, baseline: [before], candidate: [after] }) =>
        presence === 'edited' && before !== undefined && after !== undefined
          ? [{ id: after.id, baseline: before.message, candidate: after.message }]
          : [],
      ),
      counts,
      answers,
      changes,
      reviews,
      gates: gates[place] ?? [],
      notes: [...notesOf(place + 1, runs, counts, options), ...notes],
    }
  })
  return {
    comparison: { formatVersion: 2, ...all, ...verdictOf(compared, runs), candidates: compared },
    details: { shown: candidates.map(({ rows }) => rows.shown) },
  }
}

function notesOf(
  place: number,
  runs: readonly ComparedRunFacts[],
  { answerToError, answerToSkipped }: CandidateComparison['counts'],
  { failOn }: ComparisonOptions,
): Message[] {
  const silent = answerToError + answerToSkipped
  return [
    ...[runs[0], runs[place]].flatMap((run) =>
      run === undefined || run.state === 'complete'
        ? []
        : [message('run-not-complete', { run: run.label, state: run.state })],
    ),
    ...(silent === 0 || failOn.length === 0 || failOn.includes('availability')
      ? []
      : [message('availability-not-judged', { questions: silent })]),
  ]
}

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
