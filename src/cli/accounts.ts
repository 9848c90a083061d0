// The account of each command: its documents, where the files are, what to do next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CompareResult, Ended, LimitResult, LoadResult, RunResult, Summary } from '../library/index.ts'
import { messageOf } from '../options/faults.ts'
import { annotate, type Annotation } from '../report/annotations.ts'
import type { Document } from '../report/document.ts'
import { shellWord } from '../report/escape.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderTerminal, type TerminalOptions } from '../report/terminal.ts'
import { runFolder } from '../store/folder.ts'
import { EXIT, sayUnwritten, type Screen, worstExitCode } from './screen.ts'

export interface CommandAccount {
  readonly parts: readonly (TerminalOptions & { readonly document: Document })[]
  readonly json: unknown
  readonly pages?: readonly string[]
  /** Go to the log of a CI job, and the documents to its page; commands that judge nothing have none. */
  readonly annotations?: readonly Annotation[]
  readonly unwritten?: readonly Ended[]
  readonly exitCodes?: readonly number[]
}

/** Prints the account and returns the exit code. With `json`, stdout is for JSON alone. */
export async function conclude(
  { parts, json, pages = [], annotations, unwritten = [], exitCodes = [EXIT.ok] }: CommandAccount,
  wanted: { readonly json?: unknown; readonly open?: unknown },
  screen: Screen,
): Promise<number> {
  if (annotations !== undefined) {
    screen.summarise(parts.map(({ document }) => renderMarkdown(document, true)).join('\n'))
    screen.annotate(annotations)
  }
  const isJson = wanted.json === true
  // Colours fit the terminal of stdout alone.
  const paint = isJson ? {} : { paint: screen.paint.bind(screen) }
  for (const { document, ...options } of parts) {
    const text = renderTerminal(document, { ...paint, ...options }).join('\n')
    if (isJson) screen.say(text)
    else await screen.print(text)
  }
  if (isJson) await screen.printJson(json)
  for (const { unwritten: reason, path } of unwritten) if (reason !== null) sayUnwritten(path, reason, screen)
  if (wanted.open === true) for (const page of pages) await openInBrowser(resolve(page), page, screen)
  // A program that reads stdout gets half of it.
  const isCut = isJson && screen.isOutputLost
  return worstExitCode(isCut ? [...exitCodes, EXIT.incomplete] : exitCodes)
}

export type Result = RunResult | LoadResult | LimitResult | CompareResult

export function accountOf(results: readonly Result[]): CommandAccount {
  const contents = results.map((result) =>
    result.kind === 'run' ? result.summary : result.kind === 'comparison' ? result.comparison : result.report,
  )
  return {
    parts: results.map((result) => ({ document: result.document, footer: footerOf(result) })),
    json: contents.length > 1 ? contents : contents[0],
    pages: results.flatMap(({ kind, path }) => (kind === 'limit' ? [] : [runFolder(path).page])),
    annotations: annotate(results.flatMap((result) => (result.kind === 'run' ? [result.annotations] : []))),
    unwritten: results,
    exitCodes: results.map(({ exitCode }) => exitCode),
  }
}

function footerOf(result: Result): string[] {
  const { kind, path, unwritten } = result
  const { page, limit, workbook } = runFolder(path)
  const files = {
    run: [page, workbook],
    load: [page],
    limit: [limit],
    comparison: [page, join(path, 'comparison.csv'), workbook],
  }
  const written = files[kind].filter((file) => file !== workbook || existsSync(file))
  const { shard, verdict } = kind === 'run' ? result.summary : {}
  return [
    ...(unwritten === null ? written : []),
    // First a shard is finished: one whose process died cannot be merged.
    ...(shard === undefined || verdict === 'incomplete' ? [] : [mergeLine(shard, path)]),
  ]
}

function mergeLine(shard: NonNullable<Summary['shard']>, folder: string): string {
  const folders = Array.from({ length: shard.of }, (_, index) =>
    index + 1 === shard.index ? shellWord(folder) : `<shard ${index + 1}>`,
  )
  return `Merge: npx assist-harness merge ${folders.join(' ')}`
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page or an address, and does not wait for the opener, which may become the browser itself. */
export async function openInBrowser(what: string, name: string, screen: Screen): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, what], { stdio: 'ignore', detached: true })
  child.unref()
  await once(child, 'spawn').catch((error: unknown) =>
    screen.note(`${name} cannot be opened here (${messageOf(error)})`),
  )
}
