// Cells to tags.

/** `;`-separated, of one or several cells; each tag once, in the order of the cells. */
export function readTags(cells: readonly string[]): string[] {
  const [only = '', ...others] = cells
  if (others.length === 0 && !only.includes(';')) {
    const tag = only.trim()
    return tag === '' ? [] : [tag]
  }
  const tags = new Set<string>()
  for (const cell of cells) for (const tag of cell.split(';')) tags.add(tag.trim())
  tags.delete('')
  return [...tags]
}
