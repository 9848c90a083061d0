// A report without what is typed in a terminal: the browser has none.
import type { Block, Section, Span, Text } from '../../report/document.ts'

/** Leaves out ` (--max-calls)`, `, as in --column message=Frage`, and sentences that name an option. */
export const withoutOptions = (text: Text): readonly Span[] =>
  [text].flat().map((span): Span => {
    if (typeof span === 'string') return plainText(span)
    return 'untrusted' in span ? { untrusted: plainText(span.untrusted) } : span
  })

export const plainText = (text: string): string =>
  text
    .replaceAll(/ \((?:load )?--[a-z-]+\)|, as in --\S+ .*$/g, '')
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
