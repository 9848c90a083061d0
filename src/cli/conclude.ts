// The end of a run: reports are written, the account is said, the verdict decides the exit code.
import { worstExitCode } from '../analysis/verdict.ts'
import type { ReviewFile } from '../analysis/reviews/merge.ts'
import type { Manifest } from '../domain/manifest.ts'
import { budgetForPart } from '../domain/shard.ts'
import type { Summary } from '../domain/summary.ts'
import { mergeCommand } from '../report/part.ts'
import { renderScreen, renderVerdict } from '../report/screen.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { changesInMarkdown, sayChanges, sayFiles } from './comparing/say-comparison.ts'
import { finishRun, summaryOf } from './finish-run.ts'
import { tellGithub } from './github.ts'
import type { GoingOn } from './going-on.ts'
import type { RunSettings } from '../library/read-options.ts'
import { paint, printForPrograms, say } from './output.ts'
import type { RunFolder } from './run-folder.ts'
import { shellWord } from './shell-word.ts'
import type { EndedSitting } from './sit-together.ts'
import { describeUnwritten } from './unwritten.ts'
import type { Reports } from './write-reports.ts'

export async function conclude(
  sittings: readonly EndedSitting[],
  { json = false, excel = false }: RunSettings,
  brought: readonly ReviewFile[] | undefined,
): Promise<number> {
  const summaries: Summary[] = []
  for (const sitting of sittings) {
    const { target, folder, ended, goOn } = sitting
    if (sittings.length > 1) say(`\n${paint('bold', `── ${target.name} ──`)}`)
    const { reports } = await finishRun(sitting, { excel, brought })
    summaries.push(sayReports(folder, ended, reports, goOn))
  }
  const [only] = summaries
  if (json) await printForPrograms(JSON.stringify(summaries.length > 1 ? summaries : only, null, 2))
  return worstExitCode(summaries.map(({ exitCode }) => exitCode))
}

/** Returns the summary as it was said: a run whose reports could not be written is not done. */
export function sayReports(
  folder: RunFolder,
  manifest: Manifest,
  { summary: gathered, details, comparison, annotations, unwritten, isBegun, reviewNotes }: Reports,
  goOn: GoingOn,
): Summary {
  const summary = summaryOf({ summary: gathered, unwritten })
  say(`\n${renderScreen(summary, details)}`)
  if (comparison?.written !== undefined) sayChanges(comparison.written)
  for (const note of reviewNotes) say(`Note: ${note}`)
  const colour = ({ passed: 'green', failed: 'red', incomplete: 'yellow', part: 'yellow' } as const)[
    summary.verdict
  ]
  say(`\n${paint(colour, renderVerdict(summary))}`)
  if (!isBegun) say('No question was asked: there are no reports yet')
  else if (unwritten === undefined)
    say(`Page:    ${folder.page}\nResults: ${folder.results}\nSummary: ${folder.summaryMarkdown}`)
  else say(describeUnwritten(unwritten, folder))
  if (unwritten === undefined && comparison?.written !== undefined) sayFiles(comparison.written)
  const compared = comparison?.written === undefined ? '' : `\n${changesInMarkdown(comparison.written)}`
  tellGithub(`${renderSummaryMarkdown(summary, details)}${compared}`, annotations, process.env)
  // Without a journal that has begun there is nothing to join: it goes on first.
  if (summary.shard !== undefined && isBegun)
    say(`Merge:   ${mergeCommand(summary.shard, shellWord(folder.path))}`)
  // Where the reports alone are left to write, nothing is left to ask.
  if (gathered.verdict === 'incomplete') say(`Resume:  ${resumeCommand(folder, manifest, summary, goOn)}`)
  return summary
}

/** An endpoint that refuses more than that lets nobody say how many calls it takes. */
const MOST_REFUSED = 0.5

/** A used-up budget must be raised, or the resume would stop at once; and so far that it need not be raised again. */
function resumeCommand(
  folder: RunFolder,
  { options: { maxCalls }, shard, merged }: Pick<Manifest, 'options' | 'shard' | 'merged'>,
  { turns, quota, pacing }: Summary,
  { calls, words }: GoingOn,
): string {
  // Refused calls count, too, and as many are taken to be refused as so far.
  const needed = quota.attempts + Math.ceil((calls ?? 0) / (1 - Math.min(MOST_REFUSED, pacing.rate429 ?? 0)))
  // Calls may be left that are too few for what is to be confirmed, or that other parts of a joined run had over.
  const mayBeShort = turns.notAsked === 0 || isShortOfShares(merged)
  const isUsedUp = maxCalls !== null && (quota.attempts >= maxCalls || (mayBeShort && needed > maxCalls))
  const raised = `${shard === undefined ? needed : budgetForPart(needed, shard)}`
  const more = [...words, ...(isUsedUp ? ['--max-calls', raised] : [])]
  return ['npx assist-harness run --resume', shellWord(folder.path), ...more].join(' ')
}

/** Whether a part had too few calls, or may have had: one that is not there. */
const isShortOfShares = (merged: Manifest['merged']): boolean =>
  merged !== undefined &&
  (merged.parts.length < merged.of || merged.parts.some(({ endedByBudget = false }) => endedByBudget))
