// The charts of a series: shares with their intervals, times, errors, calls.
import type { HistoryRun, ShareOfRun } from '../../../domain/history.ts'
import { shortNumber } from '../../differences.ts'
import { digits } from '../../../domain/text.ts'
import { duration } from '../../numbers.ts'
import { RUN_HEADER } from '../../history/run-cells.ts'
import { legend, lineItem } from '../charts/legend.ts'
import { figuresOverRuns, type OverRuns, type RunLine } from '../charts/over-runs.ts'
import { html, type SafeHtml } from '../html.ts'
import { wholePercent } from '../overview/format.ts'
import type { SeriesTime } from './series-axis.ts'
import { HISTORY_WORDS } from './words.ts'

const LABEL_WIDTH = 0.12

interface ChartOfSeries {
  readonly name: string
  readonly label: string
  readonly lines: readonly RunLine[]
  readonly from: OverRuns['from']
  readonly atLeast?: number
  readonly format: (value: number) => string
  /** Columns of the tables of runs that say the same. */
  readonly columns: readonly (typeof RUN_HEADER)[number][]
  readonly isWide: boolean
}

/** `number`: of the series in the page; `rows`: the id of the element that holds its tables. */
export function chartsOf(
  runs: readonly HistoryRun[],
  time: SeriesTime,
  number: number,
  rows: string,
): SafeHtml {
  const charts = allCharts(runs, time.places).filter(({ lines }) =>
    lines.some(({ points }) => points.some(({ value }) => value !== null)),
  )
  return html`<div class="charts history-charts">
    ${charts.map((chart) => figure(chart, runs, time, number, rows))}
  </div>`
}

function allCharts(runs: readonly HistoryRun[], places: readonly number[]): ChartOfSeries[] {
  const { charts, single } = HISTORY_WORDS
  const line = (
    label: string,
    valueOf: (run: HistoryRun) => number | null,
    look: RunLine['look'] = 'main thick',
  ): RunLine => ({
    look,
    label,
    points: runs.map((run, place) => ({
      place: places[place] ?? 0,
      value: valueOf(run),
      low: null,
      high: null,
    })),
  })
  const share = (shareOf: (run: HistoryRun) => ShareOfRun): RunLine => ({
    look: 'main thick',
    label: single,
    points: runs.map((run, place) => {
      const { rate, low, high } = shareOf(run)
      return { place: places[place] ?? 0, value: rate, low, high }
    }),
  })
  const shares = { from: 'least', format: wholePercent } as const
  const rest = { from: 'nothing', isWide: false } as const
  return [
    {
      name: 'coverage',
      label: charts.coverage,
      lines: [share((run) => run.coverage)],
      columns: ['coverage', '95 % interval'],
      isWide: true,
      ...shares,
    },
    {
      name: 'passed',
      label: charts.passed,
      lines: [share((run) => run.passed)],
      columns: ['passed'],
      isWide: false,
      ...shares,
    },
    {
      name: 'latency',
      label: charts.latency,
      lines: [
        line(charts.p50, ({ latencyMs }) => latencyMs.p50),
        line(charts.p95, ({ latencyMs }) => latencyMs.p95, 'beside thick'),
      ],
      columns: ['p50', 'p95'],
      format: duration,
      ...rest,
    },
    {
      name: 'errors',
      label: charts.errors,
      lines: [
        line(charts.errorRate, ({ errors }) => errors.rate),
        line(charts.refused, ({ rate429 }) => rate429, 'beside thick'),
      ],
      columns: ['errors', '429s'],
      format: exactPercent,
      atLeast: 0.04,
      ...rest,
    },
    {
      name: 'calls',
      label: charts.calls,
      lines: [line(single, ({ usage }) => usage.max)],
      columns: ['calls'],
      format: digits,
      ...rest,
    },
  ]
}

function figure(
  { name, label, lines, from, atLeast = 0, format, columns, isWide }: ChartOfSeries,
  runs: readonly HistoryRun[],
  { places, ticks, joins, marks }: SeriesTime,
  number: number,
  rows: string,
): SafeHtml {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const day = (run: HistoryRun | undefined): string => run?.startedAt.slice(0, 10) ?? ''
  const description = HISTORY_WORDS.description(
    runs.length,
    day(runs[0]),
    day(runs.at(-1)),
    format(values.reduce((low, one) => Math.min(low, one))),
    format(values.reduce((high, one) => Math.max(high, one))),
  )
  const across = (place: number): string => (LABEL_WIDTH + (1 - LABEL_WIDTH) * place).toFixed(4)
  return html`<figure
    class="${isWide ? 'over-runs wide' : 'over-runs'}"
    data-rows="${rows}"
    data-columns="${[...columns, RUN_HEADER[1], HISTORY_WORDS.tables.more.at(-1)].join('|')}"
    data-places="${places.map(across).join(' ')}"
  >
    <figcaption>${label}</figcaption>
    <div class="plot">
      ${figuresOverRuns(`overview-history-${number}-${name}`, { label, description }, { lines, joins, marks, ticks, format, labelWidth: LABEL_WIDTH, from, atLeast })}
    </div>
    ${lines.length < 2 ? '' : legend(lines.map(lineItem))}
    <p class="readout" hidden></p>
  </figure>`
}

/** Ticks of small shares are parts of a percent. */
const exactPercent = (share: number): string => `${shortNumber(share * 100)}\u00a0%`
