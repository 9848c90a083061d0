// The gates of a comparison: which rules the candidate passes, each with its reason.
import type {
  ComparedFigure,
  ComparisonOptions,
  GateResult,
  GateRule,
  Totals,
} from '../../domain/comparison.ts'
import { digits, duration, makeMessage, margin, mean, percent, points, WRITTEN } from '../../domain/format.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import { holm } from '../../stats/paired-tests.ts'
import type { CountedRun } from '../judging/counted-run.ts'
import { repeatsOf } from './rows.ts'
import type { SharedRow } from './totals.ts'

/** Only a larger increase of p95 or of calls per turn fails: a tenth more is seldom worth an alarm. */
const LATENCY_MARGIN = 0.2
const QUOTA_MARGIN = 0.1

export interface Gates {
  readonly totals: Totals
  readonly newlyFailing: readonly ListedQuestion[]
  /** These `must_pass` questions passed in the baseline. */
  readonly mustPass: {
    readonly newlyFailing: readonly ListedQuestion[]
    readonly notSent: readonly ListedQuestion[]
  }
  /** Counts the questions in both runs that have a value in at least one of them. */
  readonly withValues: { readonly grounding: number; readonly verdicts: number }
}

type Broken = CountedRun['broken']

export function whatRulesJudge(rows: readonly SharedRow[], before: Broken, after: Broken) {
  // Those that failed an expectation, not those without an answer.
  const failingIn = (broken: Broken) => new Set(broken.flatMap(({ id, graded }) => (graded ? [id] : [])))
  const [failedBefore, failsNow] = [failingIn(before), failingIn(after)]
  // A failure is new only if the baseline answered the question: otherwise it might have failed there, too.
  const hadPassed = rows.filter(
    ({ mustPass, baseline }) =>
      mustPass &&
      !failedBefore.has(baseline.question.id) &&
      repeatsOf(baseline).some(({ availability, contextLost }) => availability === 'answer' && !contextLost),
  )
  const countWith = (rate: 'groundingRate' | 'passRate'): number =>
    rows.filter(({ baseline, candidate }) => baseline[rate] !== null || candidate[rate] !== null).length
  return {
    newlyFailing: rows.filter(({ kinds }) => kinds.includes('passToFail')),
    mustPass: {
      newlyFailing: hadPassed.filter(({ id }) => failsNow.has(id)),
      notSent: hadPassed.filter(({ candidate }) => candidate.availability === 'notSent'),
    },
    withValues: { grounding: countWith('groundingRate'), verdicts: countWith('passRate') },
  }
}

const TESTED = ['grounding', 'verdicts', 'availability', 'latency'] satisfies readonly GateRule[]

/** The level that each test has at least, whatever the results of the others. */
export const testLevel = (rules: ComparisonOptions): number =>
  rules.alpha / Math.max(1, TESTED.filter((rule) => rules.failOn.includes(rule)).length)

/** Holm's step-down keeps the probability of any false alarm among all tests at or below `alpha`. */
export function judgeRules(gates: Gates, rules: ComparisonOptions): GateResult[] {
  const { overlap, latency, ...totals } = gates.totals
  if (overlap.isLow) {
    const share = `${percent(overlap.share ?? 0)}; --min-overlap ${WRITTEN.share(rules.minOverlap)}`
    const few = `too few questions in both runs to compare: ${digits(overlap.shared)} (${share})`
    return rules.failOn.map((rule) => ({ rule, ...fails('overlap-low', few) }))
  }
  const tests = TESTED.flatMap((rule) => {
    const { p } = rule === 'latency' ? testedLatency(latency) : totals[rule]
    return p === null || !rules.failOn.includes(rule) ? [] : [{ rule, p }]
  })
  const adjusted = holm(tests.map(({ p }) => p))
  const significant = tests.filter((_, index) => (adjusted[index] ?? 1) <= rules.alpha)
  return rules.failOn.map((rule) => {
    const isSignificant = significant.some((test) => test.rule === rule)
    return { rule, ...judge(rule, gates, isSignificant, rules) }
  })
}

const isSlower = ({ baseline, candidate }: ComparedFigure): boolean =>
  (candidate ?? 0) > (baseline ?? 0) * (1 + LATENCY_MARGIN)

/** Fewer than sixty conversations give p95 no test: a median that is slower, too, is tested in its stead. */
const testedLatency = ({ p50, p95 }: Totals['latency']): ComparedFigure =>
  p95.p === null && isSlower(p50) ? p50 : p95

type Judged = Omit<GateResult, 'rule'>

const passes = (code: string, text: string): Judged => ({ passed: true, reason: makeMessage(code, text) })
const fails = (code: string, text: string): Judged => ({ passed: false, reason: makeMessage(code, text) })

function judge(rule: GateRule, gates: Gates, isSignificant: boolean, rules: ComparisonOptions): Judged {
  switch (rule) {
    case 'must-pass': {
      const { newlyFailing, notSent } = gates.mustPass
      return newlyFailing.length === 0 && notSent.length > 0
        ? judgeNone('must-pass-not-sent', 'must_pass questions that passed before were not sent', notSent)
        : judgeNone('must-pass-newly-failing', 'must_pass questions newly failing', newlyFailing)
    }
    case 'newly-failing':
      return judgeNone('newly-failing', 'newly failing', gates.newlyFailing)
    case 'grounding':
    case 'verdicts':
    case 'availability':
      return judgeShare(rule, gates, isSignificant, rules)
    case 'latency':
      return judgeLatency(gates.totals.latency.p95, isSignificant)
    case 'quota':
      return judgeQuota(gates.totals.quota)
  }
}

function judgeNone(code: string, what: string, questions: readonly ListedQuestion[]): Judged {
  const text = `${what}: ${digits(questions.length)}`
  return questions.length === 0 ? passes(code, text) : fails(code, text)
}

const nothingToJudge = (figure: string): readonly [code: string, text: string] => [
  'nothing-to-judge',
  `no question has a value for ${figure} in both runs`,
]

const FIGURES = { grounding: 'grounded', verdicts: 'expectations met', availability: 'answered' } as const

function judgeShare(
  rule: keyof typeof FIGURES,
  { totals, withValues }: Gates,
  isSignificant: boolean,
  rules: ComparisonOptions,
): Judged {
  const figure = FIGURES[rule]
  const { questions, difference, baseline, candidate } = totals[rule]
  // A run with many errors, or one that stopped early, must not pass on the few answers that it has.
  const expected = rule === 'availability' ? 0 : withValues[rule]
  if (expected > 0 && (questions === 0 || questions < rules.minOverlap * expected)) {
    const of = `${digits(questions)} of the ${digits(expected)} questions with a value have one in both runs`
    return fails('too-few-values', `too few answers to judge ${figure}: ${of}`)
  }
  if (difference === null || baseline === null || candidate === null)
    return (rules.areNamed ? fails : passes)(...nothingToJudge(figure))
  const change = `${points(candidate - baseline)} over ${digits(questions)} questions`
  const moved = `${figure} ${percent(baseline)} → ${percent(candidate)} (${change})`
  if (difference.estimate >= 0) return passes('share-not-lower', moved)
  if (!isSignificant) return passes('share-within-noise', `${moved}: within noise`)
  const allowed = `the margin of ${margin(rules.margin)}`
  // The tolerance keeps floating point from failing a loss of exactly the margin.
  return -difference.estimate > rules.margin + 1e-12
    ? fails('share-fell', `${moved}: more than ${allowed}, and more than noise`)
    : passes('share-within-margin', `${moved}: within ${allowed}`)
}

function judgeLatency(p95: ComparedFigure, isSignificant: boolean): Judged {
  const { baseline, candidate } = p95
  if (baseline === null || candidate === null) return fails(...nothingToJudge('latency p95'))
  const moved = `latency p95 ${duration(baseline)} → ${duration(candidate)}`
  if (!isSlower(p95)) return passes('p95-not-slower', moved)
  if (!isSignificant) return passes('p95-within-noise', `${moved}: within noise`)
  return fails('p95-slower', `${moved}: more than ${percent(LATENCY_MARGIN)} and more than noise`)
}

function judgeQuota(quota: Totals['quota']): Judged {
  const [baseline, candidate] = [quota.baseline.callsPerTurn, quota.candidate.callsPerTurn]
  if (baseline === null || candidate === null) return fails(...nothingToJudge('calls per question'))
  const moved = `calls per question ${mean(baseline)} → ${mean(candidate)}`
  return candidate > baseline * (1 + QUOTA_MARGIN)
    ? fails('calls-more', `${moved}: more than ${percent(QUOTA_MARGIN)}`)
    : passes('calls-not-more', moved)
}
