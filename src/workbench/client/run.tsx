// A run or a comparison: its report with what an editor does in it; while it has none, how far it is.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { showActing } from '../../domain/text.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import type { Acts } from '../../page/acts.ts'
import { ReportApp } from '../../page/app.tsx'
import { ChartView } from '../../page/charts.tsx'
import { ChartContext } from '../../page/kept-chart.tsx'
import { type Found, openStore, type PageData, type PageStore } from '../../page/store.ts'
import type { Document } from '../../report/document.ts'
import type { RunView, WorkbenchSession } from '../api.ts'
import { createSavedActs } from './acts.ts'
import { get, queryOf } from './api.ts'
import { CallsLine, Frame, Problem, useTitle, Waiting } from './frame.tsx'
import { type Events, useData, type ViewProps } from './hooks.ts'
import { withoutOptions } from './plain.ts'
import { AskAgain, Files, NameField, OtherArticle } from './run-actions.tsx'
import { isStopped, nameOf, ofText, subtitleOf } from './run-parts.tsx'
import { ResumeForm, RunWatch } from './watch.tsx'

export function RunPage({ session, parameters, events }: ViewProps) {
  const path = parameters.get('path') ?? ''
  const { data, error, reload } = useData(async () => get('/api/run', { path }), [path])
  const [moved, setMoved] = useState<ListedRun>()
  useEffect(() => {
    setMoved(undefined)
    return events.listen((event) => {
      const run = event.kind === 'runs' ? event.runs.find((changed) => changed.path === path) : undefined
      const isSame = run?.state === data?.run.state && run?.reportedAt === data?.run.reportedAt
      // Between its last answer and its report there is nothing to show.
      const isShown = data?.report !== null || run?.state === 'running'
      if (run !== undefined && isSame && isShown) setMoved(run)
      else if (run !== undefined || event.kind === 'reopened') reload()
    })
  }, [path, data])
  if (data === undefined)
    return (
      <Frame session={session} title="Run" keys={[]}>
        {error === undefined ? <Waiting /> : <Problem error={error} />}
      </Frame>
    )
  const view = { ...data, run: moved ?? data.run }
  if (data.report !== null)
    return <ReportView view={view} report={data.report} session={session} events={events} reload={reload} />
  return (
    <Frame session={session} title={nameOf(view.run)} keys={[]}>
      <RunWatch view={view} isReadOnly={session.isReadOnly} resumed={reload} />
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
  const { run, reviewed, sets } = view
  // The report is read again when a tab is shown again: what was done in it stays.
  const saved = useMemo(
    () =>
      createSavedActs({
        view,
        isReadOnly,
        reviewer: () => reviewer.current.trim() || session.reviewer,
        changed: setActs,
      }),
    [run.path],
  )
  useEffect(() => {
    const { contents, turns } = report
    saved.read(view)
    if (contents !== null) void openStore(contents, turns).then(setStore)
    return events.listen((event) => {
      setIsAway(event.kind === 'away')
      saved.hear(event)
    })
  }, [report])
  const [set] = sets
  useTitle(nameOf(run), session)
  const sent = useMemo(() => sentIn(store), [store])
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
      {set === undefined || !session.sets.includes(set) ? null : (
        <a href={`/set${queryOf({ path: set })}`}>Question set</a>
      )}
      {isReadOnly ? null : <NameField run={run} />}
      {run.kind === 'run' && !isReadOnly ? <Files run={run.path} /> : null}
      <CallsLine session={session} />
    </>
  )
  const ofFound = (found: readonly Found[]) =>
    isReadOnly ? null : <AskAgain view={view} session={session} found={found} />
  const ofTurn = (turn: PageTurn) =>
    acts === undefined ? null : <OtherArticle view={view} turn={turn} acts={acts} />
  return (
    <ChartContext.Provider value={ChartView}>
      <ReportApp
        document={shownAs(run, report.document, sent)}
        store={store}
        acts={acts && { ...acts, ofFound, ofTurn }}
        around={{
          way: [{ href: '/', name: 'Runs' }],
          name: name.trim() || session.reviewer,
          menu,
          article:
            reviewed === null
              ? undefined
              : async (article) => get('/api/article', { run: reviewed, article }),
          above: isReadOnly ? null : <ResumeForm run={run} sent={sent} resumed={reload} />,
        }}
      />
    </ChartContext.Provider>
  )
}

/** The name of the run is its title; commands and signals are for a terminal. */
function shownAs(run: ListedRun, report: Document, sent: string): Document {
  const { facts, verdict } = report
  return {
    ...report,
    title: [{ untrusted: nameOf(run) }],
    facts: run.kind === 'run' ? `${showActing(subtitleOf(run))} · ${facts}` : facts,
    verdict: isStopped(run.state)
      ? { tone: verdict.tone, word: 'Stopped', reason: sent && `${sent} sent` }
      : { ...verdict, reason: withoutOptions(verdict.reason) },
    resume: undefined,
  }
}

/** `12 of 40` */
function sentIn(store: PageStore | undefined): string {
  const turns = store?.conversations.flat() ?? []
  const sent = turns.filter(({ outcome }) => outcome !== null).length
  return turns.length === 0 ? '' : ofText(sent, turns.length)
}
