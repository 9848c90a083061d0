// All runs of the folder, the newest first, with the trend of each series; two of them can be compared.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import { cut, showActing } from '../../domain/text.ts'
import { fold } from '../../page/store.ts'
import { A_PAGE, ShowMore } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import { get, post, queryOf, runAddress } from './api.ts'
import { Frame, type Key, Problem, Waiting } from './frame.tsx'
import { type Events, useAction, useData, useNow, type ViewProps } from './hooks.ts'
import { GroundedView, nameOf, ProgressView, StateView, TimeView } from './run-parts.tsx'
import { type Series, seriesOf, Trends } from './trends.tsx'

export function Runs({ session, parameters, events }: ViewProps) {
  const { runs, error } = useRuns(events)
  const [filter, setFilter] = useFilter(parameters)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [shown, setShown] = useState(A_PAGE)
  const box = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLTableSectionElement>(null)
  const comparing = useAction()
  const series = useMemo(() => seriesOf(runs ?? []), [runs])
  const found = useMemo(() => filterRuns(runs ?? [], filter), [runs, filter])
  const toggle = (path: string): void =>
    // A third one takes the place of the first.
    setChosen(chosen.includes(path) ? chosen.filter((other) => other !== path) : [...chosen, path].slice(-2))
  const compare = (): void =>
    comparing.act(async () => {
      // The older one is the baseline.
      const [candidate, baseline] = (runs ?? []).filter(({ path }) => chosen.includes(path))
      if (baseline === undefined || candidate === undefined) return
      const { path } = await post('/api/compare', { baseline: baseline.path, candidate: candidate.path })
      location.assign(runAddress(path))
    })
  const keys: readonly Key[] = [
    { key: 'j', does: 'Next run', press: () => moveFocus(table.current, 1) },
    { key: 'k', does: 'Run before', press: () => moveFocus(table.current, -1) },
    { key: 'Enter', does: 'Open the run' },
    {
      key: 'x',
      does: 'Select the run',
      press: () => table.current?.querySelector<HTMLInputElement>('tr:focus-within input')?.click(),
    },
    { key: 'c', does: 'Compare the two selected runs', press: compare },
    { key: '/', does: 'Filter', press: () => box.current?.focus() },
    { key: 'n', does: 'New run', press: () => location.assign('/new') },
  ]
  if (runs === undefined || runs.length === 0)
    return (
      <Frame session={session} title="Runs" keys={keys} heading="Runs">
        <Problem error={error} />
        {runs === undefined ? error === undefined ? <Waiting /> : null : <NoRuns />}
      </Frame>
    )
  return (
    <Frame session={session} title="Runs" keys={keys} heading="Runs">
      <Problem error={comparing.error ?? error} />
      <Trends
        series={series}
        chosen={filter.series}
        choose={(key) => setFilter({ ...filter, series: key })}
      />
      <Filters box={box} series={series} filter={filter} setFilter={setFilter}>
        <button
          type="button"
          disabled={chosen.length < 2 || session.isReadOnly || comparing.isBusy}
          title={session.isReadOnly ? 'Read-only' : 'Select two runs'}
          onClick={compare}
        >
          Compare {chosen.length === 0 ? '' : `(${chosen.length} of 2)`}
        </button>
        <span class="muted" role="status">
          {plural(found.length, 'run')}
        </span>
      </Filters>
      <RunTable runs={found.slice(0, shown)} chosen={chosen} toggle={toggle} table={table} />
      <ShowMore count={found.length - shown} show={() => setShown(shown + A_PAGE)} />
    </Frame>
  )
}

/** The address keeps the filter, so that it is there again after a look at a run. */
function useFilter(parameters: URLSearchParams) {
  const [filter, setFilter] = useState<Filter>({
    words: parameters.get('find') ?? '',
    series: parameters.get('series') ?? '',
  })
  useEffect(() => {
    const { words, series } = filter
    const shown = { ...(words === '' ? {} : { find: words }), ...(series === '' ? {} : { series }) }
    history.replaceState(null, '', `/${queryOf(shown)}`)
  }, [filter])
  return [filter, setFilter] as const
}

function useRuns(events: Events) {
  const { data, error, reload } = useData(async () => get('/api/runs'), [])
  const [changed, setChanged] = useState<ReadonlyMap<string, ListedRun>>(new Map())
  useEffect(
    () =>
      events.listen((event) => {
        if (event.kind === 'reopened') reload()
        if (event.kind !== 'runs') return
        setChanged((before) => new Map([...before, ...event.runs.map(withPath)]))
      }),
    [],
  )
  // What was just loaded is newer than what was heard before.
  useEffect(() => setChanged(new Map()), [data])
  const runs = useMemo(() => {
    if (data === undefined) return undefined
    const all = new Map([...data.map(withPath), ...changed])
    return [...all.values()].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
  }, [data, changed])
  return { runs, error }
}

const withPath = (run: ListedRun) => [run.path, run] as const

interface Filter {
  readonly words: string
  /** The key of a series; empty for all. */
  readonly series: string
}

interface FiltersProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly series: readonly Series[]
  readonly filter: Filter
  readonly setFilter: (filter: Filter) => void
  readonly children: ComponentChildren
}

const Filters = ({ box, series, filter, setFilter, children }: FiltersProps) => (
  <div class="toolbar">
    <input
      ref={box}
      type="search"
      aria-label="Filter runs"
      placeholder="Filter: set, target, verdict"
      value={filter.words}
      onInput={({ currentTarget: { value } }) => setFilter({ ...filter, words: value })}
    />
    <select
      aria-label="Series"
      value={filter.series}
      onChange={({ currentTarget: { value } }) => setFilter({ ...filter, series: value })}
    >
      <option value="">All series</option>
      {series.map(({ key, label }) => (
        <option value={key}>{cut(label, 80)}</option>
      ))}
    </select>
    {children}
  </div>
)

function filterRuns(runs: readonly ListedRun[], filter: Filter) {
  const words = fold(filter.words).split(' ')
  return runs.filter((run) => {
    if (filter.series !== '' && run.series !== filter.series) return false
    const text = fold([nameOf(run), run.target, run.path, run.kind, run.state, run.verdict ?? ''].join(' '))
    return words.every((word) => text.includes(word))
  })
}

const NoRuns = () => (
  <div class="card empty">
    <h2>No runs yet</h2>
    <p>A run asks every question of a set, and shows which ones the knowledge base answers.</p>
    <p>
      <a class="button" href="/new">
        Start a run
      </a>
    </p>
  </div>
)

interface RunTableProps {
  readonly runs: readonly ListedRun[]
  readonly chosen: readonly string[]
  readonly toggle: (path: string) => void
  readonly table: RefObject<HTMLTableSectionElement | null>
}

function RunTable({ runs, chosen, toggle, table }: RunTableProps) {
  const now = useNow(runs.some(({ live }) => (live?.pausedUntil ?? null) !== null) ? 1000 : 30_000)
  if (runs.length === 0) return <p class="note muted">No run matches. Remove a word or choose all series.</p>
  return (
    <div class="card runs">
      <table>
        <thead>
          <tr>
            <td />
            {['Set and target', 'Started', 'Result', 'Grounded'].map((label) => (
              <th scope="col">{label}</th>
            ))}
            <th scope="col" class="right">
              Expectations
            </th>
            <th scope="col" class="right">
              Calls
            </th>
          </tr>
        </thead>
        <tbody ref={table}>
          {runs.map((run) => (
            <RunRow key={run.path} run={run} isChosen={chosen.includes(run.path)} toggle={toggle} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RunRowProps {
  readonly run: ListedRun
  readonly isChosen: boolean
  readonly toggle: (path: string) => void
  readonly now: number
}

function RunRow({ run, isChosen, toggle, now }: RunRowProps) {
  const { path, kind, target, startedAt, expectations, calls, live, fault } = run
  const asked = (expectations?.passed ?? 0) + (expectations?.failed ?? 0)
  return (
    <tr>
      <td>
        {kind === 'run' && live === null && fault === null ? (
          <input
            type="checkbox"
            aria-label={`Select ${showActing(path)}`}
            checked={isChosen}
            onChange={() => toggle(path)}
          />
        ) : null}
      </td>
      <th scope="row">
        <a href={runAddress(path)} title={showActing(path)}>
          <Untrusted text={nameOf(run)} max={120} />
        </a>{' '}
        {kind === 'run' ? null : <span class="chip muted">{kind}</span>}
        <small class="muted">
          <Untrusted text={target} max={80} /> · <Untrusted text={path} max={80} />
        </small>
      </th>
      <td data-label="Started">
        <TimeView at={startedAt} now={now} />
      </td>
      <td data-label="Result">
        {live === null ? <StateView run={run} /> : <ProgressView live={live} now={now} />}
      </td>
      <td data-label="Grounded">
        <GroundedView run={run} />
      </td>
      <td data-label="Expectations" class="right">
        {expectations === null || asked === 0 ? '' : `${digits(expectations.passed)} of ${digits(asked)} met`}
      </td>
      <td data-label="Calls" class="right">
        {(live?.attempts ?? calls) === null ? '' : digits(live?.attempts ?? calls ?? 0)}
      </td>
    </tr>
  )
}

/** The link of the row after (1) or before (-1) the focused one gets the focus. */
function moveFocus(table: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(table?.children ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.querySelector('a')?.focus()
}
