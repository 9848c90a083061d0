// Pieces of Markdown with a bound on their length: text, tables, lists that fold away what is long.
import { plainMarkdown, shorten } from './visible.ts'

/** Text without any effect, of so many signs at most; escaped it has at most four times as many characters. */
export function plain(text: string, most: number): string {
  const escaped = plainMarkdown(shorten(text, most))
  return escaped.length <= 4 * most || most <= 1 ? escaped : plain(text, Math.floor(most / 2))
}

/** A name in bold; spaces at its ends would show the asterisks. */
export const bold = (text: string, most: number): string => `**${plain(text.trim(), most) || '(empty)'}**`

/** Cells must be safe already. */
export function table([header = [], ...rows]: readonly (readonly string[])[]): string[] {
  return [tableRow(header), tableRow(header.map(() => '---')), ...rows.map(tableRow), '']
}

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** As a list shows it before the rest is folded. */
const SHOWN_AT_ONCE = 5

export interface FoldedList {
  readonly title: string
  /** How many there are in all; the items may be fewer. */
  readonly count: number
  /** Lines of each, safe already. */
  readonly items: Iterable<readonly string[]>
  /** The file that holds them all. */
  readonly where: string
}

/** A heading, the first items, and the others folded away; as many of them as fit into so many characters. */
export function foldedList({ title, count, items, where }: FoldedList, most: number): string[] {
  const shown: string[] = []
  let room = most - title.length - 200
  for (const item of items) {
    const text = item.join('\n')
    if (text.length + 1 > room) break
    room -= text.length + 1
    shown.push(text)
  }
  if (count === 0) return []
  const more = count - shown.length
  const folded = [
    ...shown.slice(SHOWN_AT_ONCE),
    ...(more > 0 && shown.length > 0 ? [`- and ${more} more: see ${where}`] : []),
  ]
  return [
    `### ${title} (${count})`,
    '',
    ...(shown.length === 0 ? [`See ${where}.`] : shown.slice(0, SHOWN_AT_ONCE)),
    ...fold(folded, count - SHOWN_AT_ONCE),
    '',
  ]
}

/** The blank lines are what makes GitHub read Markdown inside the element. */
function fold(lines: readonly string[], count: number): string[] {
  if (lines.length < 2) return [...lines]
  return ['', '<details>', `<summary>${count} more</summary>`, '', ...lines, '', '</details>']
}
