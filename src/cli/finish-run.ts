// The reports of a run that has ended, and its summary as it stands: a run whose reports could not be written is not done.
import { judge } from '../analysis/verdict.ts'
import type { Stop } from '../domain/stop.ts'
import type { Summary } from '../domain/summary.ts'
import { stopOfError } from '../runner/stops.ts'
import type { EndedSitting } from './sit-together.ts'
import { writeReports, type ReportOptions, type Reports } from './write-reports.ts'

export async function finishRun(
  { folder, ended, broken }: EndedSitting,
  options: ReportOptions,
): Promise<{ readonly summary: Summary; readonly reports: Reports }> {
  const reports = await writeReports(folder, ended, options)
  const summary = broken === undefined ? reports.summary : withStop(reports.summary, broken)
  return { reports, summary: summaryOf({ ...reports, summary }) }
}

export function summaryOf({ summary, unwritten }: Pick<Reports, 'summary' | 'unwritten'>): Summary {
  const isJudged = unwritten === undefined || summary.verdict === 'incomplete'
  return isJudged ? summary : withStop(summary, stopOfError(unwritten))
}

/** The journal could not say it any more. */
const withStop = (summary: Summary, stop: Stop): Summary => ({ ...summary, ...judge(stop, summary, []) })
