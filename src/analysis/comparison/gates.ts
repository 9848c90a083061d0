// The gates of a comparison: which rules the candidate passes, each with its reason.
import type { ComparedTotals, ComparisonOptions, GateResult, GateRule } from '../../domain/comparison.ts'
import {
  callsMoved,
  latencyMoved,
  mustPassNewlyFailing,
  mustPassNotSent,
  nothingToJudge,
  questionsNewlyFailing,
  shareMoved,
  tooFewShared,
  tooFewValues,
} from './messages.ts'
import { type Message } from '../../domain/message.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import { holm } from '../../stats/paired-tests.ts'

/** Only a larger increase of p95 or of calls per turn fails: a tenth more is seldom worth an alarm. */
const LATENCY_MARGIN = 0.2
const QUOTA_MARGIN = 0.1

/** The candidate as the rules see it: its totals, and its questions. */
export interface JudgedCandidate {
  readonly totals: ComparedTotals
  readonly newlyFailing: readonly ListedQuestion[]
  /**
   * `must_pass` questions that passed in the baseline. `notSent`: the candidate stopped before it sent them.
   */
  readonly mustPass: Readonly<Record<'newlyFailing' | 'notSent', readonly ListedQuestion[]>>
  /** Number of questions in both runs that have a value in at least one of them. */
  readonly withValues: { readonly grounding: number; readonly verdicts: number }
}

type Rules = Pick<ComparisonOptions, 'failOn' | 'alpha' | 'margin' | 'minOverlap' | 'areNamed'>

/** The rules with a statistical test. All tests share the level. */
const P_VALUES: Readonly<Partial<Record<GateRule, (totals: ComparedTotals) => number | null>>> = {
  grounding: ({ grounding }) => grounding.p,
  verdicts: ({ verdicts }) => verdicts.p,
  availability: ({ availability }) => availability.p,
  latency: ({ latency }) => latency.p95.p,
}

/** The level that each test has at least, whatever the results of the others. */
export const testLevel = ({ failOn, alpha }: Pick<Rules, 'failOn' | 'alpha'>): number =>
  alpha / Math.max(1, failOn.filter((rule) => P_VALUES[rule] !== undefined).length)

/** Holm's step-down: the probability of any false alarm among all tests is at most `alpha`. */
export function judgeRules(judged: JudgedCandidate, rules: Rules): GateResult[] {
  const { overlap } = judged.totals
  if (overlap.isLow) {
    const reason = tooFewShared(overlap.shared, overlap.share ?? 0, rules.minOverlap)
    return rules.failOn.map((rule) => ({ rule, passed: false, reason }))
  }
  const tests = rules.failOn.flatMap((rule) => {
    const p = P_VALUES[rule]?.(judged.totals) ?? null
    return p === null ? [] : [{ rule, p }]
  })
  const adjusted = holm(tests.map(({ p }) => p))
  return rules.failOn.map((rule) => {
    const test = tests.findIndex((one) => one.rule === rule)
    const [passed, reason] = JUDGES[rule](judged, (adjusted[test] ?? 1) <= rules.alpha, rules)
    return { rule, passed, reason }
  })
}

type Judge = (
  judged: JudgedCandidate,
  isSignificant: boolean,
  rules: Rules,
) => readonly [passed: boolean, reason: Message]

const JUDGES: Readonly<Record<GateRule, Judge>> = {
  'must-pass': ({ mustPass: { newlyFailing, notSent } }) =>
    newlyFailing.length === 0 && notSent.length > 0
      ? [false, mustPassNotSent(notSent)]
      : [newlyFailing.length === 0, mustPassNewlyFailing(newlyFailing)],
  grounding: (...judged) => judgeShare('grounding', ...judged),
  verdicts: (...judged) => judgeShare('verdicts', ...judged),
  'newly-failing': (judged) => [judged.newlyFailing.length === 0, questionsNewlyFailing(judged.newlyFailing)],
  availability: (...judged) => judgeShare('availability', ...judged),
  latency: ({ totals }, isSignificant) => {
    const { baseline, candidate } = totals.latency.p95
    if (baseline === null || candidate === null) return unjudged('latency')
    const figures = { baseline, candidate, margin: LATENCY_MARGIN }
    if (candidate <= baseline * (1 + LATENCY_MARGIN)) return [true, latencyMoved('not-slower', figures)]
    return [!isSignificant, latencyMoved(isSignificant ? 'slower' : 'within-noise', figures)]
  },
  quota: ({ totals: { quota } }) => {
    const [baseline, candidate] = [quota.baseline.callsPerTurn, quota.candidate.callsPerTurn]
    if (baseline === null || candidate === null) return unjudged('quota')
    const isMore = candidate > baseline * (1 + QUOTA_MARGIN)
    return [!isMore, callsMoved(isMore ? 'more' : 'not-more', { baseline, candidate, margin: QUOTA_MARGIN })]
  },
}

const unjudged = (rule: Exclude<GateRule, 'must-pass' | 'newly-failing'>, passed = false) =>
  [passed, nothingToJudge(rule)] as const

function judgeShare(
  rule: 'grounding' | 'verdicts' | 'availability',
  { totals, withValues }: JudgedCandidate,
  isSignificant: boolean,
  { margin, minOverlap, areNamed }: Rules,
): ReturnType<Judge> {
  const { questions, difference, baseline, candidate } = totals[rule]
  // A run with many errors, or one that stopped early, must not pass on the few answers that it has.
  const expected = rule === 'availability' ? 0 : withValues[rule]
  if (expected > 0 && (questions === 0 || questions < minOverlap * expected))
    return [false, tooFewValues(rule, questions, expected)]
  if (difference === null || baseline === null || candidate === null) return unjudged(rule, !areNamed)
  const figures = { rule, baseline, candidate, questions, margin }
  if (difference.estimate >= 0) return [true, shareMoved('not-lower', figures)]
  if (!isSignificant) return [true, shareMoved('within-noise', figures)]
  // The tolerance keeps floating point from failing a loss of exactly the margin.
  const isBeyond = -difference.estimate > margin + 1e-12
  return [!isBeyond, shareMoved(isBeyond ? 'fell' : 'within-margin', figures)]
}
