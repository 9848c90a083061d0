// A load test as it goes: lines that are drawn in place on a terminal, or one plain line now and then.
import type { LoadSnapshot } from '../domain/load/load-snapshot.ts'
import { digits, plural } from '../domain/digits.ts'
import { duration, percent, perSecond } from './numbers.ts'
import { fit } from './wrap.ts'

/**
 * Lines no wider than `columns`: how far it is, what the last seconds were like, and all since the start; where refused calls
 * wait to be asked again, one of them.
 */
export const renderLoadLive = (snapshot: LoadSnapshot, columns: number): readonly string[] =>
  groupsOf(snapshot).map(({ name, figures }) =>
    fit(`${name === '' ? '' : `${name}: `}${figures.join('  ')}`, columns),
  )

/** For a log: the same in one line. */
export const renderLoadLine = (snapshot: LoadSnapshot): string =>
  groupsOf(snapshot)
    .map(({ name, figures }) => `${name === '' ? '' : `${name}: `}${figures.join(', ')}`)
    .join('; ')

interface Group {
  /** Of what time its figures are; empty: of this moment. */
  readonly name: '' | 'refused' | 'last seconds' | 'so far'
  readonly figures: readonly string[]
}

const groupsOf = (snapshot: LoadSnapshot): readonly Group[] => [
  { name: '', figures: stateOf(snapshot) },
  ...refusedOf(snapshot),
  { name: 'last seconds', figures: recentOf(snapshot) },
  { name: 'so far', figures: totalsOf(snapshot) },
]

function stateOf(snapshot: LoadSnapshot): string[] {
  const { elapsedMs, plannedMs, isWarmUp, offeredRate, inFlight, waiting, toAskAgain } = snapshot
  const turnsWaiting = waiting === null || waiting === 0 ? [] : [`waiting ${digits(waiting)}`]
  if (elapsedMs > plannedMs) {
    const idle = toAskAgain?.pausedUntil === undefined ? 'the last threads go on' : 'waiting out a pause'
    const rest = inFlight === 0 ? idle : `waiting for ${plural(inFlight, 'answer')}`
    return [`${clock(plannedMs)} + ${clock(elapsedMs - plannedMs)} ${rest}`, ...turnsWaiting]
  }
  return [
    `${clock(elapsedMs)} of ${clock(plannedMs)}`,
    ...(isWarmUp ? ['warming up'] : []),
    ...(offeredRate === null ? [] : [`offered ${perSecond(offeredRate)}/s`]),
    `in flight ${digits(inFlight)}`,
    ...turnsWaiting,
  ]
}

/** The pause is everybody's: a 429 closes the gate for all that wait. */
function refusedOf({ toAskAgain }: LoadSnapshot): Group[] {
  if (toAskAgain === undefined) return []
  const { calls, pausedUntil } = toAskAgain
  const figure =
    pausedUntil === undefined
      ? `${plural(calls, 'call')} ${calls === 1 ? 'is' : 'are'} asked again, a few at a time`
      : `${plural(calls, 'call')} ${calls === 1 ? 'waits' : 'wait'}, none goes before ${timeOf(pausedUntil)}`
  return [{ name: 'refused', figures: [figure] }]
}

/** `16:05:19Z`. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 19)}Z`

const recentOf = ({ threadRate, callRate, p50, p95 }: LoadSnapshot): string[] => [
  `started ${perSecond(threadRate)}/s`,
  `calls ${perSecond(callRate)}/s`,
  `p50 ${duration(p50)}`,
  `p95 ${duration(p95)}`,
]

function totalsOf({ refused, calls, errors, dropped, answered, coverage }: LoadSnapshot): string[] {
  const share = calls === 0 || refused === 0 ? '' : ` (${percent(refused / calls)})`
  return [
    `429s ${digits(refused)}${share}`,
    `failed ${digits(errors)}`,
    `dropped ${digits(dropped)}`,
    `answered ${digits(answered)}`,
    `grounded ${percent(coverage)}`,
  ]
}

/** `1:05`, `1:00:05`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
