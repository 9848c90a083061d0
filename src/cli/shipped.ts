// What the package ships, and where it keeps it. Every file of the build lies as deep as this one.
import { existsSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = 'datasets'
const datasets = fileURLToPath(new URL(`../../${FOLDER}`, import.meta.url))

export const SHIPPED_KNOWLEDGE_BASE = join(datasets, 'knowledge-base')
export const SHIPPED_QUESTIONS = join(datasets, 'quickstart.csv')

/**
 * The path itself; where there is no such file here, and the package ships one of that name, the path of that: so what the
 * README says holds in any folder. `say` is told so.
 */
export function orShipped(path: string, say: (note: string) => void): string {
  const parts = normalize(path).split(sep)
  if (parts[0] !== FOLDER || existsSync(path)) return path
  const own = join(datasets, ...parts.slice(1))
  if (!existsSync(own)) return path
  say(`Note: there is no ${path} here; the one that comes with assist-harness is taken`)
  return own
}
