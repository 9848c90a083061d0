// A run while it is sent, and one that was stopped before its report: how far it is, and what to do with it.
import { useState } from 'preact/hooks'
import type { ListedRun, LiveRun } from '../../domain/listed-run.ts'
import { digits, duration, perSecond } from '../../domain/format.ts'
import { Button, Icon, Term } from '../../page/controls.tsx'
import { Box, Scale } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { RunView } from '../api.ts'
import { api } from './api.ts'
import { TextField } from './fields.tsx'
import { Problem } from './frame.tsx'
import { useAction, useNow } from './hooks.ts'
import { localTime, ofText, PauseView, StateView, subtitleOf } from './run-parts.tsx'

interface StopProps {
  readonly view: RunView
  readonly isReadOnly: boolean
}

interface Props extends StopProps {
  readonly resumed: () => void
}

export function RunWatch({ view, isReadOnly, resumed }: Props) {
  const { run, reason } = view
  const { live, state } = run
  return (
    <div class="beside">
      <div class="stack">
        <section class="box progress">
          {live === null ? null : <Progress run={run} live={live} />}
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
      <Box block={{ title: live === null ? 'This run' : 'So far' }}>
        <dl class="sums">
          {sumsOf(run).map(([label, value]) => (
            <>
              <dt>
                <Term label={label} />
              </dt>
              <dd>
                <Untrusted text={value} max={120} />
              </dd>
            </>
          ))}
        </dl>
      </Box>
    </div>
  )
}

interface ProgressProps {
  readonly run: ListedRun
  readonly live: LiveRun
}

function Progress({ run, live }: ProgressProps) {
  const now = useNow(1000)
  const { done, total } = live
  const isRunning = run.state === 'running'
  const passed = Math.max(0, now - Date.parse(run.startedAt))
  return (
    <>
      <p class="line">
        <b>{ofText(done, total)}</b>
        <span>questions done</span>
        {done === 0 || done === total || !isRunning ? null : (
          <span class="last quiet">about {duration((passed / done) * (total - done))} left</span>
        )}
      </p>
      <progress class="off-screen" max={total} value={done} aria-label="Questions done" />
      <Scale bar={{ rate: total === 0 ? 0 : done / total }} />
      <PauseView live={live} now={now} />
    </>
  )
}

function Stop({ view: { run, isOwn }, isReadOnly }: StopProps) {
  const stopping = useAction()
  const canStop = isOwn && !isReadOnly
  return (
    <div class="line acts">
      <Button
        disabled={!canStop || stopping.isBusy}
        aria-describedby="stop"
        act={() => stopping.act(async () => api.stop.$post({ json: { run: run.path } }))}
      >
        {stopping.isBusy ? 'Stopping…' : 'Stop'}
      </Button>
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

function sumsOf(run: ListedRun): readonly (readonly [label: string, value: string])[] {
  const about = [
    ['Started', localTime(run.startedAt)],
    ['Questions and target', subtitleOf(run)],
  ] as const
  if (run.live === null) return about
  const { answered, grounded, errors, attempts, pace, rateLimited } = run.live
  return [
    ['Grounded', ofText(grounded, answered)],
    ['Errors', digits(errors)],
    ['Calls', digits(attempts)],
    ['Sent again after a wait', digits(rateLimited)],
    ['Pace', pace === null ? 'as fast as it answers' : perSecond(pace)],
    ...about,
  ]
}

interface ResumeProps {
  readonly run: ListedRun
  /** `12 of 40`; empty where it is not known. */
  readonly sent: string
  /** The calls of the whole run that are needed, where its budget is used up. */
  readonly needed?: string | undefined
  readonly resumed: () => void
}

/** Shows nothing for a run that has nothing left to send. */
export function ResumeForm({ run, sent, needed = '', resumed }: ResumeProps) {
  const resuming = useAction()
  const [budget, setBudget] = useState(needed)
  const submit = (event: Event): void => {
    event.preventDefault()
    resuming.act(async () => {
      const maxCalls = budget === '' ? null : Number(budget)
      await api.resume.$post({ json: { run: run.path, maxCalls } })
      resumed()
    })
  }
  if (run.kind !== 'run' || ['complete', 'running', 'unreadable'].includes(run.state)) return null
  return (
    <form class="line acts resume" onSubmit={submit}>
      {sent === '' ? null : (
        <p>
          <b>Stopped.</b> {sent} questions are sent.
        </p>
      )}
      <TextField
        label="Calls at most, in the whole run"
        type="number"
        min={(run.calls ?? 0) + 1}
        placeholder="as before"
        value={budget}
        set={setBudget}
      />
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
  <Box block={{ title: 'Latest gaps, newest first' }} count={digits(gaps.length)}>
    <ul class="rows live">
      {gaps.map(({ id, message }) => (
        <li key={id} class="note">
          <Icon name="gap" class="warn" />
          <Untrusted text={message} max={300} />
        </li>
      ))}
    </ul>
  </Box>
)
