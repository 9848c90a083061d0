// How a run is shown wherever it is listed: its name, its state, the time.
import type { ListedRun, LiveRun } from '../../domain/listed-run.ts'
import { digits, duration } from '../../domain/format.ts'
import { Icon, type IconName } from '../../page/controls.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { Tone } from '../../report/document.ts'

/** The name is untrusted: a person typed it, or it is that of the folder or of the compared runs. */
export const nameOf = ({ kind, sets, path, name }: ListedRun): string =>
  kind === 'comparison' && sets.length > 1 && name === fileName(path)
    ? sets.map(plainName).join(' → ')
    : plainName(name)

export const fileName = (path: string): string => path.replace(/^.*[\\/]/s, '')

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ?`

/** The name leaves out the time that the workbench puts before or after it: `monday, asked again` */
function plainName(path: string): string {
  const name = fileName(path)
  const plain = name.replace(new RegExp(`^${TIME}-(?=.)|-${TIME}(?:\\.csv)?$`, 'gs'), '')
  return plain.startsWith('again-') ? `${plainName(plain.slice('again-'.length))}, asked again` : plain
}

/** The sets and the target of a run stand below its name; both are untrusted. */
export function subtitleOf({ sets, target, kind }: ListedRun): string {
  const shown = kind === 'run' ? sets.map(fileName).filter((name) => !name.startsWith('again-')) : [kind]
  return [...shown, target].filter((part) => part !== '').join(' · ')
}

/** Verdicts and states, as they are told. */
const RESULTS: Readonly<Record<string, readonly [word: string, icon: IconName, tone: Tone]>> = {
  passed: ['Passed', 'check', 'good'],
  failed: ['Failed', 'cross', 'bad'],
  done: ['Done', 'check', 'muted'],
  known: ['Limit found', 'check', 'muted'],
  incomplete: ['Incomplete', 'gap', 'warn'],
  unmet: ['Not reached', 'doubt', 'warn'],
  unknown: ['Limit not found', 'doubt', 'warn'],
  running: ['Running', 'run', 'muted'],
  complete: ['No report yet', 'gap', 'muted'],
  decided: ['Decided early', 'check', 'muted'],
  interrupted: ['Stopped', 'gap', 'muted'],
  stopped: ['Stopped', 'gap', 'muted'],
  unreadable: ['Not readable', 'doubt', 'warn'],
}

/** A person, a signal or the end of its process stopped it. */
export const isStopped = ({ state }: ListedRun): boolean => state === 'interrupted' || state === 'stopped'

export function StateView({ run }: { readonly run: ListedRun }) {
  const { state, verdict, fault, live } = run
  const key = fault !== null ? 'unreadable' : isStopped(run) ? state : (verdict ?? state)
  const [word, icon, tone] = RESULTS[key] ?? [key, 'check', 'muted']
  const reason = fault ?? (isStopped(run) ? 'can go on' : '')
  return (
    <>
      <span class={`line result ${tone}`}>
        <Icon name={icon} />
        <Untrusted text={word} max={40} />
      </span>
      <small>
        {live === null ? <Untrusted text={reason} max={300} /> : ofText(live.done, live.total)}
        {state === 'decided' && verdict !== null ? 'decided early' : ''}
      </small>
    </>
  )
}

/** `16 of 120` */
export const ofText = (count: number, total: number): string => `${digits(count)} of ${digits(total)}`

interface LiveProps {
  readonly live: LiveRun
  readonly now: number
}

/** Shows nothing while the run sends. */
export function PauseView({ live: { pausedUntil, cause }, now }: LiveProps) {
  if (pausedUntil === null || pausedUntil <= now) return null
  const left = duration(Math.ceil((pausedUntil - now) / 1000) * 1000)
  const says = [`The desk asked to wait: ${left} left`, ...(cause === '' ? [] : [cause])].join(' · ')
  return (
    <small class="warn">
      <Untrusted text={says} max={200} />
    </small>
  )
}

export const toneOf = (change: number): string => (change > 0 ? 'good' : change < 0 ? 'bad' : 'quiet')

/** `today, 18:02`, `Tue 24 Nov, 18:02`; another year is named. One clock: that of the reader. */
export function localTime(at: string): string {
  const [date, now] = [new Date(at), new Date()]
  if (Number.isNaN(date.getTime())) return at
  const time = date.toLocaleTimeString([], { timeStyle: 'short' })
  if (date.toDateString() === now.toDateString()) return `today, ${time}`
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  const day = { weekday: 'short', day: 'numeric', month: 'short', ...year } as const
  return `${date.toLocaleDateString([], day)}, ${time}`
}

export const TimeView = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>
    <Untrusted text={localTime(at)} max={40} />
  </time>
)
