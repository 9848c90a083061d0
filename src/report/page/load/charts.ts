// The charts of a load test over time: what was offered, what became of it, how long answers took, and where they came from.
import { type LoadBin, type LoadReport, plannedMs } from '../../../domain/load.ts'
import { digits } from '../../../domain/text.ts'
import { sourceName } from '../../comparison-lists.ts'
import { shortNumber } from '../../differences.ts'
import { duration } from '../../numbers.ts'
import { shorten } from '../../visible.ts'
import { columnsOverTime, type ColumnSeries } from '../charts/columns.ts'
import { linesOver, type LineSeries } from '../charts/lines.ts'
import type { Tick } from '../charts/scales.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { axisOfRun, clockWithSeconds } from '../overview/time-of-run.ts'
import { WORDS } from '../overview/words.ts'

/** Share of the width that the values of the grid take. */
const LABEL_WIDTH = 0.12
const MOST_SOURCES = 6

interface LoadCharts {
  readonly offered: SafeHtml
  readonly latency: SafeHtml
  readonly sources: SafeHtml
}

/** Undefined where no thread was due. */
export function loadCharts(report: LoadReport): LoadCharts | undefined {
  const { overTime, load, run, contextSource } = report
  if (overTime === null) return undefined
  const { bins, binMs } = overTime
  const start = Date.parse(overTime.from)
  const planned = plannedMs(load.model)
  const axis = axisOfRun(start, start + bins.length * binMs)
  const ticks = withRoom(axis.ticks)
  const place = (bin: number): number => Math.min(1, Math.max(0, axis.place(start + bin * binMs)))
  const steps = `in steps of ${shortNumber(binMs / 1000)} s`
  const valuesOf = (value: (bin: LoadBin, place: number) => number): number[] => bins.map(value)

  const columns = (id: string, title: string, series: readonly ColumnSeries[]): SafeHtml => {
    const texts = { label: `${title}, ${steps}`, description: title }
    const span = (bin: number) => ({ from: place(bin), to: place(bin + 1) })
    const parts = { series, span, ticks, format: shortNumber, labelWidth: LABEL_WIDTH }
    return figure(texts.label, columnsOverTime(id, texts, parts))
  }
  const lines = (
    id: string,
    title: string,
    series: readonly (readonly [LineSeries['look'], label: string, value: (bin: LoadBin) => number | null])[],
    format: (value: number) => string,
  ): SafeHtml => {
    const texts = { label: `${title}, ${steps}`, description: title }
    const drawn = series.map(([look, label, value]) => ({
      look,
      label,
      points: bins.map((bin, number) => ({ place: place(number + 0.5), value: value(bin) })),
    }))
    return figure(
      texts.label,
      linesOver(id, texts, { series: drawn, ticks, format, labelWidth: LABEL_WIDTH }),
    )
  }
  /** Half a bin's arrivals are no lower rate. */
  const arriving = (count: number, bin: number): number => {
    const seconds = Math.max(0, Math.min(binMs, planned - bin * binMs)) / 1000
    return seconds === 0 ? 0 : count / seconds
  }
  const aSecond = (count: number): number => (count * 1000) / binMs
  const ofSource = ({ contextSource: sources }: LoadBin, source: string): number =>
    Object.hasOwn(sources, source) ? (sources[source] ?? 0) : 0
  const grounded = (bin: LoadBin): number =>
    run.groundedSources.reduce((sum, source) => sum + ofSource(bin, source), 0)
  const named = Object.keys(contextSource).slice(0, MOST_SOURCES)
  const timeFormat = bins.some(({ responseMs }) => (responseMs.p95 ?? 0) >= 1000)
    ? (ms: number): string => `${shortNumber(ms / 1000)} s`
    : (ms: number): string => `${shortNumber(ms)} ms`

  return {
    offered: html`${columns('overview-threads-chart', 'Threads due, a second', [
      { shade: 'light', label: 'started', values: valuesOf(({ started }, bin) => arriving(started, bin)) },
      { shade: 'dark', label: 'dropped', values: valuesOf(({ dropped }, bin) => arriving(dropped, bin)) },
    ])}${columns('overview-calls-chart', 'Calls and turns as they ended, a second', [
      { shade: 'light', label: 'answered', values: valuesOf(({ answered }) => aSecond(answered)) },
      { shade: 'dark', label: '429', values: valuesOf(({ refused }) => aSecond(refused)) },
      { shade: 'hatched', label: 'failed otherwise', values: valuesOf(({ errors }) => aSecond(errors)) },
    ])}${lines(
      'overview-flight-chart',
      'Calls in flight, the most',
      [['main thick', 'calls in flight', ({ inFlight }) => inFlight]],
      digits,
    )}${dataBeside(WORDS.figuresBeside, {
      caption: 'The test over time',
      rows: [
        ['from', 'started', 'dropped', 'calls', '429s', 'answered', 'failed', 'in flight', 'p50', 'p95'],
        ...bins.map((bin, number) => [
          clockWithSeconds(start + number * binMs),
          ...[bin.started, bin.dropped, bin.calls, bin.refused, bin.answered, bin.errors, bin.inFlight].map(
            digits,
          ),
          duration(bin.responseMs.p50),
          duration(bin.responseMs.p95),
        ]),
      ],
    })}`,
    latency: lines(
      'overview-times-chart',
      'Response times of the answers that came',
      [
        ['main thick', 'p95', ({ responseMs }) => responseMs.p95],
        ['main thin', 'p50', ({ responseMs }) => responseMs.p50],
      ],
      timeFormat,
    ),
    sources: html`${columns('overview-mix-chart', 'Answers by their source, a second', [
      { shade: 'kb', label: 'grounded', values: valuesOf((bin) => aSecond(grounded(bin))) },
      {
        shade: 'hatched',
        label: 'other sources',
        values: valuesOf((bin) => aSecond(bin.answered - grounded(bin))),
      },
    ])}${dataBeside(WORDS.figuresBeside, {
      caption: 'Answers by their source, over time',
      rows: [
        ['from', ...named.map((source) => shorten(sourceName(source), 40))],
        ...bins.map((bin, number) => [
          clockWithSeconds(start + number * binMs),
          ...named.map((source) => digits(ofSource(bin, source))),
        ]),
      ],
    })}`,
  }
}

const figure = (title: string, chart: SafeHtml): SafeHtml =>
  html`<figure>
    <figcaption>${title}</figcaption>
    ${chart}
  </figure>`

/** On a telephone a label takes a fifth of the width; the last one ends where its tick is. */
function withRoom(ticks: readonly Tick[]): Tick[] {
  const kept: Tick[] = []
  for (const tick of ticks) {
    const room = tick.place - (kept.at(-1)?.place ?? Number.NEGATIVE_INFINITY)
    if (room >= (tick.place > 0.9 ? 0.32 : 0.2)) kept.push(tick)
  }
  return kept
}
