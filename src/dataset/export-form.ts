// Undoes what export tools do to a table, for every reader: a column for each value, tags as lists.
import { columnKey, findColumn } from './columns.ts'

/** Gives the header with each column once, and writes rows in its form. */
export function exportForm(written: readonly string[]) {
  const keys = written.map(columnKey)
  const isZendesk = keys.includes('requester') && keys.some((key) => ZENDESK.has(key))
  const columns = new Map<string, { readonly isTags: boolean; readonly indexes: number[] }>()
  for (const [index, name] of written.entries()) {
    const own = findColumn(name)?.name
    const isTags = own === 'tags' || TAGS.has(keys[index] ?? '')
    // Two questions, or two checks of promptfoo, are a fault; a set joins its own tags.
    const mayRepeat = name.trim() !== '' && !name.trim().startsWith('__') && own === undefined
    const key = mayRepeat ? `name ${keys[index]}` : `index ${index}`
    const known = columns.get(key)
    if (known === undefined) columns.set(key, { isTags, indexes: [index] })
    else known.indexes.push(index)
  }
  const all = [...columns.values()]
  if (all.length === written.length && !all.some(({ isTags }) => isTags))
    return { header: written, formed: (cells: readonly string[]) => cells }
  const formed = (cells: readonly string[]): readonly string[] =>
    all.map(({ isTags, indexes: [index = -1, ...others] }) => {
      const more = others.flatMap((other) => cells[other]?.trim() || [])
      const texts = [cells[index] ?? '', ...more].filter((text) => others.length === 0 || text.trim() !== '')
      return isTags ? texts.map((text) => plainTags(text, isZendesk)).join(';') : texts.join('\n')
    })
  return { header: all.map(({ indexes: [index = -1] }) => written[index] ?? ''), formed }
}

const TAGS = new Set(['labels', 'tags', 'categories', 'topics', 'components', 'etiketten', 'schlagworte'])
/** One of these stands beside the requester in Zendesk alone, whose tags have no spaces. */
const ZENDESK = new Set(['assignee', 'submitter', 'ticketform', 'requesterid'])

/** `["vpn", "new laptop"]` or, in an export of Zendesk, `vpn new_laptop`. */
function plainTags(cell: string, isSpaced: boolean): string {
  const [, list] = /^\s*\[(.*)\]\s*$/s.exec(cell) ?? []
  const quoted = list?.matchAll(/"([^"]*)"|'([^']*)'/g)
  const items = quoted && Array.from(quoted, ([, double, single = '']) => double ?? single)
  if (items !== undefined && (items.length > 0 || list?.trim() === '')) return items.join(';')
  return isSpaced && !/[,;]/.test(cell) ? cell.trim().split(/\s+/).join(';') : cell
}
