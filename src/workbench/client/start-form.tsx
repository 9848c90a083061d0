// Where a set is sent, at what cost, and held against which run; and what is missing before it can start.
import { useState } from 'preact/hooks'
import type { ListedRun } from '../../domain/listed-run.ts'
import { digits, percent, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession, SetView, TargetInfo } from '../api.ts'
import { get, post, runAddress } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useData } from './hooks.ts'
import { localTime } from './run-parts.tsx'

interface Props {
  readonly session: WorkbenchSession
  readonly view: SetView
  readonly columns: readonly string[]
}

export function StartForm({ session, view, columns }: Props) {
  const { targets, calls } = session
  const { data: runs = [] } = useData(async () => get('/api/runs'), [])
  const [target, setTarget] = useState(targets.find(({ problem }) => problem === null) ?? targets[0])
  const [typed, setTyped] = useState<string>()
  const [baseline, setBaseline] = useState('')
  const starting = useAction()
  const left = calls.max === null ? Infinity : Math.max(0, calls.max - calls.made)
  const worst = view.worstCalls
  const proposed = target === undefined || target.isSandbox ? '' : String(Math.min(worst, left))
  const budget = typed ?? proposed
  const missing = session.isReadOnly
    ? 'This workbench is read-only.'
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
    <form class="card stack" onSubmit={start}>
      <div class="fields">
        <label>
          Target
          <TargetSelect targets={targets} chosen={target} choose={setTarget} />
        </label>
        <label>
          Calls at most{target?.isSandbox === true ? ' (optional)' : ''}
          <input
            type="number"
            min={1}
            value={budget}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <label>
          Compare with (optional)
          <select value={baseline} onChange={({ currentTarget }) => setBaseline(currentTarget.value)}>
            <option value="">no run</option>
            {baselinesOf(runs, view.path, target).map(({ path, startedAt, grounded }) => (
              <option value={path}>
                {localTime(new Date(startedAt))}, {percent(grounded?.rate ?? null)} grounded
              </option>
            ))}
          </select>
        </label>
      </div>
      {missing === undefined && Number(budget || Infinity) < worst ? (
        <p class="warn">
          At worst the set takes {plural(worst, 'call')}. A run that reaches its budget stops, and can be
          resumed.
        </p>
      ) : null}
      <Problem error={starting.error} />
      <div class="toolbar">
        <button
          class="primary"
          disabled={missing !== undefined || starting.isBusy}
          aria-describedby="missing"
        >
          {starting.isBusy ? 'Starting…' : 'Start'}
        </button>
        <span id="missing" class="muted">
          <Untrusted text={missing ?? ''} max={300} />
        </span>
      </div>
    </form>
  )
}

interface TargetSelectProps {
  readonly targets: readonly TargetInfo[]
  readonly chosen: TargetInfo | undefined
  readonly choose: (target: TargetInfo | undefined) => void
}

export const TargetSelect = ({ targets, chosen, choose }: TargetSelectProps) => (
  <select
    value={chosen?.name ?? ''}
    onChange={({ currentTarget: { value } }) => choose(targets.find(({ name }) => name === value))}
  >
    {targets.map(({ name, isSandbox, baseUrl, problem }) => (
      <option value={name}>
        {showActing(name)}
        {isSandbox ? ' (costs nothing)' : baseUrl === null || baseUrl === name ? '' : ` (${baseUrl})`}
        {problem === null ? '' : ' – not ready'}
      </option>
    ))}
  </select>
)

/** Undefined if nothing keeps it from starting. */
function whatIsMissing({ faults }: SetView, target: TargetInfo | undefined, budget: string, left: number) {
  if (faults.length > 0) return `The set has ${plural(faults.length, 'fault')}.`
  if (target === undefined) return 'There is no target. Name one in assist-harness.yaml.'
  if (target.problem !== null) return target.problem
  const calls = Number(budget)
  if (budget === '') return target.isSandbox ? undefined : 'Say how many calls it may make at most.'
  if (!Number.isInteger(calls) || calls < 1) return 'The number of calls is a whole number from 1.'
  if (!target.isSandbox && calls > left)
    return `This session has ${digits(left)} calls left. Start it with a larger --max-calls.`
  return undefined
}

const baselinesOf = (runs: readonly ListedRun[], path: string, target: TargetInfo | undefined) =>
  runs
    .filter(({ kind, verdict, sets, ...run }) => {
      const isSame = sets.length === 1 && baseOf(sets[0] ?? '') === baseOf(path)
      return kind === 'run' && verdict !== null && isSame && run.target === target?.name
    })
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))

/** A workbook and the CSV file that it became in another folder are one set. */
const baseOf = (path: string): string => path.replace(/^.*\//s, '').replace(/\.[^.]*$/, '')
