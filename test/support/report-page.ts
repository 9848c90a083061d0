// The report page as one file, made from today's sources: bundled as the build does it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { PAGE_BUNDLE } from '../../src/build/page.ts'
import { html } from '../../src/report/page/html.ts'
import { renderPage, type PageInput } from '../../src/report/page/page.ts'
import type { PageAssets } from '../../src/report/page/policy.ts'
import { projectRoot } from './program.ts'

export function bundlePage(): PageAssets {
  const { outputFiles } = buildSync({
    ...PAGE_BUNDLE,
    absWorkingDir: projectRoot,
    write: false,
  })
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { script: textOf('.js'), style: textOf('.css') }
}

let bundled: PageAssets | undefined

export function pageText(input: Pick<PageInput, 'turns'> & Partial<PageInput>): string {
  bundled ??= bundlePage()
  const page = renderPage({
    title: 'Nightly run',
    overview: html`<section>
      <h2>Overview</h2>
      <p>Three of four questions.</p>
    </section>`,
    kind: 'run',
    names: { candidate: 'nightly-11' },
    runs: ['run-11'],
    table: 'results.csv',
    assets: bundled,
    ...input,
  })
  return [...page].join('')
}

/** Returns the page's address on this machine. */
export function writePage(
  folder: string,
  name: string,
  input: Pick<PageInput, 'turns'> & Partial<PageInput>,
): string {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, pageText(input))
  return `file://${path}`
}
