// A report page rendered from the current sources and bundled as the build does it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { PAGE_BUNDLE } from '../../src/build/page.ts'
import type { TurnArticles } from '../../src/domain/articles.ts'
import type { PageTurn } from '../../src/domain/conversations.ts'
import { renderPage, type PageAssets } from '../../src/page/render.tsx'
import type { Document } from '../../src/report/document.ts'
import { projectRoot } from './program.ts'

let bundled: PageAssets | undefined

export function pageAssets(): PageAssets {
  if (bundled !== undefined) return bundled
  const { outputFiles } = buildSync({ ...PAGE_BUNDLE, absWorkingDir: projectRoot, write: false })
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  bundled = { script: textOf('.js'), style: textOf('.css') }
  return bundled
}

export const CHANGES = [{ name: 'lost', label: 'lost grounding', tone: 'bad' }]

export const pageText = (document: Document, turns: Iterable<PageTurn>): string =>
  [
    ...renderPage({
      document,
      conversations: { contents: { runId: 'run-1', name: 'nightly', changes: CHANGES }, turns },
      assets: pageAssets(),
    }),
  ].join('')

/** Returns the file URL of the page. */
export function writePage(
  folder: string,
  name: string,
  document: Document,
  turns: Iterable<PageTurn>,
): string {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, pageText(document, turns))
  return `file://${path}`
}

/** The turns in a page's data blocks. */
export const turnsOfPage = (html: string): PageTurn[] =>
  [...html.matchAll(/<script type="application\/octet-stream" id="turns-\d+">([^<]*)</g)].flatMap(
    ([, packed = '']) => JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as PageTurn[],
  )

/** A conversation of its own, unless `more` says otherwise. */
export const pageTurn = (more: Partial<PageTurn> = {}): PageTurn => ({
  id: 'q1',
  file: 0,
  thread: more.id ?? 'q1',
  turn: 1,
  repeat: 1,
  message: 'How do I set up the VPN?',
  tags: ['vpn'],
  mustPass: false,
  cells: {},
  answer: 'Install it from the portal.',
  source: 'KNOWLEDGE_BASE',
  status: 'success',
  grounded: true,
  outcome: 'answered',
  error: null,
  passed: null,
  checks: [],
  latencyMs: 120,
  waitMs: 0,
  attempts: 1,
  rateLimited: 0,
  contextLost: false,
  article: null,
  articles: null,
  flaky: false,
  review: null,
  reviewedBefore: null,
  change: null,
  ...more,
})

type Change = NonNullable<PageTurn['change']>
export const pageChange = (kinds: Change['kinds'], more: Partial<Change> = {}): Change => ({
  kinds,
  edited: null,
  answer: null,
  source: 'MODEL',
  outcome: 'answered',
  factsLost: [],
  factsGained: [],
  ...more,
})

type Held = Extract<TurnArticles, { readonly kind: 'answer' }>
/** An answer held against articles, with a fact that no article has. */
export const heldAnswer = (more: Partial<Held> = {}): Held => ({
  kind: 'answer',
  source: null,
  misfit: null,
  checked: 1,
  doubtful: [unsupported('9 h', 0)],
  held: [],
  ...more,
})

export const unsupported = (text: string, start: number): Held['doubtful'][number] => ({
  kind: 'unsupported',
  text,
  start,
  end: start + text.length,
  sentence: '',
  instead: null,
  at: null,
})
