// A report without what is typed in a terminal: the browser has none.
import type { Block, Section, Span, Text } from '../../report/document.ts'

/** Leaves out ` (--max-calls)`, `, as in --column …`, and sentences that name an option. */
export const withoutOptions = (text: Text): readonly Span[] =>
  [text].flat().map((span): Span => {
    if (typeof span === 'string') return plain(span)
    return 'untrusted' in span ? { untrusted: plain(span.untrusted) } : span
  })

export const plain = (text: string): string =>
  text
    .replaceAll(/ \((?:load )?--[a-z-]+\)/g, '')
    .replace(/, as in --column .*$/, '')
    .replaceAll(/(?<=^|\.)[^.]* --[a-z-]+[^.]*\./g, '')

export function plainBlock(block: Block): Block {
  if (block.kind === 'note') return { ...block, text: withoutOptions(block.text) }
  if (block.kind !== 'table') return block
  const rows = block.rows.map((row) => ({ ...row, cells: row.cells.map(withoutOptions) }))
  return { ...block, rows }
}

export const plainSection = (section: Section): Section => ({
  ...section,
  blocks: section.blocks.map(plainBlock),
})
