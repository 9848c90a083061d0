// The script of the workbench: each address is a view.
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Calls } from '../api.ts'
import { api } from './api.ts'
import { Ask } from './ask.tsx'
import { Away, Waiting } from './frame.tsx'
import { openEvents, useData, type Events, type ViewProps } from './hooks.ts'
import { NewRun } from './new-run.tsx'
import { RunPage } from './run.tsx'
import { Runs } from './runs.tsx'
import { SetPage } from './set.tsx'
import { ToDoPage } from './to-do-page.tsx'

const VIEWS: Readonly<Record<string, (props: ViewProps) => preact.JSX.Element>> = {
  '/': Runs,
  '/run': RunPage,
  '/new': NewRun,
  '/set': SetPage,
  '/ask': Ask,
  '/todo': ToDoPage,
}

function Workbench({ events }: { readonly events: Events }) {
  const { data: session, error, reload } = useData(async () => (await api.session.$get()).json(), [])
  const [calls, setCalls] = useState<Calls>()
  const [isAway, setIsAway] = useState(false)
  useEffect(
    () =>
      events.listen((event) => {
        if (event.kind === 'calls') setCalls(event.calls)
        setIsAway(event.kind === 'away')
        if (event.kind === 'reopened') reload()
      }),
    [],
  )
  if (session === undefined)
    return (
      <main class="page">
        <Waiting error={error} />
      </main>
    )
  const View = VIEWS[location.pathname] ?? Runs
  return (
    <>
      <View
        session={{ ...session, calls: calls ?? session.calls }}
        parameters={new URLSearchParams(location.search)}
        events={events}
        isAway={isAway}
      />
      {isAway ? <Away /> : null}
    </>
  )
}

render(<Workbench events={openEvents()} />, document.body)
