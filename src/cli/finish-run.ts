// The reports of a run that has ended, and its summary as it stands: a run whose reports could not be written is not done.
import { judge } from '../analysis/verdict.ts'
import type { Summary } from '../domain/summary.ts'
import type { EndedSitting } from './sit-together.ts'
import { whyUnwritten } from './unwritten.ts'
import { writeReports, type ReportOptions, type Reports } from './write-reports.ts'

export async function finishRun(
  { folder, ended, broken }: EndedSitting,
  options: ReportOptions,
): Promise<{ readonly summary: Summary; readonly reports: Reports }> {
  const written = await writeReports(folder, ended, options)
  // The journal could not say it any more.
  const reports =
    broken === undefined
      ? written
      : { ...written, summary: { ...written.summary, ...judge(broken, written.summary, []) } }
  return { reports, summary: summaryOf(reports) }
}

export function summaryOf({ summary, unwritten }: Pick<Reports, 'summary' | 'unwritten'>): Summary {
  if (unwritten === undefined || summary.verdict === 'incomplete') return summary
  const reason = `every turn has an outcome, but the reports could not be written (${whyUnwritten(unwritten)})`
  return { ...summary, verdict: 'incomplete', exitCode: 4, reason }
}
