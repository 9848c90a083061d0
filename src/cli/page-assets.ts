// The pages' own scripts and styles, beside the built program.
import { existsSync, readFileSync } from 'node:fs'
import type { PageAssets } from '../report/page/policy.ts'

/** From the package; or from its last build, where the sources are run as they are. */
const FOLDERS = ['../page/', '../../dist/page/'].map((path) => new URL(path, import.meta.url))

const known = new Map<string, PageAssets>()

export const pageAssets = (): PageAssets => assetsOf('page')

/** Of `history.html`. */
export const historyAssets = (): PageAssets => assetsOf('history')

function assetsOf(name: 'page' | 'history'): PageAssets {
  const assets = known.get(name) ?? readAssets(name)
  known.set(name, assets)
  return assets
}

function readAssets(name: string): PageAssets {
  const folder = FOLDERS.find((one) => existsSync(new URL(`${name}.js`, one)))
  if (folder === undefined) throw new Error('the report page was not built; run npm run build')
  const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
  return { script: read(`${name}.js`), style: read(`${name}.css`) }
}
