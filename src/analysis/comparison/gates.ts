// The gates of a comparison: which rules the candidate passes, each with its reason.
import type { ComparisonOptions, GateResult, GateRule, Totals } from '../../domain/comparison.ts'
import {
  digits,
  duration,
  margin as marginText,
  mean,
  percent,
  points,
  WRITTEN,
} from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { listQuestions } from '../messages.ts'
import type { ListedQuestion, Summary } from '../../domain/summary.ts'
import { holm } from '../../stats/paired-tests.ts'
import { repeatsOf } from './sides.ts'
import type { SharedRow } from './totals.ts'

/** Only a larger increase of p95 or of calls per turn fails: a tenth more is seldom worth an alarm. */
const LATENCY_MARGIN = 0.2
const QUOTA_MARGIN = 0.1

/** What the rules judge. */
export interface Gates {
  readonly totals: Totals
  readonly newlyFailing: readonly ListedQuestion[]
  /**
   * `must_pass` questions that passed in the baseline. `notSent`: the candidate stopped before it sent them.
   */
  readonly mustPass: Readonly<Record<'newlyFailing' | 'notSent', readonly ListedQuestion[]>>
  /** Number of questions in both runs that have a value in at least one of them. */
  readonly withValues: { readonly grounding: number; readonly verdicts: number }
}

/** `before`, `after`: the summaries of the two runs. */
export function whatRulesJudge(
  rows: readonly SharedRow[],
  before: Summary,
  after: Summary,
): Omit<Gates, 'totals'> {
  const [failedBefore, failsNow] = [before, after].map(
    // Those that failed an expectation, not those without an answer.
    ({ mustPass }) => new Set(mustPass.flatMap(({ id, graded }) => (graded ? [id] : []))),
  )
  // A failure is new only if the baseline answered the question: otherwise it might have failed there, too.
  const hadPassed = rows.filter(
    ({ mustPass, baseline }) =>
      mustPass &&
      failedBefore?.has(baseline.graded.turn.question.id) === false &&
      repeatsOf(baseline).some(({ availability, contextLost }) => availability === 'answer' && !contextLost),
  )
  const countWith = (rate: 'groundingRate' | 'passRate'): number =>
    rows.filter(({ baseline, candidate }) => baseline[rate] !== null || candidate[rate] !== null).length
  return {
    newlyFailing: rows.filter(({ kinds }) => kinds.includes('passToFail')),
    mustPass: {
      newlyFailing: hadPassed.filter(({ id }) => failsNow?.has(id)),
      notSent: hadPassed.filter(({ candidate }) => candidate.availability === 'notSent'),
    },
    withValues: { grounding: countWith('groundingRate'), verdicts: countWith('passRate') },
  }
}

type Rules = Omit<ComparisonOptions, 'groundedSources'>

/** The rules with a statistical test. All tests share the level. */
const P_VALUES: Readonly<Partial<Record<GateRule, (totals: Totals) => number | null>>> = {
  grounding: ({ grounding }) => grounding.p,
  verdicts: ({ verdicts }) => verdicts.p,
  availability: ({ availability }) => availability.p,
  latency: ({ latency }) => latency.p95.p,
}

/** The level that each test has at least, whatever the results of the others. */
export const testLevel = ({ failOn, alpha }: Pick<Rules, 'failOn' | 'alpha'>): number =>
  alpha / Math.max(1, failOn.filter((rule) => P_VALUES[rule] !== undefined).length)

/** Holm's step-down: the probability of any false alarm among all tests is at most `alpha`. */
export function judgeRules(judged: Gates, rules: Rules): GateResult[] {
  const { overlap } = judged.totals
  if (overlap.isLow) {
    const reason = makeMessage(
      'overlap-low',
      `too few questions in both runs to compare: ${digits(overlap.shared)} ` +
        `(${percent(overlap.share ?? 0)}; ` +
        `--min-overlap ${WRITTEN.share(rules.minOverlap)})`,
    )
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
  judged: Gates,
  isSignificant: boolean,
  rules: Rules,
) => readonly [passed: boolean, reason: Message]

const JUDGES: Readonly<Record<GateRule, Judge>> = {
  'must-pass': ({ mustPass: { newlyFailing, notSent } }) =>
    newlyFailing.length === 0 && notSent.length > 0
      ? judgeQuestions('must-pass-not-sent', 'must_pass questions that passed before were not sent', notSent)
      : judgeQuestions('must-pass-newly-failing', 'must_pass questions newly failing', newlyFailing),
  grounding: (...judged) => judgeShare('grounding', ...judged),
  verdicts: (...judged) => judgeShare('verdicts', ...judged),
  'newly-failing': ({ newlyFailing }) => judgeQuestions('newly-failing', 'newly failing', newlyFailing),
  availability: (...judged) => judgeShare('availability', ...judged),
  latency: ({ totals }, isSignificant) => {
    const { baseline, candidate } = totals.latency.p95
    if (baseline === null || candidate === null) return unjudged('latency')
    const moved = `${FIGURES.latency} ${duration(baseline)} → ${duration(candidate)}`
    if (candidate <= baseline * (1 + LATENCY_MARGIN)) return [true, makeMessage('p95-not-slower', moved)]
    if (!isSignificant) return [true, makeMessage('p95-within-noise', `${moved}: within noise`)]
    const beyond = `: more than ${percent(LATENCY_MARGIN)} and more than noise`
    return [false, makeMessage('p95-slower', moved + beyond)]
  },
  quota: ({ totals: { quota } }) => {
    const [baseline, candidate] = [quota.baseline.callsPerTurn, quota.candidate.callsPerTurn]
    if (baseline === null || candidate === null) return unjudged('quota')
    const moved = `${FIGURES.quota} ${mean(baseline)} → ${mean(candidate)}`
    return candidate > baseline * (1 + QUOTA_MARGIN)
      ? [false, makeMessage('calls-more', `${moved}: more than ${percent(QUOTA_MARGIN)}`)]
      : [true, makeMessage('calls-not-more', moved)]
  },
}

const FIGURES: Readonly<Record<Exclude<GateRule, 'must-pass' | 'newly-failing'>, string>> = {
  grounding: 'grounded',
  verdicts: 'expectations met',
  availability: 'answered',
  latency: 'latency p95',
  quota: 'calls per question',
}

const judgeQuestions = (code: string, what: string, questions: readonly ListedQuestion[]) =>
  [questions.length === 0, makeMessage(code, `${what}: ${listQuestions(questions)}`)] as const

const unjudged = (rule: keyof typeof FIGURES, passed = false) =>
  [
    passed,
    makeMessage('nothing-to-judge', `no question has a value for ${FIGURES[rule]} in both runs`),
  ] as const

function judgeShare(
  rule: 'grounding' | 'verdicts' | 'availability',
  { totals, withValues }: Gates,
  isSignificant: boolean,
  { margin, minOverlap, areNamed }: Rules,
): ReturnType<Judge> {
  const { questions, difference, baseline, candidate } = totals[rule]
  // A run with many errors, or one that stopped early, must not pass on the few answers that it has.
  const expected = rule === 'availability' ? 0 : withValues[rule]
  if (expected > 0 && (questions === 0 || questions < minOverlap * expected)) {
    const of = `${digits(questions)} of the ${digits(expected)} questions with a value have one in both runs`
    return [false, makeMessage('too-few-values', `too few answers to judge ${FIGURES[rule]}: ${of}`)]
  }
  if (difference === null || baseline === null || candidate === null) return unjudged(rule, !areNamed)
  const change = `${points(candidate - baseline)} over ${digits(questions)} questions`
  const moved = `${FIGURES[rule]} ${percent(baseline)} → ${percent(candidate)} (${change})`
  if (difference.estimate >= 0) return [true, makeMessage('share-not-lower', moved)]
  if (!isSignificant) return [true, makeMessage('share-within-noise', `${moved}: within noise`)]
  // The tolerance keeps floating point from failing a loss of exactly the margin.
  return -difference.estimate > margin + 1e-12
    ? [
        false,
        makeMessage(
          'share-fell',
          `${moved}: more than the margin of ${marginText(margin)}, and more than noise`,
        ),
      ]
    : [true, makeMessage('share-within-margin', `${moved}: within the margin of ${marginText(margin)}`)]
}
