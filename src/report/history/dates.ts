// When runs were, in the words of a history: as short as tells them apart.
import type { HistorySeries } from '../../domain/history.ts'
import { formatDate } from '../page/overview/format.ts'

/** `12 October`; with the time where the series has several runs on that day, with the year where that is not plain. */
export function dateOf({ runs }: Pick<HistorySeries, 'runs'>, place: number, now?: string): string {
  const startedAt = runs[place]?.startedAt ?? ''
  const day = startedAt.slice(0, 10)
  const isAlone = [runs[place - 1], runs[place + 1]].every((run) => run?.startedAt.slice(0, 10) !== day)
  const date = formatDate(startedAt, `${now?.slice(0, 4) ?? plainYear(runs)}-`)
  return isAlone ? date : `${date}, ${startedAt.slice(11, 16)} UTC`
}

/** Where nobody says what year it is: the one that all runs are of; of several none is plain. */
function plainYear(runs: HistorySeries['runs']): string {
  const years = new Set(runs.map(({ startedAt }) => startedAt.slice(0, 4)))
  return years.size === 1 ? [...years].join('') : ''
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `2026-11` is `November 2026`. */
export const monthName = (of: string): string => month.format(new Date(`${of}-01T00:00:00Z`))
