// The report page's own script and style, beside the built program.
import { existsSync, readFileSync } from 'node:fs'
import type { PageAssets } from '../report/page/policy.ts'

/** From the package; or from its last build, where the sources are run as they are. */
const FOLDERS = ['../page/', '../../dist/page/'].map((path) => new URL(path, import.meta.url))

let known: PageAssets | undefined

export function pageAssets(): PageAssets {
  known ??= readAssets()
  return known
}

function readAssets(): PageAssets {
  const folder = FOLDERS.find((one) => existsSync(new URL('page.js', one)))
  if (folder === undefined) throw new Error('the report page was not built; run npm run build')
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
  return { script: read('page.js'), style: read('page.css') }
}
