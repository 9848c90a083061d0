// The figures of a comparison as all its reports show them: what changed in one line, then tables, the header first.
// Names of the set, the endpoint and the runs in them are still as they came: the renderer makes them safe.
import type {
  CandidateComparison,
  Comparison,
  FamilyReview,
  MeasuredDifference,
  ShareReview,
  Trend,
  UsageFigures,
} from '../domain/comparison/comparison.ts'
import type { CallRange } from '../domain/quota.ts'
import { digits } from '../domain/text.ts'
import { type ListedChanges, sourceName } from './comparison-lists.ts'
import {
  durationInterval,
  points,
  pointsInterval,
  shortNumber,
  signedDuration,
  signedNumber,
} from './differences.ts'
import { duration, percent } from './numbers.ts'

export type Rows = readonly (readonly string[])[]

/** `3 gained grounding, 2 fixed, 1 newly failing`; or that nothing did. */
export function describeChanges(
  { overlap, answers }: CandidateComparison,
  lists: readonly ListedChanges[],
): string {
  const tally = lists
    .filter(({ tone }) => tone !== 'same')
    .map(({ count, label }) => `${digits(count)} ${label}`)
  const rephrased = answers.rephrased === 0 ? [] : [`${digits(answers.rephrased)} reworded`]
  if (tally.length === 0 && overlap.isLow) return ''
  if (tally.length === 0)
    return `Nothing changed in the ${digits(overlap.shared)} questions that both runs have${rephrased.map((one) => ` (${one})`).join('')}.`
  return `Changed: ${[...tally, ...rephrased].join(', ')}.`
}

/** Whether the totals moved beyond noise, and which drop the gate would have detected; a line each. */
export function describeTotals(
  { grounding, verdicts, overlap }: CandidateComparison,
  { alpha, minOverlap }: Comparison['options'],
): string[] {
  if (overlap.isLow)
    return [
      `Too few questions are in both runs: ${digits(overlap.shared)} (${percent(overlap.share)}; --min-overlap ${percent(minOverlap)}). No difference is given.`,
    ]
  const total = (name: string, family: FamilyReview): string[] =>
    family.difference === null
      ? []
      : [
          `${name} ${percent(family.baseline)} → ${percent(family.candidate)} (${pointsInterval(family.difference)}): ${noiseWord(family, alpha) || 'too few threads to tell'}. ` +
            `Detectable drop: ${family.detectableDrop === null ? 'none' : `${(100 * family.detectableDrop).toFixed(1)} points`}.`,
        ]
  return [...total('Grounded', grounding), ...total('Passed', verdicts)]
}

const noiseWord = (
  { difference, p }: { readonly difference: MeasuredDifference | null; readonly p: number | null },
  alpha: number,
): string => {
  if (difference === null || p === null) return ''
  return p < alpha && difference.estimate !== 0 ? 'more than noise' : 'no more than noise'
}

/** `300 questions in both, 4 added, 1 removed`: what was compared, and what was not. */
export function describeOverlap({ overlap }: CandidateComparison): string {
  const { shared, renamed, edited, baseline, candidate } = overlap
  const counts = [
    [renamed, 'of them under another id'],
    [candidate - shared - edited, 'added'],
    [baseline - shared - edited, 'removed'],
    [edited, 'edited'],
  ] as const
  return [
    `${digits(shared)} questions in both`,
    ...counts.filter(([count]) => count > 0).map(([count, what]) => `${digits(count)} ${what}`),
  ].join(', ')
}

export function describeRuns({ runs }: Comparison): string {
  const [baseline, ...candidates] = runs.map(({ label }) => label)
  return `Compared: ${baseline ?? ''} (baseline) with ${candidates.join(', ')}`
}

/** `isShort`: the chief figures, where many candidates have one table each. */
export function figureRows(candidate: CandidateComparison, alpha: number, isShort = false): Rows {
  const { grounding, verdicts, availability, latency, quota } = candidate
  const share = (name: string, review: ShareReview): string[] => [
    name,
    percent(review.baseline),
    percent(review.candidate),
    pointsInterval(review.difference),
    noiseWord(review, alpha),
  ]
  const percentile = (name: string, change: typeof latency.p50): string[] => [
    name,
    duration(change.baseline),
    duration(change.candidate),
    durationInterval(change.difference),
    noiseWord(change, alpha),
  ]
  /** Counted, not sampled: they are what they are. */
  const counted = (
    name: string,
    pick: (figures: UsageFigures) => number | null,
    [format, signed]: readonly [(value: number) => string, (value: number) => string],
  ): string[] => {
    const [before, after] = [pick(quota.baseline), pick(quota.candidate)]
    const cell = (value: number | null): string => (value === null ? 'n/a' : format(value))
    const difference = before === null || after === null ? 'n/a' : signed(after - before)
    return [name, cell(before), cell(after), difference, '']
  }
  const numbers = [shortNumber, signedNumber] as const
  const rows = [
    share('Grounded', grounding),
    share('Passed', verdicts),
    share('Answered', availability),
    percentile('Latency p95', latency.p95),
    counted('Calls counted, at most', ({ max }) => max, numbers),
  ]
  const more = [
    percentile('Latency p50', latency.p50),
    counted('Waiting p95', ({ waitP95Ms }) => waitP95Ms, [duration, signedDuration]),
    counted('Calls a turn', ({ callsPerTurn }) => callsPerTurn, numbers),
    counted('429s', ({ rate429 }) => rate429, [percent, points]),
    counted('Of the quota', ({ shareOfQuota }) => shareOfQuota, [percent, points]),
  ]
  return [
    ['figure', 'baseline', 'candidate', 'difference, 95 % interval', 'noise'],
    ...[...rows, ...(isShort ? [] : more)].filter(([, before, now]) => before !== 'n/a' || now !== 'n/a'),
  ]
}

/** Asked every night, how many calls a month the candidate takes more; undefined where that is not known. */
export function describeMonthly({ quota: { monthly } }: CandidateComparison): string | undefined {
  if (monthly === null) return undefined
  const { min, max }: CallRange = monthly
  const span = min === max ? signedNumber(min) : `${signedNumber(min)} to ${signedNumber(max)}`
  return `Asked every night: ${span} calls a month.`
}

export const gateRows = ({ gates }: CandidateComparison): Rows => [
  ['gate', 'verdict', 'why'],
  ...gates.map(({ rule, passed, reason }) => [rule, passed ? 'passed' : 'FAILED', reason.text]),
]

export const settingRows = ({ settings }: CandidateComparison): Rows => [
  ['setting', 'baseline', 'candidate'],
  ...settings.map(({ setting, baseline, candidate }) => [setting, baseline, candidate]),
]

/** Tags whose share of grounded answers moved, the largest loss first. */
export const tagRows = ({ grounding: { byTag } }: CandidateComparison): Rows => [
  ['tag', 'questions', 'grounded before', 'now', 'difference'],
  ...Object.entries(byTag)
    .map(([tag, share]) => ({ tag, ...share, difference: share.candidate - share.baseline }))
    .filter(({ difference }) => difference !== 0)
    .sort((some, other) => some.difference - other.difference)
    .map(({ tag, questions, baseline, candidate, difference }) => [
      tag,
      digits(questions),
      percent(baseline),
      percent(candidate),
      points(difference),
    ]),
]

/** Turns whose answer comes from another source than before, most first. */
export const sourceRows = ({ grounding: { matrix } }: CandidateComparison): Rows => [
  ['turns', 'source before', 'source now'],
  ...matrix
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, count }) => [digits(count), sourceName(from), sourceName(to)]),
]

const TREND_LABELS: Readonly<Record<Trend['figure'], string>> = {
  coverage: 'Grounded',
  passed: 'Passed',
  errors: 'Errors',
  'latency.p50': 'Latency p50',
  'latency.p95': 'Latency p95',
  callsPerTurn: 'Calls a turn',
  'quota.max': 'Calls counted, at most',
  rate429: '429s',
}

const IN_UNIT = {
  share: percent,
  ms: duration,
  calls: (value: number | null) => (value === null ? 'n/a' : shortNumber(value)),
} as const

/** Figure × run; the header alone for two runs. */
export const trendRows = ({ trend, runs }: Comparison): Rows => [
  ['figure', ...runs.map(({ label }) => label)],
  ...trend.map(({ figure, unit, values }) => [
    TREND_LABELS[figure],
    ...values.map((value) => IN_UNIT[unit](value)),
  ]),
]
