// When runs were, in the words of a history: as short as tells them apart.
import type { HistorySeries } from '../../domain/history/history.ts'
import { formatDate } from '../page/overview/format.ts'

/** `12 October`; with the time where the series has several runs on that day, with the year where it is not the latest run's. */
export function dateOf({ runs }: Pick<HistorySeries, 'runs'>, place: number): string {
  const startedAt = runs[place]?.startedAt ?? ''
  const now = runs.at(-1)?.startedAt ?? ''
  const day = startedAt.slice(0, 10)
  const isAlone = [runs[place - 1], runs[place + 1]].every((run) => run?.startedAt.slice(0, 10) !== day)
  const date = formatDate(startedAt, isAlone ? `${now.slice(0, 4)}-` : now)
  return isAlone || date.endsWith('UTC') ? date : `${date}, ${startedAt.slice(11, 16)} UTC`
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `2026-11` is `November 2026`. */
export const monthName = (of: string): string => month.format(new Date(`${of}-01T00:00:00Z`))
