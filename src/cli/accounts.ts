// The account of each command: its documents, where the files are, what to do next; and the one place that prints it.
import type { CompareResult } from '../library/compare.ts'
import type { RunResult } from '../library/conclude.ts'
import type { LimitResult, LoadResult } from '../library/load.ts'
import type { Ended } from '../library/reports.ts'
import { runFolder } from '../store/folder.ts'
import { annotate } from '../report/annotations.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { commandLine, shellWord } from '../report/escape.ts'
import { renderTerminal } from '../report/terminal.ts'
import { openPages } from './open.ts'
import { sayUnwritten } from './failure.ts'
import { EXIT, isOutputLost, paint, print, printJson, reportToGithub, say, worstExitCode } from './output.ts'

type Unwritten = Pick<Ended, 'unwritten' | 'shown'>

/** The result of a command, as it is printed. */
export interface Account {
  /** For the screen, with lines below each document. */
  readonly parts: readonly { readonly document: Document; readonly footer: readonly string[] }[]
  /** For stdout with `--json`. */
  readonly json: unknown
  /** For `--open`. */
  readonly pages?: readonly string[]
  /** For the job's log on GitHub, whose page gets the documents; absent for commands that judge nothing. */
  readonly annotations?: readonly string[]
  /** Results whose files the disk rejected. */
  readonly unwritten?: readonly Unwritten[]
  /** Default: 0, as nothing was judged. */
  readonly exitCodes?: readonly number[]
}

/** Without colours: they fit the terminal of stdout alone. */
const plain = (_: unknown, text: string): string => text

/** Prints an account, and returns the exit code. With `json`, stdout is for JSON alone. */
export async function conclude(
  { parts, json, pages = [], annotations, unwritten = [], exitCodes = [EXIT.ok] }: Account,
  wanted: { readonly json?: unknown; readonly open?: unknown },
): Promise<number> {
  if (annotations !== undefined)
    reportToGithub(parts.map(({ document }) => renderMarkdown(document)).join('\n'), annotations)
  for (const { document, footer } of parts) {
    const text = renderTerminal(document, { paint: wanted.json === true ? plain : paint, footer }).join('\n')
    if (wanted.json === true) say(text)
    else await print(text)
  }
  if (wanted.json === true) await printJson(json)
  for (const { unwritten: reason, shown } of unwritten)
    if (reason !== null) sayUnwritten(shown.folder, reason)
  if (wanted.open === true) await openPages(pages)
  // A program that reads stdout gets half of it.
  const isCut = wanted.json === true && isOutputLost()
  return worstExitCode(isCut ? [...exitCodes, EXIT.incomplete] : exitCodes)
}

/** Of a run for each target, a resume, a report, a merge. */
export function accountOfRuns(results: readonly RunResult[]): Account {
  const summaries = results.map(({ summary }) => summary)
  return {
    parts: results.map((result) => ({ document: result.shown.document, footer: footerOf(result) })),
    json: summaries.length > 1 ? summaries : summaries[0],
    pages: results.map(pageOf),
    annotations: annotate(results.map(({ shown }) => shown.annotations)),
    unwritten: results,
    exitCodes: results.map(({ exitCode }) => exitCode),
  }
}

const pageOf = ({ shown }: Pick<RunResult | LoadResult, 'shown'>): string => runFolder(shown.folder).page

/** The page, and the command that comes next. */
function footerOf(result: RunResult): string[] {
  const { summary, shown, resume } = result
  const parts = Array.from({ length: summary.shard?.of ?? 0 }, (_, place) =>
    place + 1 === summary.shard?.index ? shellWord(shown.folder) : `<shard ${place + 1}>`,
  )
  return [
    ...(result.unwritten === null ? [pageOf(result)] : []),
    ...(parts.length === 0 ? [] : [`Merge: npx assist-harness merge ${parts.join(' ')}`]),
    ...(resume === null ? [] : [`Resume: ${commandLine('run', resume)}`]),
  ]
}

export const accountOfComparison = (result: CompareResult): Account => ({
  parts: result.documents.map((document, place) => ({
    document,
    footer: [result.pages[place] ?? '', result.tables[place] ?? ''],
  })),
  json: result.comparison,
  pages: result.pages,
  annotations: [],
  exitCodes: [result.exitCode],
})

/** Of a load test, or a search for the limit, which has no page. */
export function accountOfLoad(results: readonly (LoadResult | LimitResult)[]): Account {
  const fileOf = (result: LoadResult | LimitResult): string =>
    result.kind === 'load' ? pageOf(result) : runFolder(result.shown.folder).limit
  return {
    parts: results.map((result) => ({
      document: result.shown.document,
      footer: result.unwritten === null ? [fileOf(result)] : [],
    })),
    json: results[0]?.report,
    pages: results.flatMap((result) => (result.kind === 'load' ? [pageOf(result)] : [])),
    annotations: [],
    unwritten: results,
    exitCodes: results.map(({ exitCode }) => exitCode),
  }
}
