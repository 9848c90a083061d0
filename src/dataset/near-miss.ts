// Columns of a set that look like a misspelt known one, or clash with a result column.
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { COLUMNS, COLUMN_NAMES, columnKey, findColumn } from './columns.ts'
import { excerpt } from './excerpt.ts'
import type { ColumnFault } from './header.ts'
import type { Layout } from './layout.ts'
import { suggest } from './suggestion.ts'

/** Shorter names are one slip away from too many ordinary words: "test" from "text". */
const LEAST_OWN_LENGTH = 4
const LEAST_OTHER_LENGTH = 5

/**
 * A misspelt name would leave its column unread: a thread in pieces, an expectation that nothing checks. Importers and people's
 * own columns beside a known one are not at fault.
 */
export function findMisspeltColumns({ carried, own, isImported }: Layout): ColumnFault[] {
  if (isImported === true) return []
  const names = COLUMN_NAMES.filter((name) => own[name] === undefined && name !== 'review' && name !== 'note')
  const candidates = names.flatMap((name) => [
    ...(name.length >= LEAST_OWN_LENGTH ? [name] : []),
    ...COLUMNS[name].filter((other) => other.length >= LEAST_OTHER_LENGTH),
  ])
  return carried
    .filter(({ name }) => findColumn(name) === undefined)
    .flatMap(({ name: column }) => {
      const near = suggest(columnKey(column), candidates.map(columnKey))
      const name = candidates.find((one) => columnKey(one) === near)
      const begins = `the column ${excerpt(column)} is not known`
      if (name !== undefined)
        return [
          { column, message: `${begins}; did you mean "${name}"? Correct the name, or choose another one` },
        ]
      if (!/^expect(?![a-z])/i.test(column)) return []
      const all = COLUMN_NAMES.filter((one) => one.startsWith('expect_')).join(', ')
      return [{ column, message: `${begins}; write one of ${all}, or choose a name without "expect"` }]
    })
}

/** What an importer carries along is told of in its account. */
export function findHeaderWarnings({ carried, repeat }: Layout): string[] {
  if (repeat !== undefined) return []
  return carried
    .filter(({ name }) => (RESULT_COLUMNS as readonly string[]).includes(name))
    .map(
      ({ name }) =>
        `the column ${excerpt(name)} is named like one of results.csv, and is called "${name} (set)" there`,
    )
}
