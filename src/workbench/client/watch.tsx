// A run while it is sent, and one that was stopped before its report: how far it is, and what to do with it.
import { useState } from 'preact/hooks'
import type { ListedRun, LiveRun } from '../../domain/listed-run.ts'
import { digits, duration, perSecond, plural } from '../../domain/format.ts'
import { Term } from '../../page/hints.tsx'
import { Icon } from '../../page/icons.tsx'
import { Scale } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { RunView } from '../api.ts'
import { post } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction, useNow } from './hooks.ts'
import { nameOf, ofText, PauseView, StateView, subtitleOf, TimeView } from './run-parts.tsx'

interface Props {
  readonly view: RunView
  readonly isReadOnly: boolean
  readonly resumed: () => void
}

export function RunWatch({ view, isReadOnly, resumed }: Props) {
  const { run, reason } = view
  const now = useNow(1000)
  const { live, startedAt, state } = run
  return (
    <div class="split">
      <div class="stack">
        <section class="box progress">
          {live === null ? null : <Progress run={run} live={live} now={now} />}
          {state === 'running' ? (
            <Stop view={view} isReadOnly={isReadOnly} />
          ) : (
            <>
              <div>
                <StateView run={run} />
              </div>
              <p>{reason === '' ? 'The report is being written.' : <Untrusted text={reason} max={300} />}</p>
              {isReadOnly ? null : <ResumeForm run={run} sent="" resumed={resumed} />}
            </>
          )}
        </section>
        {live === null || live.gaps.length === 0 ? null : <Gaps live={live} />}
      </div>
      <aside>
        <section class="box">
          <div class="box-head">
            <h2>{live === null ? 'This run' : 'So far'}</h2>
          </div>
          <dl class="sums">
            {live === null ? null : <Sums live={live} />}
            <dt>Started</dt>
            <dd>
              <TimeView at={startedAt} />
            </dd>
            <dt>Questions and target</dt>
            <dd>
              <Untrusted text={subtitleOf(run)} max={120} />
            </dd>
          </dl>
        </section>
      </aside>
    </div>
  )
}

interface ProgressProps {
  readonly run: ListedRun
  readonly live: LiveRun
  readonly now: number
}

function Progress({ run, live, now }: ProgressProps) {
  const { done, total } = live
  const passed = Math.max(0, now - Date.parse(run.startedAt))
  return (
    <>
      <p class="progress-head">
        <b>{ofText(done, total)}</b>
        <span>
          <Untrusted text={nameOf(run)} max={80} />
          {run.state === 'running' ? ' is running' : ''}
        </span>
        {done === 0 || done === total || run.state !== 'running' ? null : (
          <span class="last quiet">about {duration((passed / done) * (total - done))} left</span>
        )}
      </p>
      <progress class="off-screen" max={total} value={done} aria-label="Questions done" />
      <Scale bar={{ rate: total === 0 ? 0 : done / total }} />
      <PauseView live={live} now={now} />
    </>
  )
}

function Stop({ view: { run, isOwn }, isReadOnly }: Pick<Props, 'view' | 'isReadOnly'>) {
  const stopping = useAction()
  const canStop = isOwn && !isReadOnly
  return (
    <div class="acts">
      <button
        type="button"
        class="button"
        disabled={!canStop || stopping.isBusy}
        aria-describedby="stop"
        onClick={() => stopping.act(async () => void (await post('/api/stop', { run: run.path })))}
      >
        {stopping.isBusy ? 'Stopping…' : 'Stop'}
      </button>
      <small id="stop">
        {canStop
          ? 'Keeps all answers; the run can go on later. This page may be closed.'
          : isReadOnly
            ? 'This workbench is read-only.'
            : 'Another program sends this run; it can be stopped there.'}
      </small>
      <Problem error={stopping.error} />
    </div>
  )
}

const Sums = ({ live }: { readonly live: LiveRun }) => {
  const { answered, grounded, errors, attempts, pace, rateLimited } = live
  const rows = [
    ['Grounded', ofText(grounded, answered)],
    ['Errors', digits(errors)],
    ['Calls', digits(attempts)],
    ['Sent again after a wait', digits(rateLimited)],
    ['Pace', pace === null ? 'as fast as it answers' : perSecond(pace)],
  ] as const
  return (
    <>
      {rows.map(([label, value]) => (
        <>
          <dt>
            <Term label={label} id={`so-far-${label.toLowerCase().replaceAll(' ', '-')}`} />
          </dt>
          <dd>{value}</dd>
        </>
      ))}
    </>
  )
}

interface ResumeProps {
  readonly run: ListedRun
  /** `12 of 40`; empty where it is not known. */
  readonly sent: string
  readonly resumed: () => void
}

/** Shows nothing for a run that has nothing left to send. */
export function ResumeForm({ run, sent, resumed }: ResumeProps) {
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
    <form class="acts resume" onSubmit={submit}>
      {sent === '' ? null : (
        <p>
          <b>Stopped.</b> {sent} questions are sent.
        </p>
      )}
      <label class="field">
        <span>Calls at most, in the whole run</span>
        <input
          class="input"
          type="number"
          min={(run.calls ?? 0) + 1}
          placeholder="as before"
          value={budget}
          onInput={({ currentTarget }) => setBudget(currentTarget.value)}
        />
      </label>
      <button class="button primary" disabled={resuming.isBusy}>
        <Icon name="run" />
        Go on
      </button>
      <small>Sends what is left; all answers are kept.</small>
      <Problem error={resuming.error} />
    </form>
  )
}

const Gaps = ({ live: { gaps } }: { readonly live: LiveRun }) => (
  <section class="box">
    <div class="box-head">
      <h2>Latest gaps</h2>
      <small class="last">{plural(gaps.length, 'gap')}, newest first</small>
    </div>
    <ul class="rows live">
      {gaps.map(({ id, message }) => (
        <li key={id}>
          <Icon name="gap" class="warn" />
          <Untrusted text={message} max={300} />
        </li>
      ))}
    </ul>
  </section>
)
