// The figures of one run that have a place over time.
import type {
  ChangesBefore,
  HistoryRun,
  MonthSoFar,
  ShareOfRun,
  RecordedSummary,
} from '../../domain/history.ts'
import { wilsonOfShare } from '../../stats/interval.ts'
import { organizationOf } from './months.ts'
import type { RecordedRun } from './recorded-run.ts'

export function runFigures(
  { folder, hasPage, manifest, summary }: RecordedRun,
  month: MonthSoFar,
  changes: ChangesBefore,
): HistoryRun {
  const { turns, errors, latencyMs, pacing, quota, gaps, flaky } = summary
  const { repeat } = manifest.options
  return {
    id: manifest.runId,
    folder,
    organization: organizationOf({ manifest }),
    hasPage,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    // What wrote `running` is at it, or died: the summary is of a sitting before.
    state: manifest.state === 'running' && summary.state === 'complete' ? 'interrupted' : summary.state,
    verdict: summary.verdict,
    exitCode: summary.exitCode,
    harnessVersion: manifest.harnessVersion,
    turns: turns.total,
    asked: errors.asked,
    answered: turns.answered,
    coverage: coverageOf(summary),
    passed: passedOf(summary, repeat),
    errors: { rate: errors.rate, count: errors.errors },
    latencyMs,
    rate429: pacing.rate429,
    usage: quota,
    quota: summary.run.quota,
    month,
    flaky: repeat > 1 ? flaky : null,
    gaps,
    changes,
  }
}

/** Where threads have several questions, the interval is the one over threads. */
function coverageOf({ coverage }: RecordedSummary): ShareOfRun {
  const { rate, cluster, effective } = coverage
  return { rate, low: cluster?.low ?? coverage.low, high: cluster?.high ?? coverage.high, effective }
}

/**
 * A summary has no interval of this share: Wilson's, on as many questions as passed or failed (repeats of one are no further
 * questions), made fewer as those of coverage are where the questions of a thread agree.
 */
function passedOf({ expectations, coverage }: RecordedSummary, repeat: number): ShareOfRun {
  const { rate, passed, failed } = expectations
  if (rate === null) return { rate: null, low: null, high: null, effective: null }
  const { effective, questions } = coverage
  const agreeing = effective === null || questions === 0 ? 1 : Math.min(1, effective / questions)
  const trials = ((passed + failed) / repeat) * agreeing
  return { rate, ...wilsonOfShare(rate, trials), effective: trials }
}
