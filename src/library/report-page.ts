// Writes a report page: a document, and with it the conversations that the page can search.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageTurn } from '../domain/conversations.ts'
import { renderPage, type PageAssets } from '../page/render.tsx'
import { pageChanges } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { writePieces } from './files.ts'
import { packageFile } from './shipped.ts'

interface Conversations {
  readonly runId: string
  /** Downloads are named after it. */
  readonly name: string
  /** In the order of the set. */
  readonly turns: Iterable<PageTurn>
}

export async function writePage(path: string, document: Document, shown?: Conversations): Promise<void> {
  const { runId = '', name = '', turns = [] } = shown ?? {}
  const conversations = shown && { contents: { runId, name, changes: pageChanges }, turns }
  await writePieces(
    path,
    renderPage({ document, assets: pageAssets(), ...(conversations && { conversations }) }),
  )
}

/** Script and style of the report page. */
function pageAssets(): PageAssets {
  const read = (file: string): string => {
    const path = join(packageFile('dist/page'), file)
    if (!existsSync(path)) throw new Error('the report page was not built; run npm run build')
    return readFileSync(path, 'utf8')
  }
  return { script: read('main.js'), style: read('page.css') }
}
