// Lists of the comparison's screen: a line a question, the first few; the others are counted.
import type { ChangeList, SetList } from './comparison-lists.ts'
import { whatChanged } from './comparison-change.ts'
import { screenTable, section } from './comparison-screen-tables.ts'

/** What fails in both is no change: it is counted, but takes no room from what changed. */
const MOST_OF_SAME = 3
const MOST_OF_SET = 5
const WIDTHS = [24, 42, 42]

/** `where`: the file that has all of them. */
export const screenLists = (lists: readonly ChangeList[], most: number, where: string): string[] =>
  lists.flatMap((list) => {
    const limit = list.tone === 'same' ? Math.min(most, MOST_OF_SAME) : most
    const rows = list.changes
      .slice(0, limit)
      .map((change) => [
        change.id,
        change.message,
        `${change.mustPass ? 'must pass; ' : ''}${whatChanged(change, list.key)}`,
      ])
    return listed(list.title, list.count, rows, where)
  })

export const screenSetLists = (lists: readonly SetList[], most: number, where: string): string[] =>
  lists.flatMap(({ title, count, questions }) => {
    const rows = questions
      .slice(0, Math.min(most, MOST_OF_SET))
      .map(({ id, message, before }) => (before === undefined ? [id, message] : [id, before, `→ ${message}`]))
    return listed(title, count, rows, where)
  })

function listed(title: string, count: number, rows: readonly (readonly string[])[], where: string): string[] {
  const left = count - rows.length
  return [
    ...section(`${title} (${count}):`),
    ...screenTable(
      rows.map((row) => [...row, '', ''].slice(0, 3)),
      WIDTHS,
      { indent: '  ' },
    ),
    ...(left > 0 ? [rows.length === 0 ? `  see ${where}` : `  and ${left} more: see ${where}`] : []),
  ]
}
