// The runs as a table: the name first, then what came of it.
import type { RefObject } from 'preact'
import { digits, percent, points } from '../../domain/format.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import { showActing } from '../../domain/text.ts'
import { Term } from '../../page/controls.tsx'
import { Untrusted } from '../../page/text.tsx'
import { runAddress } from './api.ts'
import { useNow } from './hooks.ts'
import { nameOf, ofText, PauseView, StateView, subtitleOf, TimeView, toneOf } from './run-parts.tsx'

interface RunTableProps {
  readonly runs: readonly ListedRun[]
  readonly chosen: readonly string[]
  readonly toggle: (path: string) => void
  readonly table: RefObject<HTMLTableSectionElement | null>
}

export function RunTable({ runs, chosen, toggle, table }: RunTableProps) {
  const isPaused = runs.some(({ live }) => (live?.pausedUntil ?? null) !== null)
  const now = useNow(isPaused ? 1000 : 30_000)
  if (runs.length === 0) return <p class="quiet">No run has all these words. Remove one, or show all.</p>
  return (
    <table class="runs two-line-rows">
      <thead>
        <tr>
          <td />
          <th scope="col">Run</th>
          <th scope="col">Result</th>
          <th scope="col" class="wide">
            Started
          </th>
          {['Grounded', 'Change', 'Expectations met', 'Calls'].map((label) => (
            <th scope="col" class="right">
              <Term label={label} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={table}>
        {runs.map((run) => (
          <RunRow key={run.path} run={run} isChosen={chosen.includes(run.path)} toggle={toggle} now={now} />
        ))}
      </tbody>
    </table>
  )
}

interface RunRowProps {
  readonly run: ListedRun
  readonly isChosen: boolean
  readonly toggle: (path: string) => void
  readonly now: number
}

function RunRow({ run, isChosen, toggle, now }: RunRowProps) {
  const { path, kind, startedAt, expectations, grounded, live, fault } = run
  const asked = (expectations?.passed ?? 0) + (expectations?.failed ?? 0)
  const change = grounded?.change ?? null
  const rate = live === null ? (grounded?.rate ?? null) : live.answered && live.grounded / live.answered
  const calls = live?.attempts ?? run.calls
  return (
    <tr>
      <td class="check">
        {kind === 'run' ? (
          <input
            type="checkbox"
            aria-label={`Choose ${showActing(path)}`}
            disabled={live !== null || fault !== null}
            checked={isChosen}
            onChange={() => toggle(path)}
          />
        ) : null}
      </td>
      <th scope="row" class="name">
        <a href={runAddress(path)} class="one-line">
          <Untrusted text={nameOf(run)} max={120} />
        </a>
        <small class="one-line">
          <Untrusted text={subtitleOf(run)} max={120} />
        </small>
      </th>
      <td>
        <StateView run={run} />
        {live === null ? null : <PauseView live={live} now={now} />}
      </td>
      <td class="wide">
        <TimeView at={startedAt} />
      </td>
      <td class="right" data-name={rate === null ? undefined : 'grounded'}>
        {rate === null ? '' : percent(rate)}
      </td>
      <td class="right">
        {change === null ? null : (
          <span class={toneOf(change)}>{points(change).replace(/ points?$/, '')}</span>
        )}
      </td>
      <td class="right" data-name={asked === 0 ? undefined : 'met'}>
        {expectations === null || asked === 0 ? '' : ofText(expectations.passed, asked)}
      </td>
      <td class="right" data-name={calls === null ? undefined : 'calls'}>
        {calls === null ? '' : digits(calls)}
      </td>
    </tr>
  )
}

/** The link of the row after (1) or before (-1) the focused one gets the focus. */
export function moveFocus(table: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(table?.children ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.querySelector('a')?.focus()
}
