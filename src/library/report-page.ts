// The report page: a document, and with it the conversations that the page can search.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageTurn } from '../domain/conversations.ts'
import { renderPage } from '../page/render.tsx'
import { pageChanges } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { packageFile } from './shipped.ts'

interface Conversations {
  readonly runId: string
  /** Downloads are named after it. */
  readonly name: string
  /** In the order of the set. */
  readonly turns: Iterable<PageTurn>
}

/** The text in pieces. */
export function pageOf(document: Document, shown?: Conversations): Iterable<string> {
  const assets = { script: asset('main.js'), style: asset('page.css') }
  if (shown === undefined) return renderPage({ document, assets })
  const { runId, name, turns } = shown
  return renderPage({
    document,
    assets,
    conversations: { contents: { runId, name, changes: pageChanges }, turns },
  })
}

function asset(file: string): string {
  const path = join(packageFile('dist/page'), file)
  if (!existsSync(path)) throw new Error('the report page was not built; run npm run build')
  return readFileSync(path, 'utf8')
}
