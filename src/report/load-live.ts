// A load test as it goes: two lines that are drawn in place on a terminal, or one plain line now and then.
import type { LoadSnapshot } from '../domain/load/load-snapshot.ts'
import { digits } from '../domain/digits.ts'
import { duration, percent, perSecond } from './numbers.ts'
import { fit } from './wrap.ts'

/** Two lines, each no wider than `columns`. */
export function renderLoadLive(snapshot: LoadSnapshot, columns: number): readonly [string, string] {
  return [fit(paceOf(snapshot).join('  '), columns), fit(answersOf(snapshot).join('  '), columns)]
}

/** For a log: the same in one line. */
export const renderLoadLine = (snapshot: LoadSnapshot): string =>
  [...paceOf(snapshot), ...answersOf(snapshot)].join(', ')

function paceOf({
  elapsedMs,
  plannedMs,
  isWarmUp,
  offeredRate,
  threadRate,
  callRate,
  inFlight,
  waiting,
}: LoadSnapshot): string[] {
  const phase =
    elapsedMs > plannedMs ? ['no more threads, waiting for answers'] : isWarmUp ? ['warming up'] : []
  return [
    `${clock(elapsedMs)} of ${clock(plannedMs)}`,
    ...phase,
    ...(offeredRate === null ? [] : [`offered ${perSecond(offeredRate)}/s`]),
    `started ${perSecond(threadRate)}/s`,
    `calls ${perSecond(callRate)}/s`,
    `in flight ${digits(inFlight)}`,
    ...(waiting === null || waiting === 0 ? [] : [`waiting ${digits(waiting)}`]),
  ]
}

function answersOf({
  p50,
  p95,
  refused,
  calls,
  errors,
  dropped,
  answered,
  coverage,
}: LoadSnapshot): string[] {
  const share = calls === 0 || refused === 0 ? '' : ` (${percent(refused / calls)})`
  return [
    `p50 ${duration(p50)}`,
    `p95 ${duration(p95)}`,
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
