// Warnings about a header: columns that look like a misspelt known one, or clash with a result column.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { COLUMNS, COLUMN_NAMES, columnKey } from './columns.ts'
import { excerpt } from './excerpt.ts'
import type { Layout } from './layout.ts'
import { suggest } from './suggestion.ts'

/** What an importer carries along is told of in its account. */
export function findHeaderWarnings({ carried, own, repeat, isImported }: Layout): string[] {
  const missing = COLUMN_NAMES.filter((name) => own[name] === undefined)
  const names = missing.flatMap((name) => [name, ...COLUMNS[name]])
  return carried
    .filter(({ name }) => !Object.hasOwn(COLUMNS, name))
    .flatMap(({ name }) => [
      ...(isImported === true ? [] : describeNearMiss(name, names)),
      ...(repeat === undefined ? describeClash(name) : []),
    ])
}

function describeNearMiss(header: string, names: readonly string[]): string[] {
  const key = columnKey(header)
  const near = suggest(key, names.map(columnKey))
  const name = names.find((one) => columnKey(one) === near)
  if (name !== undefined)
    return [`the column ${excerpt(header)} is not known and only carried along; did you mean "${name}"?`]
  return key.startsWith('expect')
    ? [`the column ${excerpt(header)} is only carried along: nothing is expected by it`]
    : []
}

function describeClash(header: string): string[] {
  if (!(RESULT_COLUMNS as readonly string[]).includes(header)) return []
  return [
    `the column ${excerpt(header)} is named like one of results.csv, and is called "${header} (set)" there`,
  ]
}
