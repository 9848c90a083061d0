// From which knowledge base the sandbox answers where none is named: this folder's own, or the one that the package ships.
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { visible } from '../report/visible.ts'
import { say } from './output.ts'
import { SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { UsageError } from './usage-error.ts'

/** Where the articles of a folder stand. */
const HERE = join('datasets', 'knowledge-base')

/**
 * Absolute, for `startSandbox`; whoever is not answered by the package's own articles is told so. Throws UsageError where this
 * folder's cannot be read: other articles than those that are edited would answer, unnoticed.
 */
export async function knowledgeBaseHere(): Promise<string> {
  const real = realPath(HERE)
  if (real === undefined || real === realPath(SHIPPED_KNOWLEDGE_BASE)) return SHIPPED_KNOWLEDGE_BASE
  const count = await countArticles(
    HERE,
    'mend it, or give the folder another name to have the articles that come with assist-harness',
  )
  say(
    count === 0
      ? `Note: ${HERE} of this folder holds no article; the sandbox answers from those that come with assist-harness`
      : `Note: the sandbox answers from ${HERE} of this folder`,
  )
  return count === 0 ? SHIPPED_KNOWLEDGE_BASE : resolve(HERE)
}

/** Of a run that goes on: `path` is where it was begun with. Throws UsageError where the articles are not there any more. */
export async function knowledgeBaseAsBefore(path: string): Promise<string> {
  const mend = 'put it back, or start a new run'
  if ((await countArticles(path, mend)) === 0)
    throw new UsageError(
      `the sandbox of this run answered from ${visible(path)}, which holds no article now: ${mend}; nothing was sent`,
    )
  say(`Note: the sandbox answers from ${visible(path)}, as before`)
  return resolve(path)
}

async function countArticles(path: string, mend: string): Promise<number> {
  const { loadKnowledgeBase } = await import('../sandbox/knowledge/load.ts')
  try {
    return (await loadKnowledgeBase(path)).length
  } catch (error) {
    throw new UsageError(
      `the sandbox cannot answer from ${visible(path)} (${visible(error instanceof Error ? error.message : 'unknown')}): ${mend}`,
    )
  }
}

/** Undefined where nothing is there; one that cannot be followed is told by whoever reads it. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return isMissing ? undefined : path
  }
}
