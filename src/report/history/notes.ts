// What a history says of itself: how its figures are held against each other, and what is not in them.
import type { History, LeftOut } from '../../domain/history.ts'
import { plural } from '../../domain/text.ts'
import { formatMoment } from '../page/overview/format.ts'

/** Once for all series. */
export const METHOD =
  'Only the summaries of the runs are read here, and two runs are held against each other as if they had asked different questions. ' +
  'So a change that is called more than noise is one (were nothing changed, a history would say so of one series in twenty at most), ' +
  'but a change within the noise may be real, too: compare finds it, question by question. Runs that are not complete are held against none.'

export function passedOver({ notAskedFor: { earlier, otherTargets }, leftOut }: History): string[] {
  const loads = leftOut.filter(({ kind }) => kind === 'load').length
  return [
    ...(earlier === 0 ? [] : [`${plural(earlier, 'run')} begun before --since ${was(earlier)} passed over.`]),
    ...(otherTargets === 0
      ? []
      : [`${plural(otherTargets, 'run')} of other targets ${was(otherTargets)} passed over.`]),
    ...(loads === 0
      ? []
      : [
          `${plural(loads, 'load test')} or ${loads === 1 ? 'search' : 'searches'} for the limit ${was(loads)} left out, as ${loads === 1 ? 'its' : 'their'} figures are of another kind; the usage counts in the months.`,
        ]),
  ]
}

const DAY_MS = 86_400_000

/** Runs whose clock was wrong: `now`, ISO 8601, is of the machine that reads them, whose clock may be a day off. */
export function fromTheFuture({ series }: History, now: string): string[] {
  const latest = new Date(Date.parse(now) + DAY_MS).toISOString()
  const runs = series.flatMap((one) => one.runs).filter(({ startedAt }) => startedAt > latest)
  const [first] = runs
  if (first === undefined) return []
  const more = runs.length > 1 ? ` and ${plural(runs.length - 1, 'other')}` : ''
  const [stand, folders, out] =
    runs.length === 1 ? ['it stands', 'its folder', 'it'] : ['they stand', 'their folders', 'them']
  return [
    `${first.folder}${more} ${was(runs.length)} begun in the future (${formatMoment(first.startedAt)}): the clock of the machine that asked was wrong, or this one is, so ${stand} as the latest and in the wrong month; move ${folders} away to leave ${out} out.`,
  ]
}

/** Folders that should have been in the history, and are not. */
export const missing = ({ leftOut }: History): readonly LeftOut[] =>
  leftOut.filter(({ kind }) => kind !== 'load')

const was = (count: number): string => (count === 1 ? 'was' : 'were')
