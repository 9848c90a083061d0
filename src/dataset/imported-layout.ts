// The layout of the columns that an importer makes.
import type { ColumnName } from './columns.ts'
import type { Place } from './header.ts'
import type { ImportedColumn } from './importers/importer.ts'
import { createLayout, type Layout } from './layout.ts'

export function createImportedLayout(columns: readonly ImportedColumn[]): Layout {
  const own = new Map<ColumnName, readonly Place[]>()
  const ordinary: Place[] = []
  for (const [index, { header, column }] of columns.entries())
    if (column === undefined) ordinary.push({ header, index })
    else own.set(column, [{ header, index }])
  return { ...createLayout({ own, ordinary }), isImported: true }
}
