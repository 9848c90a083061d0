// The time of a series across its charts, and which runs a line joins.
import { type HistoryRun, isBreak } from '../../../domain/history.ts'
import type { OverRuns } from '../charts/over-runs.ts'
import { timeAxis, type Tick } from '../charts/scales.ts'
import { axisOfRun } from '../overview/time-of-run.ts'

export interface SeriesTime {
  /** Of each run, 0 to 1 across. */
  readonly places: readonly number[]
  readonly ticks: readonly Tick[]
  readonly joins: OverRuns['joins']
  readonly marks: OverRuns['marks']
}

const DAY = 86_400_000
/** From so long on the ticks are days. */
const LONG = 2 * DAY
/** So much at either end, for the dots there; a lone run stands in the middle. */
const MARGIN = 0.03

export function timeOfSeries(runs: readonly HistoryRun[]): SeriesTime {
  const times = runs.map(({ startedAt }) => Date.parse(startedAt))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const margin = Math.max(1, (last - first) * MARGIN)
  const [from, to] = [first - margin, last + margin]
  const axis =
    last - first < LONG ? axisOfRun(from, to) : timeAxis(from, to, { most: 3, unit: DAY, format: dateOf })
  const places = times.map((at) => Math.min(1, Math.max(0, axis.place(at))))
  return {
    places,
    ticks: axis.ticks,
    joins: joinsOf(runs),
    marks: runs.flatMap(({ changes }, run) => {
      const place = ((places[run - 1] ?? 0) + (places[run] ?? 0)) / 2
      return [
        ...(changes.questions ? [{ place, kind: 'questions' as const }] : []),
        ...(changes.settings.length > 0 ? [{ place, kind: 'settings' as const }] : []),
      ]
    }),
  }
}

/** A change that came with a run that is apart breaks the line all the same. */
function joinsOf(runs: readonly HistoryRun[]): OverRuns['joins'] {
  let isBroken = true
  return runs.map((run) => {
    isBroken ||= isBreak(run)
    if (run.state !== 'complete') return 'apart'
    const join = isBroken ? 'begins' : 'joined'
    isBroken = false
    return join
  })
}

const date = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dateOf = (at: number): string => date.format(at)
