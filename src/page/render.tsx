// `report.html`: a document and all conversations in one file, rendered when the report is written. It reads
// and prints without JavaScript.
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { renderToString } from 'preact-render-to-string'
import { CONTENTS_ID, DOCUMENT_ID, turnBlockId, type PageContents, type PageData } from './store.ts'
import { type NamedSection, sectionsOf } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { MARKS, type Document } from '../report/document.ts'
import { ReportApp } from './app.tsx'
import { ChartView } from './charts.tsx'
import { ChartContext } from './blocks.tsx'
import { titleText } from './text.tsx'

export interface PageAssets {
  readonly script: string
  readonly style: string
}

export interface PageInput {
  readonly document: Document
  /** A report may have no conversations. Turns are read once, in the order of the set. */
  readonly conversations?: {
    readonly contents: Omit<PageContents, 'blocks' | 'sections'>
    /** The text of a section of an article; undefined for one that is gone. */
    readonly textOf?: ((section: NamedSection) => string | undefined) | undefined
    readonly turns: Iterable<PageTurn>
  }
  readonly assets: PageAssets
}

const TURNS_A_BLOCK = 500

/** Yields the file's text in pieces. esbuild escapes `</script>` and `</style>` within script and style. */
export function* renderPage({ document, conversations, assets }: PageInput): Generator<string> {
  yield '<!doctype html>\n<html lang="en">\n'
  const head = renderToString(<Head document={document} policy={policyOf(assets)} />)
  yield head.replace('</head>', () => `<style>${assets.style}</style></head>\n<body>\n`)
  const app = (
    <ChartContext.Provider value={ChartView}>
      <ReportApp document={document} />
    </ChartContext.Provider>
  )
  yield `<div id="app">${renderToString(app)}</div>`
  if (conversations !== undefined) yield* renderTurns(conversations)
  yield block(DOCUMENT_ID, pack(document))
  yield `\n<script>${assets.script}</script>\n</body>\n</html>\n`
}

const Head = ({ document: { title, verdict }, policy }: { document: Document; policy: string }) => (
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content={policy} />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>{`${MARKS[verdict.tone]} ${verdict.word} · ${titleText(title)}`}</title>
    <link rel="icon" href="data:," />
  </head>
)

/** Allows the page's own script and style by their hashes, and the empty icon; nothing else. */
const policyOf = ({ script, style }: PageAssets): string =>
  [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Holds one block at a time. */
function* renderTurns({
  contents,
  textOf,
  turns,
}: NonNullable<PageInput['conversations']>): Generator<string> {
  let blocks = 0
  let turnsOfBlock: PageTurn[] = []
  const end = (): string => {
    const packed = pack(turnsOfBlock)
    turnsOfBlock = []
    blocks += 1
    return block(turnBlockId(blocks - 1), packed)
  }
  const sections = new Map<string, PageContents['sections'][number]>()
  for (const turn of turns) {
    for (const { article, section, ...named } of sectionsOf(turn.articles)) {
      const key = JSON.stringify([article, section])
      const text = sections.has(key) ? undefined : textOf?.({ article, section, ...named })
      if (text !== undefined) sections.set(key, { article, section, text: text.slice(0, MAX_SECTION) })
    }
    turnsOfBlock.push(turn)
    if (turnsOfBlock.length === TURNS_A_BLOCK) yield end()
  }
  if (turnsOfBlock.length > 0) yield end()
  const whole: PageContents = { ...contents, blocks, sections: [...sections.values()] }
  yield `\n<script type="application/json" id="${CONTENTS_ID}">${jsonOf(whole)}</script>`
}

/** A section is read beside an answer, not in whole books. */
const MAX_SECTION = 4000

const pack = (value: unknown): string => gzipSync(JSON.stringify(value), { level: 6 }).toString('base64')

const block = (id: string, packed: string): string =>
  `\n<script type="application/octet-stream" id="${id}">${packed}</script>`

/** A text without `<` cannot end its element. */
const jsonOf = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

/** Reads a page as data; undefined for any other file, and for a page of an older version. */
export function readPage(html: string): PageData | undefined {
  const document = dataOf(html, DOCUMENT_ID)
  if (document === undefined) return undefined
  const contents = dataOf(html, CONTENTS_ID)
  const found = contents === undefined ? null : (JSON.parse(contents) as PageContents)
  return {
    document: JSON.parse(gunzipSync(Buffer.from(document, 'base64')).toString()) as Document,
    contents: found,
    turns: Array.from({ length: found?.blocks ?? 0 }, (_, index) => dataOf(html, turnBlockId(index)) ?? ''),
  }
}

function dataOf(html: string, id: string): string | undefined {
  // No data has a `<`.
  const mark = ` id="${id}">`
  const start = html.lastIndexOf(mark)
  return start === -1 ? undefined : html.slice(start + mark.length, html.indexOf('<', start + mark.length))
}
