// Where a set is sent, at what cost, and held against which run; and what is missing before it can start.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ListedRun } from '../../domain/listed-run.ts'
import { digits, percent, plural } from '../../domain/format.ts'
import { PART_COLUMN } from '../../domain/viewed-set.ts'
import { Icon } from '../../page/controls.tsx'
import { Box } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession, SetView, TargetInfo } from '../api.ts'
import { api, runAddress } from './api.ts'
import { Select, TextField } from './fields.tsx'
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
  const { data: runs, error } = useData(async () => (await api.runs.$get()).json(), [])
  const [chosen, choose] = useState<TargetInfo>()
  // The samples are asked on the sandbox, which is the first.
  const isSample = view.path.startsWith('shipped/')
  const target = chosen ?? (isSample ? targets[0] : firstTarget(session))
  const [typed, setTyped] = useState<string>()
  const baselines = baselinesOf(runs ?? [], view, target)
  const [picked, setPicked] = useState<string>()
  const isPicked = picked === '' || baselines.some(({ path }) => path === picked)
  const baseline = isPicked ? picked : baselines.find(({ state }) => state === 'complete')?.path
  const starting = useAction()
  const left = calls.max === null ? Infinity : Math.max(0, calls.max - calls.made)
  const worst = view.worstCalls
  const proposed = target === undefined || target.isFree ? '' : String(Math.min(worst, left))
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
      const json = { set: view.path, columns, target: target.name, maxCalls, baseline: baseline || null }
      location.assign(runAddress((await (await api.start.$post({ json })).json()).path))
    })
  }
  return (
    <Box block={{ title: 'This run' }}>
      <form class="form" onSubmit={start}>
        <TargetSelect targets={targets} chosen={target} choose={choose} />
        <Select
          label="Compare with"
          value={baseline ?? ''}
          choose={setPicked}
          options={[['', 'no run'], ...baselines.map((run) => [run.path, aboutOf(run)] as const)]}
        />
        <TextField
          label={target?.isFree === true ? 'Calls at most (optional)' : 'Calls at most'}
          type="number"
          min={1}
          value={budget}
          set={setTyped}
        />
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
          {starting.isBusy ? 'Starting…' : target?.isFree === true ? 'Start, costs nothing' : 'Start'}
        </button>
        <small id="missing">
          <Untrusted text={missing ?? ''} max={300} />
        </small>
      </form>
    </Box>
  )
}

/** That of the last run; where it is gone, the user chooses: another would answer otherwise, or cost. */
export const firstTarget = ({ targets, lastTarget }: WorkbenchSession): TargetInfo | undefined =>
  lastTarget === null
    ? (targets.find(({ problem }) => problem === null) ?? targets[0])
    : targets.find(({ name }) => name === lastTarget)

interface TargetSelectProps {
  readonly label?: ComponentChildren
  readonly targets: readonly TargetInfo[]
  readonly chosen: TargetInfo | undefined
  readonly choose: (target: TargetInfo | undefined) => void
}

export const TargetSelect = ({ label = 'Target', targets, chosen, choose }: TargetSelectProps) => (
  <Select
    label={label}
    value={chosen?.name ?? ''}
    choose={(value) => choose(targets.find(({ name }) => name === value))}
    options={[
      ...(chosen === undefined ? [['', 'Choose…'] as const] : []),
      ...targets.map(({ name, isFree, baseUrl, problem }) => {
        const address = baseUrl === null || baseUrl === name ? '' : ` (${baseUrl})`
        const says = `${name}${isFree ? ' (costs nothing)' : address}`
        return [name, problem === null ? says : `${says} – not ready`] as const
      }),
    ]}
  />
)

/** Undefined if nothing keeps it from starting. */
function whatIsMissing({ faults }: SetView, target: TargetInfo | undefined, budget: string, left: number) {
  if (faults.length > 0) return `${plural(faults.length, 'fault')} of the set to correct first.`
  if (target === undefined) return 'Choose a target.'
  if (target.problem !== null) return target.problem
  const calls = Number(budget)
  if (budget === '') return target.isFree ? undefined : 'Say how many calls it may make at most.'
  if (!Number.isInteger(calls) || calls < 1) return 'The number of calls is a whole number from 1.'
  if (!target.isFree && calls > left)
    return `This session has ${digits(left)} calls left. It can be started again with more.`
  return undefined
}

const aboutOf = (run: ListedRun): string =>
  `${nameOf(run)}, ${localTime(run.startedAt)}, ${percent(run.grounded?.rate ?? null)} grounded`

/**
 * The newest first. A workbook and the CSV file that it became in another folder are one set. A part of a
 * run, such as what an edit affects, is compared with that run.
 */
function baselinesOf(runs: readonly ListedRun[], { path, table }: SetView, target: TargetInfo | undefined) {
  const partOf = table.rows[0]?.cells[table.columns.indexOf(PART_COLUMN)] ?? ''
  return runs
    .filter(
      ({ kind, ids, verdict, sets, target: name }) =>
        kind === 'run' &&
        verdict !== null &&
        name === target?.name &&
        (partOf === '' ? sets.length === 1 && baseOf(sets[0] ?? '') === baseOf(path) : ids[0] === partOf),
    )
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
}

const baseOf = (path: string): string => path.replace(/^.*\//s, '').replace(/\.[^.]*$/, '')
