// All runs of the folder, the newest first, with the trend of each series; two of them can be compared.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { digits } from '../../domain/format.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import { Search } from '../../page/bar.tsx'
import { Button, Icon } from '../../page/controls.tsx'
import { fold } from '../../page/store.ts'
import { A_PAGE, ShowMore } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession } from '../api.ts'
import { api, queryOf, runAddress } from './api.ts'
import { Empty, Frame, Problem, Waiting } from './frame.tsx'
import { type Events, useAction, useData, type ViewProps } from './hooks.ts'
import { localTime, nameOf } from './run-parts.tsx'
import { moveFocus, RunTable } from './run-table.tsx'
import { Trends } from './trends.tsx'

export function Runs({ session, parameters, events }: ViewProps) {
  const { runs, error } = useRuns(events)
  // The address keeps the search, so that it is there again after a look at a run.
  const [words, setWords] = useState(parameters.get('find') ?? '')
  useEffect(() => history.replaceState(null, '', `/${queryOf(words === '' ? {} : { find: words })}`), [words])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [shown, setShown] = useState(A_PAGE)
  const box = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLTableSectionElement>(null)
  const found = useMemo(() => findRuns(runs ?? [], words), [runs, words])
  const toggle = (path: string): void =>
    setChosen((before) =>
      // A third one takes the place of the first.
      before.includes(path) ? before.filter((other) => other !== path) : [...before, path].slice(-2),
    )
  const action = (
    <a class="button primary" href="/new">
      <Icon name="run" />
      New run
    </a>
  )
  if (runs === undefined || runs.length === 0)
    return (
      <Frame session={session} title="Runs" action={action}>
        {runs === undefined ? <Waiting error={error} /> : <NoRuns session={session} />}
      </Frame>
    )
  return (
    <Frame
      session={session}
      title="Runs"
      keys={[
        { key: 'j', does: 'next run', press: () => moveFocus(table.current, 1) },
        { key: 'k', does: 'run before', press: () => moveFocus(table.current, -1) },
        { key: 'Enter', does: 'open the run' },
        { key: '/', does: 'search', press: () => box.current?.focus() },
      ]}
      action={action}
      search={<Search box={box} label="Search runs" value={words} search={setWords} />}
    >
      <Problem error={error} />
      <Trends runs={runs} search={setWords} />
      <section class="box" aria-labelledby="all">
        <div class="box-head">
          <h2 id="all">{found.length === runs.length ? 'All runs' : 'Runs found'}</h2>
          <span class="number" role="status">
            {digits(found.length)}
          </span>
          {found.length === runs.length ? null : (
            <Button kind="plain" act={() => setWords('')}>
              Show all
            </Button>
          )}
          <Compare
            chosen={runs.filter(({ path }) => chosen.includes(path))}
            isReadOnly={session.isReadOnly}
          />
        </div>
        <RunTable runs={found.slice(0, shown)} chosen={chosen} toggle={toggle} table={table} />
        <ShowMore count={found.length - shown} show={() => setShown(shown + A_PAGE)} />
      </section>
    </Frame>
  )
}

interface CompareProps {
  /** The newest first: the older one is the baseline. */
  readonly chosen: readonly ListedRun[]
  readonly isReadOnly: boolean
}

function Compare({ chosen: [newer, older], isReadOnly }: CompareProps) {
  const comparing = useAction()
  const missing = isReadOnly
    ? 'This workbench is read-only.'
    : newer === undefined
      ? 'Choose two runs'
      : older === undefined
        ? 'Choose one more'
        : ''
  const compare = (): void =>
    comparing.act(async () => {
      if (newer === undefined || older === undefined) return
      const json = { baseline: older.path, candidate: newer.path }
      const { path } = await (await api.compare.$post({ json })).json()
      location.assign(runAddress(path))
    })
  return (
    <>
      <small class="last" id="choose">
        {missing}
      </small>
      <Button disabled={missing !== '' || comparing.isBusy} aria-describedby="choose" act={compare}>
        {newer === undefined || older === undefined ? (
          'Compare'
        ) : (
          <>
            Compare <Untrusted text={calledFrom(older, newer)} max={24} /> with{' '}
            <Untrusted text={calledFrom(newer, older)} max={24} />
          </>
        )}
      </Button>
      <Problem error={comparing.error} />
    </>
  )
}

/** Runs of one set have one name, unless a person gave them others. */
const calledFrom = (run: ListedRun, other: ListedRun): string =>
  nameOf(run) === nameOf(other) ? localTime(run.startedAt) : nameOf(run)

function useRuns(events: Events) {
  const { data, error, reload } = useData(async () => (await api.runs.$get()).json(), [])
  const [runs, setRuns] = useState<readonly ListedRun[]>()
  useEffect(
    () =>
      events.listen((event) => {
        if (event.kind === 'reopened') reload()
        if (event.kind === 'runs') setRuns(event.runs)
      }),
    [],
  )
  // What was just loaded is newer than what was heard before.
  useEffect(() => setRuns(undefined), [data])
  return { runs: runs ?? data, error }
}

function findRuns(runs: readonly ListedRun[], sought: string): readonly ListedRun[] {
  const words = fold(sought).split(' ')
  return runs.filter((run) => {
    const { target, path, kind, state, verdict, sets } = run
    const text = fold([nameOf(run), target, path, kind, state, verdict ?? '', ...sets].join(' '))
    return words.every((word) => text.includes(word))
  })
}

const NoRuns = ({ session: { sets } }: { readonly session: WorkbenchSession }) => {
  const sample = sets.find((set) => set.startsWith('shipped/'))
  return (
    <Empty
      icon="article"
      title="No run yet"
      acts={
        <>
          <a class="button primary" href="/new">
            <Icon name="upload" />
            Choose a sheet
          </a>
          {sample === undefined ? null : (
            <a class="button" href={`/new${queryOf({ set: sample })}`}>
              Try sample questions, costs nothing
            </a>
          )}
        </>
      }
    >
      Choose a sheet of questions that people ask your desk. Each is asked once, and you see which answers
      come from your articles, which do not, and what is wrong in them.
    </Empty>
  )
}
