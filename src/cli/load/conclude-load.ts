// The end of a load test: reports are written, the account is said, the verdict decides the exit code.
import type { LoadReport } from '../../domain/load/load-report.ts'
import { describeLedger } from '../../report/ledger.ts'
import { renderLoadMarkdown } from '../../report/load-markdown.ts'
import { renderLoadScreen, renderLoadVerdict } from '../../report/load-screen.ts'
import { tellGithub } from '../github.ts'
import { paint, printForPrograms, say } from '../output.ts'
import { describeUnwritten, whyUnwritten } from '../unwritten.ts'
import { writeLoadReports, type EndedLoad } from './write-load-reports.ts'

/** Returns the exit code; with `json`, prints `load.json`. */
export async function concludeLoad(ended: EndedLoad, json: boolean): Promise<number> {
  const { folder } = ended
  const { report: made, ledger, unwritten } = await writeLoadReports(ended)
  const isJudged = unwritten === undefined || made.verdict === 'incomplete'
  const report: LoadReport = isJudged
    ? made
    : {
        ...made,
        verdict: 'incomplete',
        exitCode: 4,
        reason: `the reports could not be written (${whyUnwritten(unwritten)})`,
      }
  say(`\n${renderLoadScreen(report)}`)
  if (ledger !== undefined) say(`\nLedger     ${describeLedger(ledger)}`)
  const colour = ({ done: 'green', passed: 'green', failed: 'red', incomplete: 'yellow' } as const)[
    report.verdict
  ]
  say(`\n${paint(colour, renderLoadVerdict(report))}`)
  if (unwritten === undefined)
    say(
      `Page:    ${folder.page}\nFigures: ${folder.load}\nSummary: ${folder.summaryMarkdown}\nMetrics: ${folder.prometheus}`,
    )
  else say(describeUnwritten(unwritten, folder))
  tellGithub(renderLoadMarkdown(report), [], process.env)
  if (json) await printForPrograms(JSON.stringify(report, null, 2))
  return report.exitCode
}
