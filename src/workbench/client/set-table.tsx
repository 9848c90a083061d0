// A set as a table whose cells are edited in place, with the faults beside their rows. Nothing is lost when
// the server finds faults.
import { useEffect, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Button, Icon } from '../../page/controls.tsx'
import { isComposing } from '../../page/keyboard.ts'
import { fold } from '../../page/store.ts'
import { A_PAGE, ShowMore } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { SetFault, SetView } from '../api.ts'
import { api, Refused } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useUnsaved } from './hooks.ts'
import { plainText } from './shown.ts'

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

interface Props {
  readonly edit: Edit
  readonly onlyFaulty: boolean
  /** Rows without them are not shown. */
  readonly words?: string
}

export function SetEditor({ edit, onlyFaulty, words = '' }: Props) {
  const [isOnlyFaulty, setIsOnlyFaulty] = useState(onlyFaulty)
  const [shown, setShown] = useState(A_PAGE)
  const found = findRows(edit, fold(words), isOnlyFaulty)
  // Rows that were added are the last ones, and are being filled.
  const visible = found.filter(({ line }, index) => index < shown || line === null)
  const faulty = edit.rows.filter((row) => edit.faultsOf(row).length > 0).length
  // What keeps it from being saved may stand far above the button, or on a later page.
  useEffect(
    () => setIsOnlyFaulty((isOnly) => isOnly || (edit.error !== undefined && faulty > 0)),
    [edit.error],
  )
  const count = edit.rows.length
  const before = useRef(count)
  useEffect(() => {
    if (count === before.current + 1) {
      setIsOnlyFaulty(false)
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('.set tbody tr:last-child .cell')?.focus(),
      )
    }
    before.current = count
  }, [count])
  return (
    <>
      {edit.otherFaults.map((fault) => (
        <FaultView fault={fault} />
      ))}
      <section class="box" aria-labelledby="rows">
        <div class="box-head">
          <h2 id="rows">{isOnlyFaulty ? 'Rows to correct' : 'Questions'}</h2>
          <span class="number" role="status">
            {digits(found.length)}
          </span>
          {faulty === 0 ? null : (
            <button
              type="button"
              class="button plain last"
              aria-pressed={isOnlyFaulty}
              onClick={() => setIsOnlyFaulty(!isOnlyFaulty)}
            >
              {isOnlyFaulty ? `Show all ${plural(count, 'row')}` : `${plural(faulty, 'row')} to correct`}
            </button>
          )}
        </div>
        <div class="scroll" tabIndex={0} role="region" aria-label="Rows of the set">
          <table class="set two-line-rows">
            <thead>
              <tr>
                <th scope="col">Line</th>
                {edit.columns.map((column) => (
                  <th scope="col">
                    <Untrusted text={column} max={60} />
                  </th>
                ))}
                {edit.isEditable ? <td /> : null}
              </tr>
            </thead>
            <tbody>
              {visible.map((row) => (
                <RowView key={row.key} row={row} edit={edit} />
              ))}
            </tbody>
          </table>
        </div>
        <ShowMore count={found.length - visible.length} show={() => setShown(shown + A_PAGE)} />
        <div class="line form acts">
          {edit.isEditable ? <Commands edit={edit} /> : <small>This set cannot be edited here.</small>}
        </div>
      </section>
    </>
  )
}

const findRows = (edit: Edit, words: string, isOnlyFaulty: boolean) =>
  edit.rows.filter(
    (row) =>
      (!isOnlyFaulty || edit.faultsOf(row).length > 0) &&
      (words === '' || row.line === null || row.cells.some((cell) => fold(cell).includes(words))),
  )

/** A workbook stays as it is: its rows become a CSV file beside it. */
function Commands({ edit }: { readonly edit: Edit }) {
  const { isChanged, isSaving, add, save, path, savedAs, error } = edit
  return (
    <>
      <Button kind="primary" disabled={!isChanged || isSaving} act={save}>
        Save
      </Button>
      <Button act={add}>Add a row</Button>
      <small class={isChanged ? 'warn' : ''}>{isChanged ? 'Not saved yet. ' : 'Nothing to save. '}</small>
      {savedAs === path ? (
        <small>The file as it was stays beside it.</small>
      ) : (
        <small>
          Saved as <code>{showActing(savedAs)}</code>; the sheet stays as it is.
        </small>
      )}
      <Problem error={error} />
    </>
  )
}

function RowView({ row, edit }: { readonly row: EditedRow; readonly edit: Edit }) {
  const faults = edit.faultsOf(row)
  return (
    <>
      <tr class={faults.length === 0 ? '' : 'faulty'}>
        <th scope="row" class="quiet">
          {row.line === null ? 'new' : digits(row.line)}
        </th>
        {edit.columns.map((column, index) => (
          <td data-name={showActing(column)}>
            <Cell
              column={column}
              isFaulty={faults.some((fault) => isNamed(column, fault))}
              text={row.cells[index] ?? ''}
              isEditable={edit.isEditable}
              set={(text) => edit.setCell(row.key, index, text)}
            />
          </td>
        ))}
        {edit.isEditable ? (
          <td>
            <Button kind="plain" act={() => edit.remove(row.key)}>
              <Icon name="cross" label={`Delete line ${row.line ?? 'new'}`} />
            </Button>
          </td>
        ) : null}
      </tr>
      {faults.length === 0 ? null : (
        <tr class="faults">
          <td />
          <td colSpan={edit.columns.length + 1}>
            {faults.map((fault) => (
              <FaultView fault={fault} />
            ))}
          </td>
        </tr>
      )}
    </>
  )
}

/** The first part of a message names the column; what to do comes after. */
const isNamed = (column: string, { message }: SetFault): boolean =>
  column !== '' && ` ${message.split(';')[0]} `.replaceAll(/["“”,.:]/g, ' ').includes(` ${column} `)

const FaultView = ({ fault }: { readonly fault: SetFault }) => (
  <p class="note bad">
    <Icon name="cross" />
    <Untrusted text={plainText(fault.message)} max={600} />
  </p>
)

interface CellProps {
  readonly column: string
  readonly text: string
  readonly isEditable: boolean
  readonly isFaulty: boolean
  readonly set: (text: string) => void
}

/** Enter or Tab leaves it; Escape gives back the text that the file has. */
function Cell({ column, text, isEditable, isFaulty, set }: CellProps) {
  const { current: before } = useRef(text)
  if (!isEditable) return <Untrusted text={text} max={300} />
  return (
    <textarea
      class={`cell ${isFaulty ? 'wrong' : ''}`}
      aria-label={showActing(column) || 'no name'}
      dir="auto"
      rows={Math.min(8, Math.ceil((text.length + 1) / 30))}
      value={text}
      onInput={({ currentTarget }) => set(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || isComposing(event))) return
        event.preventDefault()
        if (event.key === 'Escape') set(before)
        event.currentTarget.blur()
      }}
    />
  )
}
