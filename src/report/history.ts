// A history on the screen, and the cells that the screen and the page share.
import type { History, HistoryChange, HistoryRun, HistorySeries, MonthOfUse } from '../domain/history.ts'
import { digits, plural } from '../domain/text.ts'
import { signedDuration, signedNumber } from './differences.ts'
import { duration, percent } from './numbers.ts'
import { describeQuota } from './quota-words.ts'
import { alignTable, type Align } from './table.ts'
import { visible } from './visible.ts'
import { fit, wrap } from './wrap.ts'

const WIDTH = 80
const MOST_RUNS = 20
const MOST_SERIES = 5
const MOST_MONTHS = 6
const MOST_LEFT_OUT = 10

/** Stands once, below changes. */
export const CHANGE_NOTE =
  'Changes are since the complete run before, of shares in points. A change may be noise: compare tells, question by question.'

const FIGURES = ['grounded', 'passed', 'errors', 'p95', 'calls'] as const
export const RUN_HEADER = ['started (UTC)', 'verdict', ...FIGURES] as const
export const MONTH_HEADER = ['month (UTC)', 'organization', 'runs', 'calls', 'of the quota'] as const

/** As many as `RUN_HEADER` has. A value that the run has not is empty. */
export function runCells(run: HistoryRun): string[] {
  const { startedAt, verdict, state, coverage, passed, errors, latencyMs, usage } = run
  const { rate, low, high } = coverage
  const interval =
    low === null || high === null ? '' : ` (${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)})`
  return [
    startedAt.slice(0, 16).replace('T', ' '),
    state === 'complete' ? verdict : state,
    rate === null ? '' : percent(rate) + interval,
    ...[passed.rate, errors.rate].map((one) => (one === null ? '' : percent(one))),
    latencyMs.p95 === null ? '' : duration(latencyMs.p95),
    span(usage),
  ]
}

/** Under the same header: shares in points. */
export function changeCells({ grounded, passed, errors, p95, calls }: HistoryChange): string[] {
  const points = (share: number | null): string =>
    share === null ? '' : signedNumber(Number((share * 100).toFixed(1)))
  return [
    points(grounded),
    points(passed),
    points(errors),
    p95 === null ? '' : signedDuration(p95),
    signedNumber(calls),
  ]
}

export const monthCells = (use: MonthOfUse): string[] => [
  use.month,
  use.organization,
  digits(use.runs),
  span(use),
  use.quota === null ? '' : `${percent(use.share)} of ${describeQuota(use.quota)}`,
]

const span = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  min === max ? digits(max) : `${digits(min)}–${digits(max)}`

/** The latest complete run, and the complete run before it. */
export const lastTwo = ({ runs }: HistorySeries): readonly (HistoryRun | undefined)[] => {
  const complete = runs.filter(({ state }) => state === 'complete')
  return [complete.at(-1), complete.at(-2)]
}

/** Lines of plain text. `pathOf`: a run's folder as a word for a shell. */
export function renderHistoryScreen(
  { series, months, leftOut }: History,
  pathOf: (run: HistoryRun) => string,
): string {
  return [
    ...series.slice(0, MOST_SERIES).flatMap((one) => [...seriesLines(one, pathOf), '']),
    ...moreLines(series.length - MOST_SERIES, 'series'),
    ...alignTable(
      [MONTH_HEADER, ...months.slice(-MOST_MONTHS).map(monthCells)].map((row) =>
        row.map((cell) => fit(visible(cell), 40)),
      ),
      ['left', 'left', 'right', 'right', 'left'],
    ),
    '',
    ...(series.some(({ runs }) => runs.some(({ change }) => change !== null))
      ? wrap(CHANGE_NOTE, '', WIDTH)
      : []),
    ...(leftOut.length === 0 ? [] : ['', `Left out (${digits(leftOut.length)}):`]),
    ...leftOut
      .slice(0, MOST_LEFT_OUT)
      .flatMap(({ folder, reason }) => wrap(visible(`${folder}: ${reason.text}`), '  ', WIDTH)),
    ...moreLines(leftOut.length - MOST_LEFT_OUT, 'left out'),
  ].join('\n')
}

const moreLines = (count: number, what: string): string[] =>
  count > 0 ? [`and ${digits(count)} more ${what}: see history.html`] : []

function seriesLines(series: HistorySeries, pathOf: (run: HistoryRun) => string): string[] {
  const { name, runs } = series
  const shown = runs.slice(-MOST_RUNS)
  const [latest, before] = lastTwo(series)
  const change = latest?.change ?? null
  const hasMark = shown.some(({ questionsChanged }) => questionsChanged)
  const rows = [
    [...RUN_HEADER],
    ...shown.map((run) => {
      const [started = '', verdict = '', ...figures] = runCells(run)
      return [started, run.questionsChanged ? `${verdict} *` : verdict, ...figures]
    }),
    ...(change === null ? [] : [['latest change', '', ...changeCells(change)]]),
  ]
  const count =
    plural(runs.length, 'run') + (shown.length < runs.length ? `, the last ${MOST_RUNS} shown` : '')
  return [
    `${fit(visible(name), WIDTH - 30)} (${count})`,
    ...alignTable(rows, ['left', 'left', ...FIGURES.map((): Align => 'right')]),
    ...(hasMark ? ['* other questions than in the run before'] : []),
    ...(latest === undefined || before === undefined
      ? []
      : [`Compare: npx assist-harness compare ${visible(pathOf(before))} ${visible(pathOf(latest))}`]),
  ]
}
