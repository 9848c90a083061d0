// How a run is shown wherever it is listed: its name, its state, the time, its coverage.
import type { ListedRun, LiveRun } from '../../domain/listed-run.ts'
import { digits, duration, percent, perSecond, points, ratioOf } from '../../domain/format.ts'
import { BarView } from '../../page/table.tsx'
import { Untrusted } from '../../page/text.tsx'
import { MARKS, type Tone } from '../../report/document.ts'

/** The name is untrusted: it is made of names of sets, or of runs. */
export const nameOf = ({ kind, sets, path }: ListedRun): string =>
  sets.join(kind === 'comparison' ? ' → ' : ', ') || path

const TONES: Readonly<Record<string, Tone>> = {
  passed: 'good',
  failed: 'bad',
  done: 'good',
  known: 'good',
  incomplete: 'warn',
  unmet: 'warn',
  unknown: 'warn',
}

export function StateView({ run: { state, verdict, fault } }: { readonly run: ListedRun }) {
  if (fault !== null)
    return (
      <span class="warn">
        <span aria-hidden="true">{MARKS.warn}</span> unreadable{' '}
        <small>
          <Untrusted text={fault} max={300} />
        </small>
      </span>
    )
  const word = verdict ?? (state === 'complete' ? 'no report' : state)
  const tone = TONES[verdict ?? ''] ?? (state === 'complete' || state === 'running' ? 'muted' : 'warn')
  return (
    <span class={tone}>
      <span aria-hidden="true">{MARKS[tone]}</span> <Untrusted text={word} max={40} />
      {state === 'decided' ? ' (decided early)' : ''}
    </span>
  )
}

interface LiveProps {
  readonly live: LiveRun
  readonly now: number
}

export function ProgressView({ live, now }: LiveProps) {
  const { done, total, pace, rateLimited } = live
  return (
    <div class="progress">
      <span>
        {ratioOf(done, total)}
        {pace === null ? '' : ` · ${perSecond(pace)}`}
        {rateLimited === 0 ? '' : ` · ${digits(rateLimited)} × 429`}
      </span>
      <BarView bar={{ rate: total === 0 ? 0 : done / total }} />
      <PauseView live={live} now={now} />
    </div>
  )
}

/** Shows nothing while the run sends. */
export function PauseView({ live: { pausedUntil, cause }, now }: LiveProps) {
  if (pausedUntil === null || pausedUntil <= now) return null
  return (
    <small class="warn">
      paused, {duration(Math.ceil((pausedUntil - now) / 1000) * 1000)} left
      {cause === '' ? null : (
        <>
          : <Untrusted text={cause} max={160} />
        </>
      )}
    </small>
  )
}

export function GroundedView({ run: { grounded, live } }: { readonly run: ListedRun }) {
  if (live !== null) return <>{live.answered === 0 ? '' : percent(live.grounded / live.answered)}</>
  if (grounded === null || grounded.rate === null) return null
  const { rate, change } = grounded
  return (
    <>
      {percent(rate).replace(' ', '\u00a0')}
      {change === null ? null : (
        <span class={`change ${change > 0 ? 'good' : change < 0 ? 'bad' : 'muted'}`}> {points(change)}</span>
      )}
      <BarView bar={{ rate }} />
    </>
  )
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Shows `3 hours ago`; the date after a month. The title is the exact time. */
export function TimeView({ at, now }: { readonly at: string; readonly now: number }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <Untrusted text={at} max={40} />
  const passed = now - date.getTime()
  const [unit, ms] = UNITS.find(([, size]) => passed >= size) ?? []
  const text =
    unit === undefined
      ? 'just now'
      : passed > 30 * UNITS[0][1]
        ? localTime(date)
        : ago.format(-Math.trunc(passed / ms), unit)
  return (
    <time dateTime={at} title={localTime(date)}>
      {text}
    </time>
  )
}

export const localTime = (date: Date): string =>
  date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
