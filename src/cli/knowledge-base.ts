// From which articles the sandbox of a run answers: `--kb`, those the run was begun with, or those that the package ships.
import { resolve } from 'node:path'
import { visible } from '../report/visible.ts'
import { say } from './output.ts'
import { orShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { UsageError } from '../library/usage-error.ts'

/** `--kb`, as an absolute path. Throws UsageError where the folder cannot be read or holds no article. */
export async function knowledgeBaseAt(kb: string | undefined): Promise<string> {
  if (kb === undefined) return SHIPPED_KNOWLEDGE_BASE
  const path = orShipped(kb, say)
  await checkArticles(path, `--kb ${visible(kb)}`, 'name a folder of Markdown articles')
  return resolve(path)
}

/** Of a run that resumes: `path` is where it was begun with. Throws UsageError where the articles are not there any more. */
export async function knowledgeBaseAsBefore(path: string): Promise<string> {
  await checkArticles(path, `the run answered from ${visible(path)}`, 'put it back, or start a new run')
  say(`Note: the sandbox answers from ${visible(path)}, as before`)
  return resolve(path)
}

async function checkArticles(path: string, where: string, fix: string): Promise<void> {
  const { loadKnowledgeBase } = await import('../sandbox/knowledge/articles.ts')
  const count = await loadKnowledgeBase(path).then(
    ({ length }) => length,
    (error: unknown) => {
      throw new UsageError(`${where}: ${visible(error instanceof Error ? error.message : 'unknown')}; ${fix}`)
    },
  )
  if (count === 0) throw new UsageError(`${where}: the folder holds no article (*.md); ${fix}`)
}
