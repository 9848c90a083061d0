// How far a load test is: lines that are drawn in place on a terminal, or one plain line now and then.
import type { LoadSnapshot } from '../domain/load.ts'
import { digits } from '../domain/text.ts'
import { percent, perSecond } from './numbers.ts'
import { fit } from './wrap.ts'

/** Lines no wider than `columns`. */
export const renderLoadLive = (snapshot: LoadSnapshot, columns: number): readonly string[] =>
  [stateOf(snapshot), countsOf(snapshot)].map((figures) => fit(figures.join('  '), columns))

/** For a log: the same in one line. */
export const renderLoadLine = (snapshot: LoadSnapshot): string =>
  [...stateOf(snapshot), ...countsOf(snapshot)].join(', ')

/** After the last arrival the time goes on: threads have turns to come. */
function stateOf({ elapsedMs, plannedMs, inFlight, callRate }: LoadSnapshot): string[] {
  const time =
    elapsedMs > plannedMs
      ? `${clock(plannedMs)} + ${clock(elapsedMs - plannedMs)}`
      : `${clock(elapsedMs)} of ${clock(plannedMs)}`
  return [time, `in flight ${digits(inFlight)}`, `calls ${perSecond(callRate)}/s`]
}

const countsOf = ({ refused, calls, errors, dropped, answered, coverage }: LoadSnapshot): string[] => [
  `429s ${digits(refused)}/${digits(calls)}`,
  `failed ${digits(errors)}`,
  `dropped ${digits(dropped)}`,
  `answered ${digits(answered)}`,
  `grounded ${percent(coverage)}`,
]

/** `1:05`, `1:00:05`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
