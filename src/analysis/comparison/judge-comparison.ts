// The gate of a comparison: which rules a candidate keeps, each with its reason.
import { digits } from '../../domain/text.ts'
import type { GateRule } from '../../domain/comparison/rules.ts'
import type {
  GateResult,
  LatencyReview,
  QuotaReview,
  ShareReview,
} from '../../domain/comparison/comparison.ts'
import type { GateTest, SharedLevel } from './gate-tests.ts'

/** A slower p95 or more calls a turn fail only beyond these: a tenth more is seldom worth an alarm. */
export const LATENCY_MARGIN = 0.2
export const QUOTA_MARGIN = 0.1

/** What the rules are judged by. */
export interface Reviewed {
  readonly run: number
  readonly isLow: boolean
  readonly grounding: ShareReview
  readonly verdicts: ShareReview
  readonly availability: ShareReview
  readonly latency: LatencyReview
  readonly quota: QuotaReview | null
  /** Of the questions in both runs, how many have a value in the baseline, and how large a part must have one now. */
  readonly baselineValues: { readonly grounding: number; readonly verdicts: number }
  readonly minOverlap: number
  readonly mustPass: MustPassReview
  /** Whether the rules were named, and are not the default ones: then a rule without anything to judge fails. */
  readonly areNamed: boolean
}

/** Ids of `must_pass` questions that passed in the baseline. */
export interface MustPassReview {
  /** They fail now, asked again too. */
  readonly newlyFailing: readonly string[]
  /** They have no answer now: that is availability. */
  readonly unanswered: readonly string[]
  /** The candidate has not come to them. */
  readonly notAsked: readonly string[]
}

/** The tests that the chosen rules need: they share the level. Without a value in both runs there is nothing to test. */
export function gateTests(reviewed: Reviewed, failOn: readonly GateRule[]): GateTest[] {
  const { run, grounding, verdicts, availability, latency, isLow } = reviewed
  const pValues = {
    grounding: grounding.p,
    verdicts: verdicts.p,
    availability: availability.p,
    latency: latency.service.p95.p,
  }
  if (isLow) return []
  return Object.entries(pValues).flatMap(([rule, p]) =>
    p !== null && failOn.includes(rule as GateRule) ? [{ rule: rule as GateRule, run, p }] : [],
  )
}

export function judgeRules(
  reviewed: Reviewed,
  failOn: readonly GateRule[],
  level: SharedLevel,
  margin: number,
): GateResult[] {
  return failOn.map((rule) => {
    if (reviewed.isLow)
      return { rule, passed: false, reason: 'too few questions are in both runs to judge by' }
    return { rule, ...JUDGES[rule](reviewed, (of) => level.isSignificant(of, reviewed.run), margin) }
  })
}

type Judge = (
  reviewed: Reviewed,
  isSignificant: (rule: GateRule) => boolean,
  margin: number,
) => Omit<GateResult, 'rule'>

const JUDGES: Record<GateRule, Judge> = {
  'must-pass': ({ mustPass }) => judgeMustPass(mustPass),
  grounding: ({ grounding, baselineValues, minOverlap, areNamed }, isSignificant, margin) =>
    refuseFew('an answer', grounding, baselineValues.grounding, minOverlap) ??
    judgeLoss('coverage', grounding, { isSignificant: isSignificant('grounding'), margin, areNamed }),
  verdicts: ({ verdicts, baselineValues, minOverlap, areNamed }, isSignificant, margin) =>
    refuseFew('a verdict', verdicts, baselineValues.verdicts, minOverlap) ??
    judgeLoss('the share of passed questions', verdicts, {
      isSignificant: isSignificant('verdicts'),
      margin,
      areNamed,
    }),
  availability: ({ availability, areNamed }, isSignificant, margin) =>
    judgeLoss('the share of answered questions', availability, {
      isSignificant: isSignificant('availability'),
      margin,
      areNamed,
    }),
  latency: ({ latency }, isSignificant) => {
    const { baseline, candidate } = latency.service.p95
    if (baseline === null || candidate === null)
      return { passed: false, reason: 'no turn was answered in both runs, so latency cannot be judged' }
    const isSlower = candidate > baseline * (1 + LATENCY_MARGIN)
    const figures = `p95 went from ${Math.round(baseline)} to ${Math.round(candidate)} ms`
    if (isSlower && isSignificant('latency'))
      return { passed: false, reason: `${figures}, more than ${percent(LATENCY_MARGIN)} and more than noise` }
    return { passed: true, reason: `${figures}${isSlower ? ', which may be noise' : ''}` }
  },
  quota: ({ quota }) => {
    const [before, after] = [quota?.baseline.callsPerTurn ?? null, quota?.candidate.callsPerTurn ?? null]
    if (before === null || after === null)
      return { passed: false, reason: 'the calls of one run are not known, so quota cannot be judged' }
    const figures = `${Number(before.toFixed(3))} calls a turn became ${Number(after.toFixed(3))}`
    const isMore = after > before * (1 + QUOTA_MARGIN)
    return { passed: !isMore, reason: isMore ? `${figures}, more than ${percent(QUOTA_MARGIN)}` : figures }
  },
}

function judgeMustPass({ newlyFailing, unanswered, notAsked }: MustPassReview): Omit<GateResult, 'rule'> {
  if (newlyFailing.length > 0)
    return { passed: false, reason: `must pass, and newly fail: ${firstOf(newlyFailing)}` }
  if (notAsked.length > 0)
    return {
      passed: false,
      reason: `must_pass questions that passed before were not asked, so that they cannot be judged: ${firstOf(notAsked)}`,
    }
  const silent =
    unanswered.length === 0
      ? ''
      : `; with an error or skipped now, which is availability: ${firstOf(unanswered)}`
  return { passed: true, reason: `no question that must pass fails newly${silent}` }
}

function firstOf(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ')
  return ids.length > 5 ? `${shown} and ${digits(ids.length - 5)} more` : shown
}

/** A candidate that ended in errors, or half done, must not be green for the few answers that it has. */
function refuseFew(
  what: string,
  { questions }: ShareReview,
  baselineValues: number,
  minOverlap: number,
): Omit<GateResult, 'rule'> | undefined {
  if (baselineValues === 0 || (questions > 0 && questions >= minOverlap * baselineValues)) return undefined
  return {
    passed: false,
    reason: `only ${digits(questions)} of the ${digits(baselineValues)} questions that had ${what} in the baseline have one in both runs, too few to judge by`,
  }
}

function judgeLoss(
  what: string,
  { questions, difference, p }: ShareReview,
  { isSignificant, margin, areNamed }: { isSignificant: boolean; margin: number; areNamed: boolean },
): Omit<GateResult, 'rule'> {
  if (questions === 0 || difference === null)
    return {
      passed: !areNamed,
      reason: `no question has a value for ${what} in both runs: nothing to judge`,
    }
  const moved = `${what} ${describeMove(difference.estimate)} over ${questions === 1 ? '1 question' : `${digits(questions)} questions`}`
  if (difference.estimate >= 0) return { passed: true, reason: moved }
  const chance = p === null ? '' : ` (p ${p < 0.001 ? '< 0.001' : `= ${Number(p.toPrecision(2))}`})`
  // Floating point must not make a loss of just the margin larger than it.
  const isLarge = -difference.estimate > margin + 1e-12
  if (isLarge && isSignificant)
    return {
      passed: false,
      reason: `${moved}, more than the margin of ${points(margin)} and than noise${chance}`,
    }
  const why = !isSignificant
    ? `no more than noise${chance}`
    : `beyond noise${chance}, but within the margin of ${points(margin)}`
  return { passed: true, reason: `${moved}: ${why}` }
}

function describeMove(estimate: number): string {
  if (estimate === 0) return 'did not change'
  return `${estimate < 0 ? 'fell' : 'rose'} by ${points(Math.abs(estimate))}`
}

const points = (share: number): string => `${Number((share * 100).toFixed(1))} points`
const percent = (share: number): string => `${Math.round(share * 100)} %`
