// The figures of a run as cells of a table, for the terminal and the page.
import type { ChangesBefore, HistoryRun, ShareOfRun } from '../../domain/history.ts'
import { digits } from '../../domain/text.ts'
import { duration, percent } from '../numbers.ts'

export const RUN_HEADER = [
  'started (UTC)',
  'verdict',
  'coverage',
  '95 % interval',
  'passed',
  'errors',
  'p50',
  'p95',
  '429s',
  'calls',
] as const

/** As many as the header has. A figure that the run has not is empty. */
export function runCells(run: HistoryRun): string[] {
  const { startedAt, verdict, state, coverage, passed, errors, latencyMs, rate429, usage } = run
  return [
    startedAt.slice(0, 16).replace('T', ' '),
    state === 'complete' ? verdict : state,
    shareCell(coverage.rate),
    intervalCell(coverage),
    shareCell(passed.rate),
    shareCell(errors.rate),
    timeCell(latencyMs.p50),
    timeCell(latencyMs.p95),
    shareCell(rate429),
    usage.min === usage.max ? digits(usage.min) : `${digits(usage.min)}–${digits(usage.max)}`,
  ]
}

const shareCell = (share: number | null): string => (share === null ? '' : percent(share))
const timeCell = (ms: number | null): string => (ms === null ? '' : duration(ms))

/** `76 to 90 %`. */
const intervalCell = ({ low, high }: ShareOfRun): string =>
  low === null || high === null ? '' : `${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)} %`

/** `questions changed`, `settings changed (grounded sources: A to A, B)`; empty for none. Values are as they were recorded. */
export function describeChanges({ questions, settings }: ChangesBefore): string {
  const changed = settings.map(
    ({ setting, baseline, candidate }) => `${setting}: ${baseline} to ${candidate}`,
  )
  return [
    ...(questions ? ['questions changed'] : []),
    ...(changed.length === 0 ? [] : [`settings changed (${changed.join('; ')})`]),
  ].join('; ')
}
