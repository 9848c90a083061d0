// The questions of a set: edited as a table, saved only when they are valid.
import { useRef, useState } from 'preact/hooks'
import { Search } from '../../page/bar.tsx'
import { Icon } from '../../page/controls.tsx'
import type { WorkbenchSession, SetView } from '../api.ts'
import { api, queryOf } from './api.ts'
import { Frame, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'
import { SetEditor, useEdit } from './set-table.tsx'

export function SetPage({ session, parameters }: ViewProps) {
  const path = parameters.get('path') ?? ''
  const { data, error, reload } = useData(
    async () => (await api.set.$get({ query: { path } })).json(),
    [path],
  )
  if (data === undefined)
    return (
      <Frame session={session} title={path}>
        <Waiting error={error} />
      </Frame>
    )
  const saved = (now: string): void => {
    // A workbook becomes a CSV file.
    if (now === path) reload()
    else location.assign(`/set${queryOf({ path: now })}`)
  }
  return <Editor key={data.digest} view={data} session={session} saved={saved} />
}

interface EditorProps {
  readonly view: SetView
  readonly session: WorkbenchSession
  readonly saved: (path: string) => void
}

function Editor({ view, session, saved }: EditorProps) {
  const edit = useEdit({ view, isReadOnly: session.isReadOnly, saved })
  const [words, setWords] = useState('')
  const box = useRef<HTMLInputElement>(null)
  return (
    <Frame
      session={session}
      title={view.path}
      keys={[
        { key: '/', does: 'search', press: () => box.current?.focus() },
        { key: 'Enter', does: 'leave a cell (Shift+Enter: a new line)' },
        { key: 'Escape', does: 'give it back its text' },
      ]}
      search={<Search box={box} label="Search rows" value={words} search={setWords} />}
      action={
        <a class="button" href={`/new${queryOf({ set: view.path })}`}>
          <Icon name="run" />
          Run this set
        </a>
      }
    >
      <SetEditor edit={edit} onlyFaulty={false} words={words} />
    </Frame>
  )
}
