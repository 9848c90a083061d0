// All runs of the folder, the newest first, with the trend of each series; two of them can be compared.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ListedRun } from '../../domain/listed-run.ts'
import { digits, plural } from '../../domain/format.ts'
import { cut } from '../../domain/text.ts'
import { fold } from '../../page/store.ts'
import { get, post, queryOf, runAddress } from './api.ts'
import { Frame, Problem, Waiting, type Key } from './frame.tsx'
import { useAction, useData, type Events, type ViewProps } from './hooks.ts'
import { nameOf } from './run-parts.tsx'
import { focusedRow, moveFocus, RunTable } from './run-table.tsx'
import { seriesOf, Trends, type Series } from './trends.tsx'

const A_PAGE = 200

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
    setChosen(chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen, path].slice(-2))
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
      press: () => focusedRow(table.current)?.querySelector('input')?.click(),
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
      {found.length <= shown ? null : (
        <button type="button" class="link" onClick={() => setShown(shown + A_PAGE)}>
          {digits(found.length - shown)} more
        </button>
      )}
    </Frame>
  )
}

/** Kept in the address, so that it is there again after a look at a run. */
function useFilter(parameters: URLSearchParams): readonly [Filter, (filter: Filter) => void] {
  const given = { words: parameters.get('find') ?? '', series: parameters.get('series') ?? '' }
  const [filter, setFilter] = useState(given)
  useEffect(() => {
    const { words, series } = filter
    const shown = { ...(words === '' ? {} : { find: words }), ...(series === '' ? {} : { series }) }
    history.replaceState(null, '', `/${queryOf(shown)}`)
  }, [filter])
  return [filter, setFilter]
}

/** As they are now, the newest first. */
function useRuns(events: Events) {
  const { data, error, reload } = useData(async () => get('/api/runs'), [])
  const [changed, setChanged] = useState<ReadonlyMap<string, ListedRun>>(new Map())
  useEffect(
    () =>
      events.listen((event) => {
        if (event.kind === 'reopened') reload()
        if (event.kind !== 'runs') return
        setChanged((before) => new Map([...before, ...event.runs.map((run) => [run.path, run] as const)]))
      }),
    [],
  )
  // What was just loaded is newer than what was heard before.
  useEffect(() => setChanged(new Map()), [data])
  const runs = useMemo(() => {
    if (data === undefined) return undefined
    const all = new Map([...data.map((run) => [run.path, run] as const), ...changed])
    return [...all.values()].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
  }, [data, changed])
  return { runs, error }
}

interface Filter {
  readonly words: string
  /** Its key; empty for all. */
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
