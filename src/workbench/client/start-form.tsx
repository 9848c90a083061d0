// Where a set is sent, at what cost, and held against which run; and what is missing before it can start.
import { useState } from 'preact/hooks'
import type { ListedRun } from '../../domain/listed-run.ts'
import { digits, percent, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Icon } from '../../page/icons.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession, SetView, TargetInfo } from '../api.ts'
import { get, post, runAddress } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useData } from './hooks.ts'
import { localTime, nameOf } from './run-parts.tsx'

interface Props {
  readonly session: WorkbenchSession
  readonly view: SetView
  readonly columns: readonly string[]
}

export function StartForm({ session, view, columns }: Props) {
  const { targets, calls } = session
  const { data: runs, error } = useData(async () => get('/api/runs'), [])
  const [chosen, choose] = useState<TargetInfo>()
  // The samples are asked where it costs nothing.
  const isSample = view.path.startsWith('shipped/')
  const target = chosen ?? (isSample ? targets.find(({ isSandbox }) => isSandbox) : firstTarget(session))
  const [typed, setTyped] = useState<string>()
  const baselines = baselinesOf(runs ?? [], view.path, target)
  const [picked, setPicked] = useState<string>()
  const isPicked = picked === '' || baselines.some(({ path }) => path === picked)
  const baseline = isPicked ? picked : baselines.find(({ state }) => state === 'complete')?.path
  const starting = useAction()
  const left = calls.max === null ? Infinity : Math.max(0, calls.max - calls.made)
  const worst = view.worstCalls
  const proposed = target === undefined || target.isSandbox ? '' : String(Math.min(worst, left))
  const budget = typed ?? proposed
  const missing = session.isReadOnly
    ? 'This workbench is read-only.'
    : runs === undefined && error === undefined
      ? 'Looking for the last run of this set…'
      : whatIsMissing(view, target, budget, left)
  const start = (event: Event): void => {
    event.preventDefault()
    if (missing !== undefined || target === undefined) return
    starting.act(async () => {
      const maxCalls = budget === '' ? null : Number(budget)
      const wanted = { set: view.path, columns, target: target.name, maxCalls, baseline: baseline || null }
      location.assign(runAddress((await post('/api/start', wanted)).path))
    })
  }
  return (
    <section class="box">
      <div class="box-head">
        <h2>This run</h2>
      </div>
      <form class="form" onSubmit={start}>
        <TargetSelect targets={targets} chosen={target} choose={choose} />
        <BaselineSelect runs={baselines} chosen={baseline ?? ''} choose={setPicked} />
        <label class="field">
          <span>Calls at most{target?.isSandbox === true ? ' (optional)' : ''}</span>
          <input
            class="input"
            type="number"
            min={1}
            value={budget}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        {calls.max === null ? null : (
          <dl class="sums">
            <dt>Calls that cost, left in this session</dt>
            <dd>{`${digits(left)} of ${digits(calls.max)}`}</dd>
          </dl>
        )}
        {missing === undefined && Number(budget || Infinity) < worst ? (
          <p class="warn">A run that reaches its number of calls stops, and can go on later.</p>
        ) : null}
        <Problem error={starting.error} />
        <button
          class="button primary"
          disabled={missing !== undefined || starting.isBusy}
          aria-describedby="missing"
        >
          <Icon name="run" />
          {starting.isBusy ? 'Starting…' : target?.isSandbox === true ? 'Start, costs nothing' : 'Start'}
        </button>
        <small id="missing">
          <Untrusted text={missing ?? ''} max={300} />
        </small>
      </form>
    </section>
  )
}

/** That of the last run; where it is gone, the user chooses: another would answer otherwise, or cost. */
export const firstTarget = ({ targets, lastTarget }: WorkbenchSession): TargetInfo | undefined =>
  lastTarget === null
    ? (targets.find(({ problem }) => problem === null) ?? targets[0])
    : targets.find(({ name }) => name === lastTarget)

interface BaselineProps {
  readonly runs: readonly ListedRun[]
  /** The path of a run; empty for none. */
  readonly chosen: string
  readonly choose: (path: string) => void
}

const BaselineSelect = ({ runs, chosen, choose }: BaselineProps) => (
  <label class="field">
    <span>Compare with</span>
    <select class="input" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <option value="">no run</option>
      {runs.map((run) => (
        <option value={run.path}>
          {showActing(nameOf(run))}, {localTime(new Date(run.startedAt))},{' '}
          {percent(run.grounded?.rate ?? null)} grounded
        </option>
      ))}
    </select>
  </label>
)

interface TargetSelectProps {
  readonly targets: readonly TargetInfo[]
  readonly chosen: TargetInfo | undefined
  readonly choose: (target: TargetInfo | undefined) => void
}

export const TargetSelect = ({ targets, chosen, choose }: TargetSelectProps) => (
  <label class="field">
    <span>Target</span>
    <select
      class="input"
      value={chosen?.name ?? ''}
      onChange={({ currentTarget: { value } }) => choose(targets.find(({ name }) => name === value))}
    >
      {chosen === undefined ? <option value="">Choose…</option> : null}
      {targets.map(({ name, isSandbox, baseUrl, problem }) => (
        <option value={name}>
          {showActing(name)}
          {isSandbox ? ' (costs nothing)' : baseUrl === null || baseUrl === name ? '' : ` (${baseUrl})`}
          {problem === null ? '' : ' – not ready'}
        </option>
      ))}
    </select>
  </label>
)

/** Undefined if nothing keeps it from starting. */
function whatIsMissing({ faults }: SetView, target: TargetInfo | undefined, budget: string, left: number) {
  if (faults.length > 0) return `${plural(faults.length, 'fault')} of the set to correct first.`
  if (target === undefined) return 'Choose a target.'
  if (target.problem !== null) return target.problem
  const calls = Number(budget)
  if (budget === '') return target.isSandbox ? undefined : 'Say how many calls it may make at most.'
  if (!Number.isInteger(calls) || calls < 1) return 'The number of calls is a whole number from 1.'
  if (!target.isSandbox && calls > left)
    return `This session has ${digits(left)} calls left. It can be started again with more.`
  return undefined
}

const baselinesOf = (runs: readonly ListedRun[], path: string, target: TargetInfo | undefined) =>
  runs
    .filter((run) => run.verdict !== null && isOfSet(run, path) && run.target === target?.name)
    .sort(byStart)

const byStart = (a: ListedRun, b: ListedRun): number => Date.parse(b.startedAt) - Date.parse(a.startedAt)

/** A workbook and the CSV file that it became in another folder are one set. */
const isOfSet = ({ kind, sets }: ListedRun, path: string): boolean =>
  kind === 'run' && sets.length === 1 && baseOf(sets[0] ?? '') === baseOf(path)

const baseOf = (path: string): string => path.replace(/^.*\//s, '').replace(/\.[^.]*$/, '')
