// The end of a search for the limit: reports are written, what was found is said, the verdict decides the exit code.
import type { LimitReport } from '../../domain/load/limit-report.ts'
import { renderLimitMarkdown } from '../../report/limit-markdown.ts'
import { renderLimitScreen, renderLimitVerdict } from '../../report/limit-screen.ts'
import { tellGithub } from '../github.ts'
import { paint, printForPrograms, say } from '../output.ts'
import { describeUnwritten, whyUnwritten } from '../unwritten.ts'
import { writeLimitReports, type EndedSearch } from './write-limit-reports.ts'

/** Returns the exit code; with `json`, prints `limit.json`. */
export async function concludeSearch(ended: EndedSearch, json: boolean): Promise<number> {
  const { folder } = ended
  const { report: made, unwritten } = await writeLimitReports(ended)
  const isJudged = unwritten === undefined || made.verdict === 'unknown'
  const report: LimitReport = isJudged
    ? made
    : {
        ...made,
        exitCode: 4,
        reason: `${made.reason}, but the reports could not be written (${whyUnwritten(unwritten)})`,
      }
  say(`\n${renderLimitScreen(report)}`)
  say(`\n${paint(report.exitCode === 0 ? 'green' : 'yellow', renderLimitVerdict(report))}`)
  if (unwritten === undefined) say(`Figures: ${folder.limit}\nSummary: ${folder.summaryMarkdown}`)
  else say(describeUnwritten(unwritten, folder))
  tellGithub(renderLimitMarkdown(report), [], process.env)
  if (json) await printForPrograms(JSON.stringify(report, null, 2))
  return report.exitCode
}
