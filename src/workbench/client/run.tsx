// A run or a comparison: its report with what an editor does in it; while it has none, how far it is.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Acts } from '../../page/acts.ts'
import { ReportApp } from '../../page/app.tsx'
import { ChartView } from '../../page/charts.tsx'
import { ChartContext } from '../../page/kept-chart.tsx'
import { type Found, openStore, type PageData, type PageStore } from '../../page/store.ts'
import type { RunView, WorkbenchSession } from '../api.ts'
import { createSavedActs } from './acts.ts'
import { get, queryOf } from './api.ts'
import { CallsLine, Frame, Problem, Waiting } from './frame.tsx'
import { type Events, useData, type ViewProps } from './hooks.ts'
import { AskAgain, Files } from './run-actions.tsx'
import { nameOf } from './run-parts.tsx'
import { ResumeForm, RunWatch } from './watch.tsx'

export function RunPage({ session, parameters, events }: ViewProps) {
  const path = parameters.get('path') ?? ''
  const { data, error, reload } = useData(async () => get('/api/run', { path }), [path])
  const [moved, setMoved] = useState<RunView['run']>()
  useEffect(
    () =>
      events.listen((event) => {
        const run = event.kind === 'runs' ? event.runs.find((changed) => changed.path === path) : undefined
        if (run?.state === 'running') setMoved(run)
        else if (run !== undefined || event.kind === 'reopened') reload()
      }),
    [path],
  )
  if (data === undefined)
    return (
      <Frame session={session} title="Run" keys={[]}>
        {error === undefined ? <Waiting /> : <Problem error={error} />}
      </Frame>
    )
  const title = nameOf(data.run)
  if (data.report !== null)
    return <ReportView view={data} report={data.report} session={session} events={events} reload={reload} />
  const isMoving = moved !== undefined && data.run.state === 'running'
  return (
    <Frame session={session} title={title} keys={[]}>
      <RunWatch
        view={isMoving ? { ...data, run: moved } : data}
        isReadOnly={session.isReadOnly}
        resumed={reload}
      />
    </Frame>
  )
}

interface ReportProps {
  readonly session: WorkbenchSession
  readonly events: Events
  readonly view: RunView
  readonly report: PageData
  readonly reload: () => void
}

const AWAY = 'Not connected: the workbench was stopped. Start it again.'
const NAME_KEY = 'assist-harness reviewer'

function ReportView({ view, report, session, events, reload }: ReportProps) {
  const [name, setName] = useState(localStorage.getItem(NAME_KEY) ?? session.reviewer)
  const reviewer = useRef(name)
  const [store, setStore] = useState<PageStore>()
  const [made, setActs] = useState<Acts>()
  const [isAway, setIsAway] = useState(false)
  const acts = made && { ...made, away: isAway ? AWAY : made.away }
  const { isReadOnly } = session
  useEffect(() => {
    const { contents, turns } = report
    const saved = createSavedActs({ view, isReadOnly, reviewer: () => reviewer.current, changed: setActs })
    setActs(saved.acts)
    if (contents !== null) void openStore(contents, turns).then(setStore)
    return events.listen((event) => {
      setIsAway(event.kind === 'away')
      saved.hear(event)
    })
  }, [report])
  const { run, reviewed, sets } = view
  const [set] = sets
  const menu = (
    <>
      {reviewed === null ? null : (
        <label class="field">
          <span>Your name, stands beside ratings and decisions</span>
          <input
            class="input"
            value={name}
            onInput={({ currentTarget: { value } }) => {
              reviewer.current = value
              setName(value)
              localStorage.setItem(NAME_KEY, value)
            }}
          />
        </label>
      )}
      {set === null || set === undefined ? null : <a href={`/set${queryOf({ path: set })}`}>Question set</a>}
      {run.kind === 'run' && !isReadOnly ? <Files run={run.path} /> : null}
      <CallsLine session={session} />
    </>
  )
  const ofFound = (found: readonly Found[]) =>
    isReadOnly ? null : <AskAgain view={view} session={session} found={found} />
  return (
    <ChartContext.Provider value={ChartView}>
      <ReportApp
        document={report.document}
        store={store}
        acts={acts && { ...acts, ofFound }}
        around={{
          way: [{ href: '/', name: 'Runs' }],
          name,
          menu,
          article:
            reviewed === null
              ? undefined
              : async (article) => get('/api/article', { run: reviewed, article }),
          above: isReadOnly ? null : <ResumeForm run={run} resumed={reload} />,
        }}
      />
    </ChartContext.Provider>
  )
}
