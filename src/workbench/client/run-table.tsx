// The table of runs: a row for each, a card on a narrow screen.
import type { RefObject } from 'preact'
import type { ListedRun } from '../../domain/listed-run.ts'
import { digits } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Untrusted } from '../../page/text.tsx'
import { runAddress } from './api.ts'
import { useNow } from './hooks.ts'
import { GroundedView, nameOf, ProgressView, StateView, TimeView } from './run-parts.tsx'

interface RunTableProps {
  readonly runs: readonly ListedRun[]
  readonly chosen: readonly string[]
  readonly toggle: (path: string) => void
  readonly table: RefObject<HTMLTableSectionElement | null>
}

export const RunTable = ({ runs, chosen, toggle, table }: RunTableProps) => {
  const now = useNow(runs.some(({ live }) => (live?.pausedUntil ?? null) !== null) ? 1000 : 30_000)
  return runs.length === 0 ? (
    <p class="note muted">No run matches. Remove a word or choose all series.</p>
  ) : (
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
  const { path, kind, target, startedAt, expectations, calls, live } = run
  const asked = (expectations?.passed ?? 0) + (expectations?.failed ?? 0)
  return (
    <tr>
      <td>
        {kind === 'run' && live === null ? (
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
        {(live?.calls ?? calls) === null ? '' : digits(live?.calls ?? calls ?? 0)}
      </td>
    </tr>
  )
}

export const focusedRow = (table: HTMLElement | null): HTMLElement | undefined =>
  [...(table?.children ?? [])].find((row): row is HTMLElement => row.contains(document.activeElement))

/** To the link of the row after (1) or before (-1) the focused one. */
export function moveFocus(table: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(table?.children ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.querySelector('a')?.focus()
}
