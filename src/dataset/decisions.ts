// Reads `decisions.csv`: what people decided about questions, a row each.
import type { Decision } from '../domain/articles.ts'
import { findHeaders, QUESTION_HEADERS } from './columns.ts'
import { collectMessages, excerptList, type Fault } from './messages.ts'
import { openTable, recordsOf } from './table.ts'

/** Names stand in order of preference. */
const NAMES = {
  id: ['id', 'question id'],
  message: QUESTION_HEADERS,
  article: ['article'],
  by: ['by', 'reviewer'],
  at: ['at', 'reviewed_at'],
}

/**
 * Reads tables as one, the last of which counts most: a row without an article takes back those before it.
 * A file that cannot be read is a fault.
 */
export async function readDecisions(...paths: readonly string[]) {
  const decisions = new Map<string, Decision>()
  const faults: Fault[] = []
  for (const path of paths) faults.push(...(await addDecisions(path, decisions)))
  return { decisions: [...decisions.values()], faults }
}

async function addDecisions(path: string, decisions: Map<string, Decision>): Promise<readonly Fault[]> {
  const messages = collectMessages(path)
  const table = await openTable(path, messages, { isDefused: () => true })
  if (table === undefined) return messages.faults()
  const { header } = table
  const columns = findHeaders(header.names, NAMES)
  if (!columns.has('article') || !(columns.has('id') || columns.has('message'))) {
    const needed = 'decisions need the columns "article", and "id" or "message"'
    const message = `${needed} (found: ${excerptList(header.cells)}); rename the columns`
    messages.fail({ line: header.line, message })
    return messages.faults()
  }
  for await (const { cell } of recordsOf(table, columns)) {
    const [id, message, article] = [cell('id'), cell('message'), cell('article')]
    if (id === '' && message === '') continue
    const key = JSON.stringify([id, message])
    decisions.delete(key)
    if (article === '') {
      for (const [earlier, decision] of decisions)
        if (isSame(decision.id, id) && isSame(decision.message, message)) decisions.delete(earlier)
      continue
    }
    const [by, at] = [cell('by') || null, cell('at') || null]
    decisions.set(key, { id, message, article: article.toLowerCase() === 'none' ? null : article, by, at })
  }
  return messages.faults()
}

/** A table of people's own may have ids or texts alone. */
const isSame = (some: string, other: string): boolean => some === '' || other === '' || some === other
