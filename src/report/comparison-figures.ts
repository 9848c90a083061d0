// The figures of a comparison as rows of a table, the header first.
import type {
  CandidateComparison,
  AllowanceReview,
  PercentileChange,
  UsageFigures,
  ShareReview,
} from '../domain/comparison/comparison.ts'
import {
  describeNoise,
  durationInterval,
  points,
  pointsInterval,
  signedDuration,
  shortNumber,
  signedNumber,
} from './differences.ts'
import { duration, percent } from './numbers.ts'

export type Rows = readonly (readonly string[])[]

/** What stands in a short table, where many candidates have one each. */
const CHIEF = ['figure', 'Coverage', 'Passed', 'Answered', 'Latency p95', 'Calls counted']

/**
 * `level`: below it a p-value counts as more than noise. Where too few questions are in both runs, rows without any
 * figure are left out: they say nothing.
 */
export function figureRows(candidate: CandidateComparison, level: number, isShort = false): Rows {
  const { grounding, verdicts, availability, latency, overlap } = candidate
  const rows = [
    ['figure', 'baseline', 'candidate', 'difference, 95 % interval', 'more than noise?'],
    shareRow('Coverage', grounding, level),
    ...(verdicts.questions === 0 ? [] : [shareRow('Passed', verdicts, level)]),
    shareRow('Answered', availability, level),
    percentileRow('Latency p50', latency.service.p50, level),
    percentileRow('Latency p95', latency.service.p95, level),
    waitingRow(latency.wait.p95, level),
    ...usageRows(candidate),
  ].filter(([name = '']) => !isShort || CHIEF.includes(name))
  return overlap.isLow ? rows.filter(([, before, now]) => before !== 'n/a' || now !== 'n/a') : rows
}

function shareRow(
  name: string,
  { baseline, candidate, difference, p }: ShareReview,
  level: number,
): string[] {
  return [
    name,
    percent(baseline),
    percent(candidate),
    pointsInterval(difference),
    describeNoise(difference, p, level, 'lower'),
  ]
}

function percentileRow(
  name: string,
  { baseline, candidate, difference, p }: PercentileChange,
  level: number,
): string[] {
  return [
    name,
    duration(baseline),
    duration(candidate),
    durationInterval(difference),
    describeNoise(difference, p, level, 'higher'),
  ]
}

/** Where it has no bounds, not for want of threads: turns of all of them wait for one limiter. */
function waitingRow(change: PercentileChange, level: number): string[] {
  const [name = '', before = '', now = '', difference = '', noise = ''] = percentileRow(
    'Waiting p95',
    change,
    level,
  )
  const isBare =
    change.difference !== null && change.difference.low === null && change.difference.high === null
  return isBare
    ? [name, before, now, signedDuration(change.difference.estimate), noise]
    : [name, before, now, difference, noise]
}

/** Counted, not sampled: they are what they are. */
function usageRows({ quota }: CandidateComparison): string[][] {
  if (quota === null) return [['Calls counted', 'n/a', 'n/a', 'n/a', '']]
  const { baseline, candidate, allowance } = quota
  const pair = (pick: (figures: UsageFigures) => number | null): [number | null, number | null] => [
    pick(baseline),
    pick(candidate),
  ]
  return [
    [
      'Calls counted',
      span(baseline.min, baseline.max, shortNumber, '–'),
      span(candidate.min, candidate.max, shortNumber, '–'),
      span(candidate.min - baseline.max, candidate.max - baseline.min, signedNumber, ' to '),
      '',
    ],
    ...(allowance === null ? [] : [shareOfQuotaRow(allowance)]),
    countedRow(
      'Calls a turn',
      pair(({ callsPerTurn }) => callsPerTurn),
      shortNumber,
      signedNumber,
    ),
    countedRow(
      '429s',
      pair(({ rate429 }) => rate429),
      percent,
      points,
    ),
  ]
}

const shareOfQuotaRow = ({ shareOfQuota: { baseline, candidate } }: AllowanceReview): string[] =>
  countedRow('Of the quota', [baseline, candidate], percent, points)

function countedRow(
  name: string,
  [before, after]: readonly [number | null, number | null],
  format: (value: number) => string,
  signed: (value: number) => string,
): string[] {
  const cell = (value: number | null): string => (value === null ? 'n/a' : format(value))
  const difference = before === null || after === null ? 'n/a' : signed(after - before)
  return [name, cell(before), cell(after), difference, '']
}

function span(min: number, max: number, format: (value: number) => string, dash: string): string {
  const [low, high] = [format(min), format(max)]
  return low === high ? low : low + dash + high
}
