// Cells to tags.

/** `;`-separated, of one or several cells; each tag once, in the order of the cells. */
export function readTags(cells: readonly string[]): string[] {
  const tags = new Set<string>()
  for (const cell of cells) for (const tag of cell.split(';')) tags.add(tag.trim())
  tags.delete('')
  return [...tags]
}
