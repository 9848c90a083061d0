// `report.html`: the first screen, every conversation, and the code that shows them, as one file without a request.
import { WORDS_ID } from '../../domain/page-data.ts'
import { ENGLISH, type PageWords } from '../../domain/page-words.ts'
import type { PageTurn } from '../../domain/page.ts'
import { jsonElement, renderBlocks, type PackedTurns, type PageAbout } from './blocks.ts'
import { escapeHtml, html, SafeHtml } from './html.ts'
import { pagePolicy, type PageAssets } from './policy.ts'
import type { PageLimits } from './what-fits.ts'

export interface PageInput {
  readonly title: string
  /** The first screen: sections that stand below the page's heading. No inline style: the policy forbids it. */
  readonly overview: SafeHtml
  /** In the order of the set; read once. Those packed before were packed with the same kind and names. */
  readonly turns: Iterable<PageTurn> | PackedTurns
  readonly kind: 'run' | 'comparison'
  /** Of the runs; a run with a baseline has both, too. */
  readonly names: { readonly baseline?: string; readonly candidate: string }
  /** Of the runs, candidate last. */
  readonly runs: readonly string[]
  /** The CSV file beside the page, which has every question. */
  readonly table: string
  readonly assets: PageAssets
  readonly words?: PageWords
  readonly limits?: PageLimits
}

export const aboutPage = ({ kind, names, runs }: Pick<PageInput, 'kind' | 'names' | 'runs'>): PageAbout => ({
  kind,
  names: { baseline: names.baseline ?? null, candidate: names.candidate },
  runs,
})

/** The file's text in pieces; turns are read as they are written. */
export function* renderPage({
  title,
  overview,
  turns,
  kind,
  names,
  runs,
  table,
  assets,
  words: given = ENGLISH,
  limits,
}: PageInput): Generator<string> {
  const words = namingTables(given, kind, table)
  const { language, direction } = words
  yield `<!doctype html>\n<html lang="${escapeHtml(language)}" dir="${direction}">\n${head(title, assets).toString()}\n<body>\n`
  yield `${content(title, overview, words).toString()}\n`
  yield jsonElement(WORDS_ID, words)
  if ('pieces' in turns) yield* turns.pieces
  else yield* renderBlocks(turns, aboutPage({ kind, names, runs }), limits)
  yield `<script>${assets.script}</script>\n</body>\n</html>\n`
}

/** A page that is its overview alone: it has no conversations, and runs no script. */
export function* renderOverviewPage({
  title,
  overview,
  assets: { style },
  words = ENGLISH,
}: Pick<PageInput, 'title' | 'overview' | 'assets' | 'words'>): Generator<string> {
  const { language, direction } = words
  yield `<!doctype html>\n<html lang="${escapeHtml(language)}" dir="${direction}">\n${head(title, { style, script: '' }).toString()}\n<body>\n`
  yield html`<header class="top"><h1 dir="auto">${title}</h1></header>
    <main>${overview}</main>`.toString()
  yield '\n</body>\n</html>\n'
}

/** The words that send a reader to a CSV file say its name. */
function namingTables(words: PageWords, kind: PageInput['kind'], table: string): PageWords {
  const name = (text: string): string => text.replaceAll('{table}', () => table)
  return {
    ...words,
    noScript: name(words.noScript),
    broken: name(words.broken),
    leftOutOrdinary: name(words.leftOutOrdinary),
    leftOutMattering: name(words.leftOutMattering),
    // That of a run with a baseline is always called so.
    downloadHintChanges: words.downloadHintChanges.replace('{comparison}', () =>
      kind === 'comparison' ? table : 'comparison.csv',
    ),
  }
}

/** Our own style, not a text: its hash stands in the policy. */
const head = (title: string, assets: PageAssets): SafeHtml =>
  html`<head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${pagePolicy(assets)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${SafeHtml.of(`<style>${assets.style}</style>`)}
  </head>`

const content = (title: string, overview: SafeHtml, words: PageWords): SafeHtml =>
  html`<a class="skip" href="#conversations-heading">${words.skip}</a>
    <header class="top"><h1 dir="auto">${title}</h1></header>
    <main>
      ${overview}
      <section id="conversations" aria-labelledby="conversations-heading">
        <h2 id="conversations-heading" tabindex="-1">${words.conversations}</h2>
        <noscript><p>${words.noScript}</p></noscript>
        <div id="app"></div>
      </section>
    </main>`
