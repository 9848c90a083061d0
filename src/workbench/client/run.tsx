// A run or a comparison: its report with what an editor does in it; while it has none, how far it is.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { showActing } from '../../domain/text.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import type { Acts } from '../../page/acts.ts'
import { ReportApp } from '../../page/app.tsx'
import { ChartContext } from '../../page/blocks.tsx'
import { ChartView } from '../../page/charts.tsx'
import { openStore, type PageData, type PageStore } from '../../page/store.ts'
import type { Document } from '../../report/document.ts'
import type { RunView } from '../api.ts'
import { createSavedActs } from './acts.ts'
import { api, queryOf } from './api.ts'
import { TextField } from './fields.tsx'
import { CallsLine, Frame, RUNS, useTitle, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'
import { leftIn, plainSection, withoutOptions } from './shown.ts'
import { AskAgain, Files, NameField, OtherArticle } from './run-actions.tsx'
import { isStopped, nameOf, ofText, subtitleOf } from './run-parts.tsx'
import { WholeArticle } from './try-edit.tsx'
import { ResumeForm, RunWatch } from './watch.tsx'

export function RunPage(props: ViewProps) {
  const { session, parameters, events } = props
  const path = parameters.get('path') ?? ''
  const { data, error, reload } = useData(
    async () => ({ askedAt: Date.now(), ...(await (await api.run.$get({ query: { path } })).json()) }),
    [path],
  )
  const [moved, setMoved] = useState<ListedRun>()
  useEffect(() => {
    setMoved(undefined)
    let known = JSON.stringify(data?.run)
    return events.listen((event) => {
      const listed = event.kind === 'runs' ? event.runs.find((other) => other.path === path) : undefined
      const run = JSON.stringify(listed) === known ? undefined : listed
      if (run !== undefined) known = JSON.stringify(run)
      const isSame = run?.state === data?.run.state && run?.reportedAt === data?.run.reportedAt
      // Between its last answer and its report there is nothing to show.
      const isShown = data?.report !== null || run?.state === 'running'
      if (run !== undefined && isSame && isShown) setMoved(run)
      else if (run !== undefined || event.kind === 'reopened') reload()
    })
  }, [path, data])
  if (data === undefined)
    return (
      <Frame session={session} title="Run">
        <Waiting error={error} />
      </Frame>
    )
  const view = { ...data, run: moved ?? data.run }
  if (data.report !== null) return <ReportView {...props} view={view} report={data.report} reload={reload} />
  return (
    <Frame session={session} title={nameOf(view.run)}>
      <RunWatch view={view} isReadOnly={session.isReadOnly} resumed={reload} />
    </Frame>
  )
}

interface ReportProps extends ViewProps {
  readonly view: RunView & { readonly askedAt: number }
  readonly report: PageData
  readonly reload: () => void
}

const AWAY = 'Not connected: the workbench was stopped. Start it again.'
const NAME_KEY = 'assist-harness reviewer'

function ReportView({ view, report, session, events, isAway, reload }: ReportProps) {
  const [typed, setTyped] = useState(localStorage.getItem(NAME_KEY) ?? '')
  const name = useRef('')
  name.current = typed.trim() || session.reviewer
  const [store, setStore] = useState<PageStore>()
  const [acts, setActs] = useState<Acts>()
  const { isReadOnly } = session
  const { run, reviewed, sets } = view
  // The report is read again when a tab is shown again: what was done in it stays.
  const saved = useMemo(
    () => createSavedActs({ ...view, isReadOnly }, () => name.current, setActs),
    [run.path],
  )
  useEffect(() => {
    const { contents, turns } = report
    saved.read(view, view.askedAt)
    if (contents !== null) void openStore(contents, turns).then(setStore)
    return events.listen(saved.hear)
  }, [report])
  const [set] = sets
  useTitle(nameOf(run), session)
  const sent = useMemo(() => sentIn(store), [store])
  const plain = useMemo(() => report.document.sections.map(plainSection), [report])
  const sections = useMemo(
    () => (store && acts ? plain.map((section) => leftIn(section, store, acts)) : plain),
    [plain, store, acts],
  )
  const needed = /--max-calls (\d+)/.exec(report.document.resume ?? '')?.[1]
  const menu = (
    <>
      {reviewed === null ? null : (
        <TextField
          label="Your name, stands beside ratings and decisions"
          value={typed}
          placeholder={session.reviewer}
          set={(value) => {
            setTyped(value)
            localStorage.setItem(NAME_KEY, value)
          }}
        />
      )}
      {set === undefined || !session.sets.includes(set) ? null : (
        <a href={`/set${queryOf({ path: set })}`}>Question set</a>
      )}
      {isReadOnly ? null : <NameField run={run} />}
      {run.kind === 'run' && !isReadOnly ? <Files run={run.path} /> : null}
      <CallsLine session={session} />
    </>
  )
  return (
    <ChartContext.Provider value={ChartView}>
      <ReportApp
        document={shownAs(run, { ...report.document, sections }, sent)}
        desk={
          store &&
          acts && {
            store,
            acts: {
              ...acts,
              away: isReadOnly ? 'This workbench is read-only.' : isAway ? AWAY : undefined,
              titleOf: (article) => view.articles.find((known) => known.article === article)?.title,
              ofTurn: (turn) => <OtherArticle articles={view.articles} turn={turn} />,
              ofFound: (found) => <AskAgain view={view} session={session} found={found} />,
            },
          }
        }
        bench={{
          way: RUNS,
          name: name.current,
          menu,
          articleOf: reviewed === null ? undefined : (id) => <WholeArticle key={id} id={id} run={reviewed} />,
          above: isReadOnly ? null : <ResumeForm run={run} sent={sent} needed={needed} resumed={reload} />,
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
    verdict: isStopped(run)
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
