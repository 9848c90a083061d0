// The end of a run: reports are written, the account is said, the verdict decides the exit code.
import { judge, worstExitCode } from '../analysis/verdict.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Summary } from '../domain/summary.ts'
import { renderScreen, renderVerdict } from '../report/screen.ts'
import { paint, printForPrograms, say } from './output.ts'
import type { RunFolder } from './run-folder.ts'
import type { EndedSitting } from './sit-together.ts'
import { writeReports, type Reports } from './write-reports.ts'

export async function conclude(sittings: readonly EndedSitting[], json: boolean): Promise<number> {
  const summaries: Summary[] = []
  for (const { target, folder, ended, fault } of sittings) {
    if (sittings.length > 1) say(`\n${paint('bold', `── ${target.name} ──`)}`)
    const reports = await writeReports(folder, ended)
    const summary = fault === undefined ? reports.summary : withFault(reports.summary, fault)
    sayReports(folder, ended, { ...reports, summary })
    summaries.push(summary)
  }
  const [only] = summaries
  if (json) await printForPrograms(JSON.stringify(summaries.length > 1 ? summaries : only, null, 2))
  return worstExitCode(summaries.map(({ exitCode }) => exitCode))
}

export function sayReports(folder: RunFolder, manifest: Manifest, { summary, highlights }: Reports): void {
  say(`\n${renderScreen(summary, highlights)}`)
  const colour = ({ passed: 'green', failed: 'red', incomplete: 'yellow' } as const)[summary.verdict]
  say(`\n${paint(colour, renderVerdict(summary))}`)
  say(`Results: ${folder.results}\nSummary: ${folder.summaryMarkdown}`)
  if (summary.verdict === 'incomplete') say(`Resume:  ${resumeCommand(folder, manifest.options, summary)}`)
}

/** A used-up budget must be raised, or the resume would stop at once. */
function resumeCommand(
  folder: RunFolder,
  { maxCalls }: Manifest['options'],
  { turns, quota }: Summary,
): string {
  const isUsedUp = maxCalls !== null && quota.attempts >= maxCalls
  const raised = !isUsedUp ? '' : ` --max-calls ${maxCalls + turns.notAsked}`
  return `npx assist-harness run --resume ${quote(folder.path)}${raised}`
}

/** For a shell, where the path needs it. */
const quote = (path: string): string =>
  /^[\w./@%+:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

/** The journal could not say it any more. */
function withFault(summary: Summary, message: string): Summary {
  return { ...summary, ...judge({ kind: 'fault', message }, summary) }
}
