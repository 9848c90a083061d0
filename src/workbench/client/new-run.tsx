// A new run: choose a set, correct its faults, see what it costs, start it.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { plural } from '../../domain/format.ts'
import { BlockView } from '../../page/blocks.tsx'
import { Icon } from '../../page/controls.tsx'
import { isEmpty } from '../../report/document.ts'
import type { WorkbenchSession, SetView } from '../api.ts'
import { api, queryOf, upload } from './api.ts'
import { Select } from './fields.tsx'
import { Frame, Problem, Waiting } from './frame.tsx'
import { useAction, useData, type ViewProps } from './hooks.ts'
import { plainBlock } from './shown.ts'
import { SetEditor, useEdit } from './set-table.tsx'
import { StartForm } from './start-form.tsx'

/** Columns name the headers they are read from. A column that is not in it is found by its header. */
type Mapping = Readonly<Record<string, string>>

export function NewRun({ session, parameters }: ViewProps) {
  const [path, setPath] = useState(parameters.get('set') ?? '')
  const [mapping, setMapping] = useState<Mapping>()
  const choose = (chosen: string): void => {
    setPath(chosen)
    setMapping(undefined)
    history.replaceState(null, '', `/new${chosen === '' ? '' : queryOf({ set: chosen })}`)
  }
  const column = Object.entries(mapping ?? {}).map(([name, header]) => `${name}=${header}`)
  const { data, error, reload } = useData(
    async () => (path === '' ? undefined : (await api.set.$get({ query: { path, column } })).json()),
    [path, column.join('\n')],
  )
  // The data of the set before is not that of this one.
  const view = data?.path === path ? data : undefined
  const [isEdited, setIsEdited] = useState(false)
  const picker = useRef<HTMLSelectElement>(null)
  const saved = (now: string): void => {
    if (now === path && column.length === 0) reload()
    else choose(now)
  }
  return (
    <Frame
      session={session}
      title="New run"
      keys={[{ key: '/', does: 'choose a set', press: () => picker.current?.focus() }]}
    >
      <div class={view === undefined ? 'stack' : 'beside'}>
        <div class="stack">
          <fieldset class="stack" disabled={isEdited}>
            <SetPicker session={session} path={path} choose={choose} picker={picker} />
            {view === undefined ? null : (
              <MappingView view={view} mapping={mapping ?? mappingOf(view)} change={setMapping} />
            )}
          </fieldset>
          {error === undefined && (view !== undefined || path === '') ? null : <Waiting error={error} />}
          {view === undefined ? null : view.faults.length > 0 ? (
            <FaultyRows
              key={`${view.digest} ${JSON.stringify(view.faults)}`}
              view={view}
              isReadOnly={session.isReadOnly}
              mapping={mapping ?? {}}
              edited={setIsEdited}
              saved={saved}
            />
          ) : (
            view.blocks
              .filter((block) => !isEmpty(block))
              .map((block) => <BlockView block={plainBlock(block)} />)
          )}
        </div>
        {view === undefined ? null : (
          <StartForm key={path} session={session} view={view} columns={view.columns} />
        )}
      </div>
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
  const send = (file: File | undefined): void => {
    if (file !== undefined) uploading.act(async () => choose(await upload(file)))
  }
  const known = path === '' || sets.includes(path) ? sets : [path, ...sets]
  const drop = {
    onDragOver: (event: DragEvent): void => event.preventDefault(),
    onDrop: (event: DragEvent): void => {
      event.preventDefault()
      send(event.dataTransfer?.files[0])
    },
  }
  return (
    <div class="line drop" {...(isReadOnly ? {} : drop)}>
      <Icon name="article" />
      <Select
        label="Question set"
        element={picker}
        value={path}
        choose={choose}
        options={[['', 'Choose…'], ...known.map((set) => [set, set] as const)]}
      />
      <div class="line acts">
        {path === '' ? null : (
          <a class="button" href={`/set${queryOf({ path })}`}>
            Open as a table
          </a>
        )}
        {isReadOnly ? null : (
          <label class="button upload">
            <Icon name="upload" />
            {uploading.isBusy ? 'Reading…' : 'Choose a file, or drop it here'}
            <input
              class="off-screen"
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

/** The headers that the config file names. */
const mappingOf = ({ columns }: SetView): Mapping =>
  Object.fromEntries(columns.map((value) => value.split(/=(.*)/s, 2)))

/** Choosing the columns of the file mends faults of its header, or of the whole file. */
const isOfHeader = ({ faults, table }: SetView): boolean =>
  faults.some(({ line }) => line === null || line < (table.rows[0]?.line ?? Infinity))

const MappingView = ({ view, mapping, change }: MappingProps) => (
  <details class="box" open={Object.keys(mapping).length > 0 || isOfHeader(view)}>
    <summary class="box-head">
      <Icon name="chevron" class="turns" />
      Columns of the file
    </summary>
    <div class="mapping">
      {view.table.known.map((name) => (
        <Select
          label={<code>{name}</code>}
          value={mapping[name] ?? ''}
          choose={(header) => {
            const { [name]: _, ...others } = mapping
            change(header === '' ? others : { ...others, [name]: header })
          }}
          options={[['', 'by its header'], ...view.table.columns.map((header) => [header, header] as const)]}
        />
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
        <Icon name="cross" />
        <span>
          {plural(edit.faults, 'fault')}. Correct {edit.faults === 1 ? 'it' : 'them'}{' '}
          {edit.isEditable ? 'here and save, or in the file' : 'in the file'}
          {isOfHeader(view) ? ', or choose the columns of the file above' : ''}.
        </span>
      </p>
      <SetEditor edit={edit} onlyFaulty={!isOfHeader(view)} />
    </section>
  )
}
