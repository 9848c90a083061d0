// A new run: choose a set, correct its faults, see what it costs, start it.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { BlockView } from '../../page/blocks.tsx'
import { Icon } from '../../page/icons.tsx'
import { Words } from '../../page/text.tsx'
import type { WorkbenchSession, SetView } from '../api.ts'
import { get, queryOf, upload } from './api.ts'
import { Frame, Problem, Waiting } from './frame.tsx'
import { useAction, useData, type ViewProps } from './hooks.ts'
import { withoutOptions } from './plain.ts'
import { useEdit } from './set-edit.ts'
import { SetEditor } from './set-table.tsx'
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
  const isLoading = view === undefined && path !== '' && error === undefined
  return (
    <Frame
      session={session}
      title="New run"
      keys={[{ key: '/', does: 'choose a set', press: () => picker.current?.focus() }]}
    >
      <div class={view === undefined ? 'stack' : 'split'}>
        <div class="stack">
          <fieldset class="stack" disabled={isEdited}>
            <SetPicker session={session} path={path} choose={choose} picker={picker} />
            {view === undefined ? null : (
              <MappingView view={view} mapping={mapping ?? mappingOf(view)} change={setMapping} />
            )}
          </fieldset>
          <Problem error={error} />
          {isLoading ? <Waiting /> : null}
          {view === undefined ? null : view.faults.length > 0 ? (
            <FaultyRows
              key={number.current.times}
              view={view}
              isReadOnly={session.isReadOnly}
              mapping={mapping ?? {}}
              edited={setIsEdited}
              saved={saved}
            />
          ) : (
            <Survey blocks={view.blocks} />
          )}
        </div>
        {view === undefined ? null : (
          <aside>
            <StartForm key={path} session={session} view={view} columns={view.columns} />
          </aside>
        )}
      </div>
    </Frame>
  )
}

/** What the set holds and costs; what is odd in it, but keeps no run from starting, is one list. */
function Survey({ blocks }: Pick<SetView, 'blocks'>) {
  const notes = blocks.filter((block) => block.kind === 'note')
  const others = blocks.filter((block) => block.kind !== 'note')
  return (
    <>
      {others.map((block, index) => (
        <>
          <BlockView block={block} />
          {index > 0 || notes.length === 0 ? null : (
            <section class="box">
              <div class="box-head">
                <h2>Worth a look</h2>
                <span class="number">{digits(notes.length)}</span>
                <small class="last">does not stop the run</small>
              </div>
              <ul class="rows live">
                {notes.map(({ tone, text }) => (
                  <li>
                    <Icon name="doubt" class={tone} />
                    <span>
                      <Words text={withoutOptions(text)} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      ))}
    </>
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
    <div class={`drop ${isOver ? 'over' : ''}`} {...(isReadOnly ? {} : drop)}>
      <Icon name="article" />
      <label class="field">
        <span>Question set</span>
        <select
          ref={picker}
          class="input"
          value={path}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose…</option>
          {known.map((set) => (
            <option value={set}>{showActing(set)}</option>
          ))}
        </select>
      </label>
      <div class="acts">
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
        <label class="field">
          <code>{name}</code>
          <select
            class="input"
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
        <Icon name="cross" />
        <span>
          {plural(edit.faults, 'fault')}. Correct {edit.faults === 1 ? 'it' : 'them'}{' '}
          {edit.isEditable ? 'here and save, or in the file' : 'in the file'}
          {isOfHeader(view) ? ', or choose the columns of the file above' : ''}.
          {edit.isEditable && view.savedAs !== view.path ? (
            <>
              {' '}
              What you save becomes <code>{showActing(view.savedAs)}</code> beside the sheet, which stays as
              it is.
            </>
          ) : null}
        </span>
      </p>
      <SetEditor edit={edit} onlyFaulty={!isOfHeader(view)} />
    </section>
  )
}
