// A load test as it goes: lines that are drawn in place on a terminal, or one plain line now and then.
import type { LoadSnapshot } from '../domain/load.ts'
import { digits, plural } from '../domain/text.ts'
import { duration, percent, perSecond } from './numbers.ts'
import { fit } from './wrap.ts'

/**
 * Lines no wider than `columns`: how far it is, what the last seconds were like, and all since the start.
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
  readonly name: '' | 'last seconds' | 'so far'
  readonly figures: readonly string[]
}

const groupsOf = (snapshot: LoadSnapshot): readonly Group[] => [
  { name: '', figures: stateOf(snapshot) },
  { name: 'last seconds', figures: recentOf(snapshot) },
  { name: 'so far', figures: totalsOf(snapshot) },
]

function stateOf(snapshot: LoadSnapshot): string[] {
  const { elapsedMs, plannedMs, offeredRate, inFlight } = snapshot
  if (elapsedMs > plannedMs) {
    const rest = inFlight === 0 ? 'the last threads go on' : `waiting for ${plural(inFlight, 'answer')}`
    return [`${clock(plannedMs)} + ${clock(elapsedMs - plannedMs)} ${rest}`]
  }
  return [
    `${clock(elapsedMs)} of ${clock(plannedMs)}`,
    ...(offeredRate === null ? [] : [`offered ${perSecond(offeredRate)}/s`]),
    `in flight ${digits(inFlight)}`,
  ]
}

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
