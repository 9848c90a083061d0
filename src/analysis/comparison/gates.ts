// The gate of a comparison: which rules a candidate passes, each with its reason.
import type {
  CandidateComparison,
  ComparisonOptions,
  GateResult,
  ShareReview,
  GateRule,
} from '../../domain/comparison.ts'
import { type Message, message } from '../../domain/messages.ts'
import { holm } from '../../stats/paired-tests.ts'

/** A slower p95 or more calls a turn fail only beyond these: a tenth more is seldom worth an alarm. */
const LATENCY_MARGIN = 0.2
const QUOTA_MARGIN = 0.1

/** What the rules judge of one candidate. */
export interface Judged extends Pick<
  CandidateComparison,
  'overlap' | 'grounding' | 'verdicts' | 'availability' | 'latency' | 'quota'
> {
  readonly newlyFailing: readonly string[]
  readonly mustPass: MustPassReview
  /** Of the questions in both runs, how many have a value in the baseline. */
  readonly baselineValues: { readonly grounding: number; readonly verdicts: number }
}

/** Ids of `must_pass` questions that passed in the baseline. */
export interface MustPassReview {
  readonly newlyFailing: readonly string[]
  /** The candidate has not come to them. */
  readonly notAsked: readonly string[]
}

type Rules = Pick<ComparisonOptions, 'failOn' | 'alpha' | 'margin' | 'minOverlap' | 'areNamed'>

/** The rules that have a test; all tests of all candidates share the level. */
const P_VALUES: Readonly<Partial<Record<GateRule, (judged: Judged) => number | null>>> = {
  grounding: ({ grounding }) => grounding.p,
  verdicts: ({ verdicts }) => verdicts.p,
  availability: ({ availability }) => availability.p,
  latency: ({ latency }) => latency.p95.p,
}

/** The level that each test has at least, whatever the others say, for that many candidates. */
export const levelOfEach = ({ failOn, alpha }: Pick<Rules, 'failOn' | 'alpha'>, candidates: number): number =>
  alpha / Math.max(1, candidates * failOn.filter((rule) => P_VALUES[rule] !== undefined).length)

/** By Holm's step-down, one false alarm among all tests of all candidates has at most the chance `alpha`. */
export function judgeGates(candidates: readonly Judged[], rules: Rules): GateResult[][] {
  const tests = candidates.flatMap((judged, place) =>
    rules.failOn.flatMap((rule) => {
      const p = judged.overlap.isLow ? null : (P_VALUES[rule]?.(judged) ?? null)
      return p === null ? [] : [{ place, rule, p }]
    }),
  )
  const adjusted = holm(tests.map(({ p }) => p))
  return candidates.map((judged, place) =>
    rules.failOn.map((rule) => {
      const test = tests.findIndex((one) => one.place === place && one.rule === rule)
      const isSignificant = (adjusted[test] ?? 1) <= rules.alpha
      const { shared, share } = judged.overlap
      if (judged.overlap.isLow)
        return fails(
          rule,
          message('overlap-low', { shared, share: share ?? 0, minOverlap: rules.minOverlap }),
        )
      return JUDGES[rule](judged, isSignificant, rules)
    }),
  )
}

const passes = (rule: GateRule, reason: Message): GateResult => ({ rule, passed: true, reason })
const fails = (rule: GateRule, reason: Message): GateResult => ({ rule, passed: false, reason })

type Judge = (judged: Judged, isSignificant: boolean, rules: Rules) => GateResult

const JUDGES: Readonly<Record<GateRule, Judge>> = {
  'must-pass': ({ mustPass: { newlyFailing, notAsked } }) =>
    newlyFailing.length === 0 && notAsked.length > 0
      ? fails('must-pass', message('must-pass-not-asked', { ids: notAsked }))
      : {
          rule: 'must-pass',
          passed: newlyFailing.length === 0,
          reason: message('must-pass-newly-failing', { ids: newlyFailing }),
        },
  grounding: judgeShare('grounding', ({ grounding }) => grounding),
  verdicts: judgeShare('verdicts', ({ verdicts }) => verdicts),
  'newly-failing': ({ newlyFailing: ids }) => ({
    rule: 'newly-failing',
    passed: ids.length === 0,
    reason: message('newly-failing', { ids }),
  }),
  availability: judgeShare('availability', ({ availability }) => availability),
  latency: ({ latency: { p95 } }, isSignificant) => {
    const { baseline, candidate } = p95
    if (baseline === null || candidate === null)
      return fails('latency', message('nothing-to-judge', { rule: 'latency' }))
    const figures = { baselineMs: baseline, candidateMs: candidate, margin: LATENCY_MARGIN }
    if (candidate <= baseline * (1 + LATENCY_MARGIN)) return passes('latency', message('p95-kept', figures))
    return isSignificant
      ? fails('latency', message('p95-slower', figures))
      : passes('latency', message('p95-within-noise', figures))
  },
  quota: ({ quota }) => {
    const [baseline, candidate] = [quota.baseline.callsPerTurn, quota.candidate.callsPerTurn]
    if (baseline === null || candidate === null)
      return fails('quota', message('nothing-to-judge', { rule: 'quota' }))
    const figures = { baseline, candidate, margin: QUOTA_MARGIN }
    return candidate > baseline * (1 + QUOTA_MARGIN)
      ? fails('quota', message('calls-more', figures))
      : passes('quota', message('calls-kept', figures))
  },
}

function judgeShare(
  rule: 'grounding' | 'verdicts' | 'availability',
  reviewOf: (judged: Judged) => ShareReview,
): Judge {
  return (judged, isSignificant, { margin, minOverlap, areNamed }) => {
    const { questions, difference, baseline, candidate } = reviewOf(judged)
    // A candidate that ended in errors, or half done, must not be green for the few answers that it has.
    const expected = rule === 'availability' ? 0 : judged.baselineValues[rule]
    if (expected > 0 && (questions === 0 || questions < minOverlap * expected))
      return fails(rule, message('too-few-values', { rule, questions, expected }))
    if (difference === null || baseline === null || candidate === null)
      return { rule, passed: !areNamed, reason: message('nothing-to-judge', { rule }) }
    const figures = { rule, baseline, candidate, questions, margin }
    if (difference.estimate >= 0) return passes(rule, message('share-kept', figures))
    if (!isSignificant) return passes(rule, message('share-within-noise', figures))
    // Floating point must not make a loss of just the margin larger than it.
    return -difference.estimate > margin + 1e-12
      ? fails(rule, message('share-fell', figures))
      : passes(rule, message('share-within-margin', figures))
  }
}
