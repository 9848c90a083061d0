// A set as a table whose cells are edited in place, with the faults beside their rows.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { fold } from '../../page/store.ts'
import { A_PAGE, ShowMore } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { SetFault } from '../api.ts'
import { Problem } from './frame.tsx'
import type { Edit, EditedRow } from './set-edit.ts'

interface Props {
  readonly edit: Edit
  readonly onlyFaulty: boolean
  readonly box?: RefObject<HTMLInputElement | null>
}

export function SetEditor({ edit, onlyFaulty, box }: Props) {
  const [words, setWords] = useState('')
  const [isOnlyFaulty, setIsOnlyFaulty] = useState(onlyFaulty)
  const [shown, setShown] = useState(A_PAGE)
  const found = findRows(edit, fold(words), isOnlyFaulty)
  // Rows that were added are the last ones, and are being filled.
  const visible = found.filter(({ line }, index) => index < shown || line === null)
  const faulty = edit.rows.filter((row) => edit.faultsOf(row).length > 0).length
  const count = edit.rows.length
  const before = useRef(count)
  useEffect(() => {
    if (count === before.current + 1) {
      setWords('')
      setIsOnlyFaulty(false)
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('.set tbody tr:last-child .cell')?.focus(),
      )
    }
    before.current = count
  }, [count])
  return (
    <>
      <Problem error={edit.error} />
      {edit.otherFaults.length === 0 ? null : (
        <div class="note bad">
          {edit.otherFaults.map((fault) => (
            <FaultView fault={fault} />
          ))}
        </div>
      )}
      <div class="toolbar">
        <input
          ref={box ?? null}
          type="search"
          aria-label="Filter rows"
          placeholder="Filter rows"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        {faulty === 0 ? null : (
          <button type="button" aria-pressed={isOnlyFaulty} onClick={() => setIsOnlyFaulty(!isOnlyFaulty)}>
            {plural(faulty, 'row')} with faults
          </button>
        )}
        {edit.isEditable ? (
          <Commands edit={edit} />
        ) : (
          <span class="muted">This set cannot be edited here.</span>
        )}
        <span class="muted" role="status">
          {plural(found.length, 'row')}
        </span>
      </div>
      <div class="card">
        <div class="scroll" tabIndex={0} role="region" aria-label="Rows of the set">
          <table class="set">
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
      </div>
      <ShowMore count={found.length - visible.length} show={() => setShown(shown + A_PAGE)} />
    </>
  )
}

const findRows = (edit: Edit, words: string, isOnlyFaulty: boolean) =>
  edit.rows.filter(
    (row) =>
      (!isOnlyFaulty || edit.faultsOf(row).length > 0) &&
      (words === '' || row.cells.some((cell) => fold(cell).includes(words))),
  )

const Commands = ({ edit: { isChanged, isSaving, add, save } }: { readonly edit: Edit }) => (
  <>
    <button type="button" onClick={add}>
      Add a row
    </button>
    <button type="button" class="primary" disabled={!isChanged || isSaving} onClick={save}>
      Save
    </button>
    {isChanged ? <span class="warn">Not saved yet</span> : null}
  </>
)

function RowView({ row, edit }: { readonly row: EditedRow; readonly edit: Edit }) {
  const faults = edit.faultsOf(row)
  return (
    <>
      <tr class={faults.length === 0 ? '' : 'faulty'}>
        <th scope="row" class="muted">
          {row.line === null ? 'new' : digits(row.line)}
        </th>
        {edit.columns.map((column, index) => (
          <td>
            <Cell
              column={column}
              text={row.cells[index] ?? ''}
              isEditable={edit.isEditable}
              set={(text) => edit.setCell(row.key, index, text)}
            />
          </td>
        ))}
        {edit.isEditable ? (
          <td>
            <button type="button" class="link" title="Delete the row" onClick={() => edit.remove(row.key)}>
              <span aria-hidden="true">×</span>
              <span class="visually-hidden">Delete line {row.line ?? 'new'}</span>
            </button>
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

const FaultView = ({ fault }: { readonly fault: SetFault }) => (
  <p class="bad">
    <span aria-hidden="true">✗</span> <Untrusted text={fault.message} max={600} />
  </p>
)

interface CellProps {
  readonly column: string
  readonly text: string
  readonly isEditable: boolean
  readonly set: (text: string) => void
}

/** Enter or a click edits it; Enter, Tab or a click elsewhere takes the text; Escape leaves it as it was. */
function Cell({ column, text, isEditable, set }: CellProps) {
  const [isEditing, setIsEditing] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isLeft = useRef(false)
  useLayoutEffect(() => {
    if (isEditing) area.current?.select()
    else if (isLeft.current) button.current?.focus()
    isLeft.current = false
  }, [isEditing])
  if (!isEditable) return <Untrusted text={text} max={300} />
  if (!isEditing)
    return (
      <button ref={button} type="button" class="cell" onClick={() => setIsEditing(true)}>
        {text === '' ? (
          <span class="visually-hidden">no {showActing(column)}</span>
        ) : (
          <Untrusted text={text} max={300} />
        )}
      </button>
    )
  const end = (typed: string): void => {
    setIsEditing(false)
    if (typed !== text) set(typed)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || event.isComposing)) return
    event.preventDefault()
    event.stopPropagation()
    isLeft.current = true
    end(event.key === 'Escape' ? text : (area.current?.value ?? text))
  }
  return (
    <textarea
      ref={area}
      class="cell"
      aria-label={showActing(column)}
      dir="auto"
      rows={Math.min(8, Math.ceil((text.length + 1) / 30))}
      defaultValue={text}
      onBlur={({ currentTarget }) => end(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
