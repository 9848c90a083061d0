// Files that the package ships. Bundled files have the same depth in the folder tree as this one.
import { existsSync, readFileSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const FOLDER = 'datasets'
export const SHIPPED_KNOWLEDGE_BASE = join(packageFile(FOLDER), 'knowledge-base')
export const SHIPPED_QUESTIONS = join(packageFile(FOLDER), 'quickstart.csv')

export const VERSION = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string })
  .version

/** Replaces a path below `datasets` that exists only in the package by the package's file. */
export function resolveShipped(path: string, note: (text: string) => void): string {
  const [first, ...rest] = normalize(path).split(sep)
  const shipped = join(packageFile(FOLDER), ...rest)
  if (first !== FOLDER || existsSync(path) || !existsSync(shipped)) return path
  note(`${path} does not exist here: the one in the package is used`)
  return shipped
}
