// `history.html`: figures of many runs over time as one file without a script.
import type { History, HistoryRun, HistorySeries } from '../../domain/history.ts'
import { digits, plural } from '../../domain/text.ts'
import { shortNumber } from '../differences.ts'
import {
  changeCells,
  lastTwo,
  MONTH_HEADER,
  monthCells,
  CHANGE_NOTE,
  RUN_HEADER,
  runCells,
} from '../history.ts'
import { duration } from '../numbers.ts'
import { figuresOverRuns, type OverRuns } from './charts/over-runs.ts'
import { timeAxis, type Axis } from './charts/scales.ts'
import { table } from './charts/table.ts'
import { html, type SafeHtml } from './html.ts'
import { wholePercent } from './overview/format.ts'
import { sentence } from './overview/links.ts'
import { paragraph, section } from './overview/parts.ts'
import { axisOfRun } from './overview/time-of-run.ts'
import { renderOverviewPage } from './page.ts'
import type { PageAssets } from './policy.ts'

export interface HistoryPage {
  /** Of the folder, for people. */
  readonly name: string
  /** The folders that lead from the page to that folder; empty for a page in it. */
  readonly wayTo: readonly string[]
  readonly assets: PageAssets
}

/** A page with more would open slowly. */
const MOST_RUNS = 1000
const MOST_LEFT_OUT = 300

/** The file's text in pieces. */
export function* renderHistoryPage(
  { series, months, leftOut }: History,
  { name, wayTo, assets }: HistoryPage,
): Generator<string> {
  const overview = html`<div class="overview">
    ${series.map((one, place) => seriesSection(one, place + 1, wayTo))}${section(
      { id: 'months', title: 'Calls by month' },
      table({
        caption: 'Calls of the runs in this folder that count toward the quota, by the month of their start',
        rows: [[...MONTH_HEADER], ...months.map((one) => monthCells(one).map((cell) => sentence(cell, 200)))],
        words: [1, 4],
      }),
    )}${leftOut.length === 0 ? '' : leftOutSection(leftOut)}
  </div>`
  const title = sentence(`History of the runs in ${name}`, 200)
  yield* renderOverviewPage({ title, overview, assets })
}

function seriesSection(series: HistorySeries, number: number, wayTo: readonly string[]): SafeHtml {
  const { name, runs } = series
  const shown = runs.slice(-MOST_RUNS)
  const called = sentence(name, 200)
  const [latest] = lastTwo(series)
  const change = latest?.change ?? null
  const rows = shown.toReversed().map((run) => {
    const [started = '', ...figures] = runCells(run)
    const link = run.hasPage ? html`<a href="${addressOf(run, wayTo)}">${started}</a>` : started
    return [link, ...figures, run.questionsChanged ? 'other questions' : '']
  })
  return section(
    { id: `history-${number}`, title: `${called} (${plural(runs.length, 'run')})` },
    html`${shown.length < 2 ? '' : chartsOf(shown, number)}${
      latest === undefined || change === null
        ? ''
        : html`${table({
            caption: `Latest complete run of ${called}, with its change`,
            rows: [
              ['', ...RUN_HEADER.slice(2)],
              ['latest', ...runCells(latest).slice(2)],
              ['change', ...changeCells(change)],
            ],
            isCompact: true,
          })}${paragraph(CHANGE_NOTE)}`
    }${table({
      caption: `Runs of ${called}, newest first`,
      rows: [[...RUN_HEADER, 'since the run before'], ...rows],
      words: [1, RUN_HEADER.length],
      isCompact: true,
    })}${shown.length < runs.length ? paragraph(`The last ${digits(MOST_RUNS)} of ${digits(runs.length)} runs: history.csv has all.`) : ''}`,
  )
}

/** From the page, whatever the folders are called. */
function addressOf({ folder }: HistoryRun, wayTo: readonly string[]): string {
  const parts = [...wayTo, ...folder.split('/')].filter((part) => part !== '' && part !== '.')
  return [
    ...(parts.length === 0 ? ['.'] : parts.map((part) => encodeURIComponent(part.toWellFormed()))),
    'report.html',
  ].join('/')
}

interface Figure {
  readonly label: string
  readonly value: (run: HistoryRun) => number | null
  readonly format: (value: number) => string
  readonly interval?: (run: HistoryRun) => { readonly low: number | null; readonly high: number | null }
  readonly from: OverRuns['from']
}

const CHARTS: readonly Figure[] = [
  {
    label: 'Grounded, with its 95 % interval',
    value: ({ coverage }) => coverage.rate,
    interval: ({ coverage }) => coverage,
    format: wholePercent,
    from: 'least',
  },
  { label: 'Passed', value: ({ passed }) => passed.rate, format: wholePercent, from: 'least' },
  {
    label: 'Errors',
    value: ({ errors }) => errors.rate,
    format: (share) => `${shortNumber(share * 100)}\u00a0%`,
    from: 'nothing',
  },
  { label: 'p95 service time', value: ({ latencyMs }) => latencyMs.p95, format: duration, from: 'nothing' },
  { label: 'Calls, at most', value: ({ usage }) => usage.max, format: digits, from: 'nothing' },
]

const DAY = 86_400_000
/** So much of the width at either end, for the dots there. */
const MARGIN = 0.03

function chartsOf(runs: readonly HistoryRun[], number: number): SafeHtml {
  const times = runs.map(({ startedAt }) => Date.parse(startedAt))
  const axis = axisOfSeries(times[0] ?? 0, times.at(-1) ?? 0)
  const places = times.map((at) => axis.place(at))
  const marks = runs.flatMap(({ questionsChanged }, run) =>
    questionsChanged ? [((places[run - 1] ?? 0) + (places[run] ?? 0)) / 2] : [],
  )
  const joins = joinsOf(runs)
  const description = `${plural(runs.length, 'run')}; the table below has their figures.`
  const charts = CHARTS.filter(({ value }) => runs.some((run) => value(run) !== null))
  return html`<div class="charts">
      ${charts.map(({ label, value, interval, format, from }, chart) => {
        const points = runs.map((run, place) => ({
          place: places[place] ?? 0,
          value: value(run),
          ...(interval?.(run) ?? { low: null, high: null }),
        }))
        return html`<figure>
          <figcaption>${label}</figcaption>
          ${figuresOverRuns(
            `overview-history-${number}-${chart}`,
            { label, description },
            { points, joins, marks, ticks: axis.ticks, format, from },
          )}
        </figure>`
      })}
    </div>
    ${paragraph('A line breaks, with a mark, where the questions changed. Hollow: a run that is not complete.')}`
}

function axisOfSeries(first: number, last: number): Axis {
  const margin = Math.max(1, (last - first) * MARGIN)
  const [from, to] = [first - margin, last + margin]
  return last - first < 2 * DAY
    ? axisOfRun(from, to)
    : timeAxis(from, to, { most: 2, unit: DAY, format: (at) => date.format(at) })
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Changed questions break the line, even where that run is apart. */
function joinsOf(runs: readonly HistoryRun[]): OverRuns['joins'] {
  let isBroken = true
  return runs.map(({ questionsChanged, state }) => {
    isBroken ||= questionsChanged
    if (state !== 'complete') return 'apart'
    const join = isBroken ? 'begins' : 'joined'
    isBroken = false
    return join
  })
}

function leftOutSection(leftOut: History['leftOut']): SafeHtml {
  const rows = leftOut
    .slice(0, MOST_LEFT_OUT)
    .map(({ folder, reason }) => [sentence(folder, 200), sentence(reason.text, 400)])
  const left = leftOut.length - rows.length
  return section(
    { id: 'left-out', title: 'Left out' },
    html`${table({
      caption: 'Folders without a place in the history',
      rows: [['folder', 'why'], ...rows],
      words: [1],
    })}${left > 0 ? paragraph(`and ${digits(left)} more: history --json has all.`) : ''}`,
  )
}
