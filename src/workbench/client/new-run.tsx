// A new run: choose a set, correct its faults, see what it costs, start it.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { BlockView } from '../../page/blocks.tsx'
import type { WorkbenchSession, SetView } from '../api.ts'
import { get, queryOf, upload } from './api.ts'
import { Frame, Problem, Waiting } from './frame.tsx'
import { useAction, useData, type ViewProps } from './hooks.ts'
import { useEdit } from './set-edit.ts'
import { SetEditor } from './set-table.tsx'
import { StartForm } from './start-form.tsx'

/** Columns name the headers they are read from. A column that is not in it is found by its header. */
type Mapping = Readonly<Record<string, string>>

export function NewRun({ session, parameters }: ViewProps) {
  const [path, setPath] = useState(parameters.get('set') ?? '')
  const [mapping, setMapping] = useState<Mapping>({})
  const choose = (chosen: string): void => {
    setPath(chosen)
    setMapping({})
    history.replaceState(null, '', `/new${chosen === '' ? '' : queryOf({ set: chosen })}`)
  }
  const column = Object.entries(mapping).map(([name, header]) => `${name}=${header}`)
  const { data, error, reload } = useData(
    async () => (path === '' ? undefined : get('/api/set', { path, column })),
    [path, column.join('\n')],
  )
  // The data of the set before is not that of this one.
  const view = data?.path === path ? data : undefined
  const [isEdited, setIsEdited] = useState(false)
  const picker = useRef<HTMLSelectElement>(null)
  const number = useRef({ view, times: 0 })
  if (number.current.view !== view) number.current = { view, times: number.current.times + 1 }
  const saved = (now: string): void => {
    if (now === path && column.length === 0) reload()
    else choose(now)
  }
  return (
    <Frame
      session={session}
      title="New run"
      heading="New run"
      keys={[{ key: '/', does: 'Choose a set', press: () => picker.current?.focus() }]}
    >
      <fieldset disabled={isEdited}>
        <SetPicker session={session} path={path} choose={choose} picker={picker} />
        {view === undefined ? null : <MappingView view={view} mapping={mapping} change={setMapping} />}
      </fieldset>
      <Problem error={error} />
      {view === undefined ? (
        path === '' || error !== undefined ? null : (
          <Waiting />
        )
      ) : (
        <>
          {view.faults.length > 0 ? (
            <FaultyRows
              key={number.current.times}
              view={view}
              isReadOnly={session.isReadOnly}
              mapping={mapping}
              edited={setIsEdited}
              saved={saved}
            />
          ) : (
            <>
              <h2 class="visually-hidden">The set and its cost</h2>
              <div class="blocks">
                {view.blocks.map((block) => (
                  <BlockView block={block} />
                ))}
              </div>
            </>
          )}
          <StartForm key={path} session={session} view={view} columns={column} />
        </>
      )}
    </Frame>
  )
}

interface PickerProps {
  readonly session: WorkbenchSession
  readonly path: string
  readonly choose: (path: string) => void
  readonly picker: RefObject<HTMLSelectElement | null>
}

function SetPicker({ session: { sets, isReadOnly }, path, choose, picker }: PickerProps) {
  const uploading = useAction()
  const [isOver, setIsOver] = useState(false)
  const send = (file: File | undefined): void => {
    if (file !== undefined) uploading.act(async () => choose((await upload(file)).path))
  }
  const known = path === '' || sets.includes(path) ? sets : [path, ...sets]
  const drop = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault()
      setIsOver(false)
      send(event.dataTransfer?.files[0])
    },
  }
  return (
    <div class={`card drop ${isOver ? 'over' : ''}`} {...(isReadOnly ? {} : drop)}>
      <div class="toolbar">
        <label>
          Question set{' '}
          <select ref={picker} value={path} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">Choose…</option>
            {known.map((set) => (
              <option value={set}>{showActing(set)}</option>
            ))}
          </select>
        </label>
        {path === '' ? null : <a href={`/set${queryOf({ path })}`}>Show its questions</a>}
        {isReadOnly ? null : (
          <label>
            or drop a file here{' '}
            <input
              type="file"
              accept=".csv,.tsv,.xlsx"
              disabled={uploading.isBusy}
              onChange={({ currentTarget }) => send(currentTarget.files?.[0])}
            />
          </label>
        )}
      </div>
      <Problem error={uploading.error} />
    </div>
  )
}

interface MappingProps {
  readonly view: SetView
  readonly mapping: Mapping
  readonly change: (mapping: Mapping) => void
}

/** Choosing the columns of the file mends faults of its header, or of the whole file. */
const isOfHeader = ({ faults, table }: SetView): boolean =>
  faults.some(({ line }) => line === null || line < (table.rows[0]?.line ?? Infinity))

const MappingView = ({ view, mapping, change }: MappingProps) => (
  <details class="card" open={Object.keys(mapping).length > 0 || isOfHeader(view)}>
    <summary>Columns of the file</summary>
    <div class="mapping">
      {view.table.known.map((name) => (
        <label>
          <code>{name}</code>
          <select
            value={mapping[name] ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { [name]: _, ...others } = mapping
              change(value === '' ? others : { ...others, [name]: value })
            }}
          >
            <option value="">by its header</option>
            {view.table.columns.map((header) => (
              <option value={header}>{showActing(header)}</option>
            ))}
          </select>
        </label>
      ))}
    </div>
  </details>
)

interface FaultyProps {
  readonly view: SetView
  readonly isReadOnly: boolean
  readonly mapping: Mapping
  /** Another set or mapping would lose what is not saved yet. */
  readonly edited: (isEdited: boolean) => void
  readonly saved: (path: string) => void
}

/** The saved file has the headers of a set, so that it needs no mapping. */
function FaultyRows({ view, isReadOnly, mapping, edited, saved }: FaultyProps) {
  const renamed = new Map(Object.entries(mapping).map(([name, header]) => [header, name] as const))
  const edit = useEdit({ view, isReadOnly, renamed, saved })
  useEffect(() => {
    edited(edit.isChanged)
    return () => edited(false)
  }, [edit.isChanged])
  return (
    <section aria-label="Faults" class="stack">
      <p class="note bad">
        <span aria-hidden="true">✗</span> {plural(edit.faults, 'fault')}. Correct{' '}
        {edit.faults === 1 ? 'it' : 'them'}{' '}
        {edit.isEditable ? 'here and save, or in the file' : 'in the file'}
        {isOfHeader(view) ? ', or choose the columns of the file above' : ''}.
      </p>
      <SetEditor edit={edit} onlyFaulty={!isOfHeader(view)} />
    </section>
  )
}
