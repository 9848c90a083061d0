// A run while it is sent, and one that was stopped before its report: how far it is, and what to do with it.
import { useState } from 'preact/hooks'
import type { ListedRun, LiveRun } from '../../domain/listed-run.ts'
import { digits, duration, percent, perSecond, plural, ratioOf } from '../../domain/format.ts'
import { BlockView } from '../../page/blocks.tsx'
import { BarView } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { Figure } from '../../report/document.ts'
import type { RunView } from '../api.ts'
import { post } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useNow } from './hooks.ts'
import { nameOf, PauseView, StateView, TimeView } from './run-parts.tsx'

interface Props {
  readonly view: RunView
  readonly isReadOnly: boolean
  readonly resumed: () => void
}

export function RunWatch({ view: { run, reason, isOwn }, isReadOnly, resumed }: Props) {
  const stopping = useAction()
  const stop = (): void => stopping.act(async () => void (await post('/api/stop', { run: run.path })))
  const now = useNow(1000)
  const { live, target, startedAt, state } = run
  return (
    <div class="blocks watch">
      <div>
        <h1>
          <Untrusted text={nameOf(run)} max={200} />
        </h1>
        <p class="muted">
          <Untrusted text={target} max={120} /> · started <TimeView at={startedAt} now={now} />
        </p>
      </div>
      <Problem error={stopping.error} />
      {live === null ? null : <LiveView live={live} startedAt={startedAt} now={now} />}
      {state === 'running' ? (
        <div class="toolbar">
          {isOwn && !isReadOnly ? (
            <button type="button" disabled={stopping.isBusy} onClick={stop}>
              {stopping.isBusy ? 'Stopping…' : 'Stop'}
            </button>
          ) : null}
          <span class="muted">
            {isOwn
              ? 'Stop keeps all answers. You can resume the run later.'
              : 'Another process sends this run. Press Ctrl-C there to stop it.'}
          </span>
        </div>
      ) : (
        <div class="card">
          <p>
            <StateView run={run} />
            {'. '}
            {reason === '' ? 'The report is being written.' : <Untrusted text={reason} max={300} />}
          </p>
          {isReadOnly ? null : <ResumeForm run={run} resumed={resumed} />}
        </div>
      )}
      {live === null || live.gaps.length === 0 ? null : <Gaps live={live} />}
    </div>
  )
}

interface LiveProps {
  readonly live: LiveRun
  readonly startedAt: string
  readonly now: number
}

function LiveView({ live, startedAt, now }: LiveProps) {
  const { done, total, answered, grounded, errors, attempts, pace, rateLimited } = live
  const rate = answered === 0 ? null : grounded / answered
  const figures: readonly Figure[] = [
    {
      label: 'Grounded so far',
      value: percent(rate),
      of: ratioOf(grounded, answered),
      bar: rate === null ? undefined : { rate },
    },
    {
      label: 'Calls',
      value: digits(attempts),
      note: `${duration(Math.max(0, now - Date.parse(startedAt)))} so far`,
    },
    {
      label: 'Pace',
      value: pace === null ? 'unlimited' : perSecond(pace),
      note: `${digits(rateLimited)} × 429`,
    },
    { label: 'Errors', value: digits(errors), tone: errors === 0 ? undefined : 'bad' },
  ]
  return (
    <>
      <div class="card progress">
        <p>
          <b>{percent(total === 0 ? 0 : done / total, 0)}</b>
          {` · ${digits(done)} of ${plural(total, 'question')} done`}
        </p>
        <BarView bar={{ rate: total === 0 ? 0 : done / total }} />
        <PauseView live={live} now={now} />
      </div>
      <BlockView block={{ kind: 'figures', figures }} />
    </>
  )
}

/** Shows nothing for a run that has nothing left to send. */
export function ResumeForm({ run, resumed }: { readonly run: ListedRun; readonly resumed: () => void }) {
  const resuming = useAction()
  const [budget, setBudget] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    resuming.act(async () => {
      await post('/api/resume', { run: run.path, maxCalls: budget === '' ? null : Number(budget) })
      resumed()
    })
  }
  if (run.kind !== 'run' || ['complete', 'running', 'unreadable'].includes(run.state)) return null
  return (
    <form class="toolbar" onSubmit={submit}>
      <label>
        Calls at most, in the whole run{' '}
        <input
          type="number"
          min={(run.calls ?? 0) + 1}
          placeholder="as before"
          value={budget}
          onInput={({ currentTarget }) => setBudget(currentTarget.value)}
        />
      </label>
      <button class="primary" disabled={resuming.isBusy} title="Sends what is left; all answers are kept">
        Resume
      </button>
      <Problem error={resuming.error} />
    </form>
  )
}

const Gaps = ({ live: { gaps } }: { readonly live: LiveRun }) => (
  <div class="card">
    <h2>Latest gaps</h2>
    <ul class="items">
      {gaps.map(({ id, message }) => (
        <li key={id}>
          <span class="warn" aria-hidden="true">
            ○
          </span>{' '}
          <Untrusted text={message} max={300} />{' '}
          <small class="muted">
            # <Untrusted text={id} max={40} />
          </small>
        </li>
      ))}
    </ul>
  </div>
)
