// The account of each command: its document on the screen, where the files are, and what to do next; a summary for GitHub.
import type { CompareResult } from '../library/compare.ts'
import type { RunResult } from '../library/conclude.ts'
import type { LimitResult, LoadResult } from '../library/load.ts'
import { runFolder } from '../library/run-folder.ts'
import type { Document } from '../report/document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { shellWord } from '../report/escape.ts'
import { renderTerminal } from '../report/terminal.ts'
import { account, paint, reportToGithub } from './output.ts'

/** To stdout; where stdout is for JSON alone, beside the notes. */
export const show = async (document: Document, footer: readonly string[], json: boolean): Promise<void> =>
  account(renderTerminal(document, { paint, footer }), json)

/** Of a run, a resume, a report, a merge. */
export async function showRun(result: RunResult, json: boolean): Promise<void> {
  const { summary, shown, resume } = result
  const { document, annotations } = shown
  const folder = runFolder(shown.folder)
  reportToGithub(renderMarkdown(document), annotations)
  const parts = Array.from({ length: summary.shard?.of ?? 0 }, (_, place) =>
    place + 1 === summary.shard?.index ? shellWord(folder.path) : `<shard ${place + 1}>`,
  )
  await show(
    document,
    [
      folder.page,
      ...(parts.length === 0 ? [] : [`Merge: npx assist-harness merge ${parts.join(' ')}`]),
      ...(resume === null ? [] : [`Resume: npx assist-harness run ${resume.map(shellWordOf).join(' ')}`]),
    ],
    json,
  )
}

/** Options stay as they are. */
const shellWordOf = (word: string): string => (word.startsWith('--') ? word : shellWord(word))

export async function showComparison(result: CompareResult, json: boolean): Promise<void> {
  const { documents, pages, tables } = result
  reportToGithub(documents.map(renderMarkdown).join('\n'), [])
  for (const [place, document] of documents.entries())
    await show(document, [pages[place] ?? '', tables[place] ?? ''], json)
}

/** Of a load test, or a search for the limit. */
export async function showLoad(result: LoadResult | LimitResult, json: boolean): Promise<void> {
  const folder = runFolder(result.shown.folder)
  const { document } = result.shown
  reportToGithub(renderMarkdown(document), [])
  await show(document, [result.kind === 'load' ? folder.page : folder.limit], json)
}
