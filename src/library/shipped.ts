// Files that the package ships. Files of the build are as deep in the folder tree as this one.
import { existsSync, readFileSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageAssets } from '../page/render.tsx'

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const FOLDER = 'datasets'
export const SHIPPED_KNOWLEDGE_BASE = join(root(FOLDER), 'knowledge-base')
export const SHIPPED_QUESTIONS = join(root(FOLDER), 'quickstart.csv')

export const VERSION = (JSON.parse(readFileSync(root('package.json'), 'utf8')) as { version: string }).version

/** A path below `datasets` that does not exist here, but in the package, means the package's file. */
export function resolveShipped(path: string, note: (text: string) => void): string {
  const [first, ...rest] = normalize(path).split(sep)
  const own = join(root(FOLDER), ...rest)
  if (first !== FOLDER || existsSync(path) || !existsSync(own)) return path
  note(`${path} does not exist here: the one in the package is used`)
  return own
}

/** Script and style of the report page. */
export function pageAssets(): PageAssets {
  const read = (file: string): string => {
    const path = join(root('dist/page'), file)
    if (!existsSync(path)) throw new Error('the report page was not built; run npm run build')
    return readFileSync(path, 'utf8')
  }
  return { script: read('main.js'), style: read('page.css') }
}
