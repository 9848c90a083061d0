// A load test that never heard the endpoint says nothing of it: that is no failed gate.
import type { LoadReport } from '../../domain/load/load-report.ts'
import { plural } from '../../domain/digits.ts'

/** The report, or where no call at all got an HTTP status the same as incomplete, with the exit code of an unreachable endpoint. */
export function judgeReach(report: LoadReport): LoadReport {
  const { achieved, errors, pacing, turns, verdict } = report
  const heard =
    turns.answered + pacing.rateLimited > 0 ||
    Object.keys(errors.byHttpStatus).some((status) => status !== 'none')
  if (verdict !== 'failed' || achieved.calls === 0 || heard) return report
  const codes = Object.keys(errors.byCode).filter((code) => code !== 'none')
  const how = codes.slice(0, 3).join(', ') || Object.keys(errors.byOutcome).join(', ') || 'no answer'
  return {
    ...report,
    verdict: 'incomplete',
    exitCode: 4,
    reason: `not one of ${plural(achieved.calls, 'call')} was answered with a status (${how}): the endpoint is unreachable or down; ${report.reason}`,
  }
}
