// A history on the screen: of each series the last runs as a table, and what can be said of them.
import type { History, HistoryRun, HistorySeries, MonthOfUse } from '../../domain/history.ts'
import { digits, plural } from '../../domain/text.ts'
import { percent } from '../numbers.ts'
import { describeQuota } from '../quota-words.ts'
import { alignTable } from '../table.ts'
import { visible } from '../visible.ts'
import { fit, wrap } from '../wrap.ts'
import { fromTheFuture, missing, METHOD, passedOver } from './notes.ts'
import { runCells, RUN_HEADER } from './run-cells.ts'
import { inShort, seriesWords } from './series-words.ts'

const MOST_RUNS = 20
/** Of further series a line says what their latest run came to. */
const MOST_SERIES = 5
const MOST_MISSING = 10
const MOST_MONTHS = 6

export interface HistoryScreen {
  /** A run's folder as a word for a shell. */
  readonly pathOf: (run: HistoryRun) => string
  /** ISO 8601. */
  readonly now: string
}

/** Lines of plain text. */
export function renderHistoryScreen(history: History, view: HistoryScreen): string {
  const { series, months } = history
  const { pathOf, now } = view
  const [shown, further] = [series.slice(0, MOST_SERIES), series.slice(MOST_SERIES)]
  const left = missing(history)
  return [
    ...shown.flatMap((one) => [...seriesLines(one, view), '']),
    ...further.flatMap((one) =>
      wrap(
        `${visible(one.name)}: ${plural(one.runs.length, 'run')}. ${inShort(seriesWords(one, pathOf, now))}`,
      ),
    ),
    ...(further.length > 0 ? [''] : []),
    ...monthLines(months),
    ...[...fromTheFuture(history, now), ...passedOver(history), METHOD].flatMap((note) =>
      wrap(visible(note)),
    ),
    ...(left.length === 0 ? [] : ['', `Left out (${digits(left.length)}):`]),
    ...left
      .slice(0, MOST_MISSING)
      .flatMap(({ folder, reason }) =>
        wrap(`${visible(folder)}: ${visible(reason)}`, '    ').map((line) => `  ${line}`),
      ),
    ...(left.length > MOST_MISSING
      ? [`  and ${digits(left.length - MOST_MISSING)} more: see history.html`]
      : []),
  ].join('\n')
}

function seriesLines(series: HistorySeries, { pathOf, now }: HistoryScreen): string[] {
  const { name, runs } = series
  const shown = runs.slice(-MOST_RUNS)
  const rows = [[...RUN_HEADER, ''], ...shown.map((run) => [...runCells(run), signs(run)])]
  const { latest, paragraphs, commands } = seriesWords(series, pathOf, now)
  const count =
    runs.length > shown.length
      ? `the last ${shown.length} of ${digits(runs.length)} runs`
      : plural(runs.length, 'run')
  const hasSigns = shown.some((run) => signs(run) !== '')
  return [
    fit(`${visible(name)} (${digits(count)})`, 110),
    ...alignTable(rows, ['left', 'left', ...RUN_HEADER.slice(2).map(() => 'right' as const), 'left']),
    ...(hasSigns ? ['Q: the questions were changed before this run; S: settings were.'] : []),
    ...wrap(visible(latest)),
    ...paragraphs.flatMap(({ name: figure, sentences }) => wrap(`${figure}: ${sentences.join(' ')}`, '  ')),
    ...commands.map(({ why, command }) => `${why}: ${visible(command)}`),
  ]
}

const signs = ({ changes }: HistoryRun): string =>
  [...(changes.questions ? ['Q'] : []), ...(changes.settings.length > 0 ? ['S'] : [])].join(' ')

function monthLines(months: readonly MonthOfUse[]): string[] {
  if (months.length === 0) return []
  const shown = months.slice(-MOST_MONTHS)
  const rows = shown.map(({ organization, month, min, max, runs, loads, quota, share }) => [
    `  ${month}`,
    fit(visible(organization), 40),
    min === max ? digits(max) : `${digits(min)}–${digits(max)}`,
    [...(runs > 0 ? [plural(runs, 'run')] : []), ...(loads > 0 ? [plural(loads, 'load test')] : [])].join(
      ', ',
    ),
    quota === null ? '' : `${percent(share)} of ${describeQuota(quota)}`,
  ])
  return [
    'Calls counted, by the month in which what used them was begun (UTC):',
    ...alignTable(rows, ['left', 'left', 'right', 'left', 'left']),
    '',
  ]
}
