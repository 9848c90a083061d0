// Reads `decisions.csv`: what people decided about questions, a row each.
import type { Decision } from '../domain/articles.ts'
import { COLUMNS, findHeaders } from './columns.ts'
import { undoDefusing } from './layout.ts'
import { collectMessages, excerptList, type Fault } from './messages.ts'
import type { TableRecord } from './records.ts'
import { readTable } from './table.ts'

/** Accepted names, in order of preference. */
const NAMES = {
  id: ['id', 'question id'],
  message: ['message', ...COLUMNS.message],
  article: ['article'],
  by: ['by', 'reviewer'],
  at: ['at', 'reviewed_at'],
}
const NONE = 'none'

/** In the order of the rows. One without an article takes back those before it. A file that cannot be read is a fault. */
export async function readDecisions(
  path: string,
): Promise<{ readonly decisions: readonly Decision[]; readonly faults: readonly Fault[] }> {
  const messages = collectMessages(path)
  let decisions: Decision[] = []
  await readTable(path, messages, ({ cells: header, line }: TableRecord) => {
    const columns = findHeaders(header.map(undoDefusing), NAMES)
    if (!columns.has('article') || !(columns.has('id') || columns.has('message'))) {
      const needed = 'decisions need the columns "article", and "id" or "message"'
      messages.fail({ line, message: `${needed} (found: ${excerptList(header)}); rename the columns` })
      return undefined
    }
    return ({ cells }) => {
      const cell = (name: keyof typeof NAMES): string =>
        undoDefusing(cells[columns.get(name) ?? -1] ?? '').trim()
      const [id, message, article] = [cell('id'), cell('message'), cell('article')]
      if (id === '' && message === '') return
      decisions = decisions.filter((one) => one.id !== id || one.message !== message)
      if (article === '') return
      const isNone = article.toLowerCase() === NONE
      const [by, at] = [cell('by') || null, cell('at') || null]
      decisions.push({ id, message, article: isNone ? null : article, by, at })
    }
  })
  return { decisions, faults: messages.faults() }
}
