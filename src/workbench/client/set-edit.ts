// The edits of a set until they are saved. Nothing is lost when the server finds faults.
import { useRef, useState } from 'preact/hooks'
import type { SetFault, SetView } from '../api.ts'
import { api, Refused } from './api.ts'
import { useAction, useUnsaved } from './hooks.ts'

export interface EditedRow {
  readonly key: number
  /** The row begins there in the file; null for a row that was added since. */
  readonly line: number | null
  readonly cells: readonly string[]
}

export type Edit = ReturnType<typeof useEdit>

interface Options {
  readonly view: SetView
  readonly isReadOnly: boolean
  /** A set that is read with `columns` is saved with these names of its headers. */
  readonly renamed?: ReadonlyMap<string, string>
  readonly saved: (path: string) => void
}

export function useEdit({ view, isReadOnly, renamed, saved }: Options) {
  const { table, path, digest } = view
  const [rows, setRows] = useState(() => table.rows.map((row, key): EditedRow => ({ ...row, key })))
  // A deleted row takes its key with it, or the next one would show its faults.
  const nextKey = useRef(table.rows.length)
  const [faults, setFaults] = useState(() => place(view.faults, rows))
  const [isChanged, setIsChanged] = useState(false)
  const saving = useAction()
  useUnsaved(isChanged)
  const change = (changed: readonly EditedRow[]): void => {
    setRows([...changed])
    setIsChanged(true)
  }
  const columns = table.columns.map((header) => renamed?.get(header) ?? header)
  return {
    path,
    savedAs: view.savedAs,
    columns: table.columns,
    rows,
    isEditable: table.isEditable && !isReadOnly,
    isChanged,
    isSaving: saving.isBusy,
    error: saving.error,
    faults: [...faults.values()].reduce((sum, { length }) => sum + length, 0),
    faultsOf: ({ key }: EditedRow) => faults.get(key) ?? NONE,
    otherFaults: faults.get(undefined) ?? NONE,
    setCell: (key: number, column: number, text: string) =>
      change(rows.map((row) => (row.key === key ? { ...row, cells: row.cells.with(column, text) } : row))),
    add: () => {
      change([...rows, { key: nextKey.current, line: null, cells: table.columns.map(() => '') }])
      nextKey.current += 1
    },
    remove: (key: number) => change(rows.filter((row) => row.key !== key)),
    save: () =>
      saving.act(async () => {
        try {
          const cells = rows.map((row) => row.cells)
          const made = await (await api.set.$post({ json: { path, columns, rows: cells, digest } })).json()
          setIsChanged(false)
          saved(made.path)
        } catch (error) {
          if (error instanceof Refused && error.faults.length > 0) setFaults(place(error.faults, rows))
          throw error
        }
      }),
  }
}

const NONE: readonly SetFault[] = []

const place = (faults: readonly SetFault[], rows: readonly EditedRow[]) =>
  Map.groupBy(faults, ({ row }) => (row === undefined ? undefined : rows[row]?.key))
