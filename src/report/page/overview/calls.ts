// The calls over the run as a chart: how many a second went through, and how many the rate limit refused.
import type { CallsOverTime } from '../../../domain/calls-over-time.ts'
import { shortNumber } from '../../differences.ts'
import { digits } from '../../../domain/text.ts'
import { columnsOverTime } from '../charts/columns.ts'
import type { Axis } from '../charts/scales.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { clockWithSeconds } from './time-of-run.ts'
import { WORDS } from './words.ts'

/** `axis`: of the chart of the pace, so that both can be read together. */
export function callsChart(calls: CallsOverTime | null, axis: Axis): SafeHtml {
  if (calls === null) return html``
  const words = WORDS.operations.calls
  const { binMs, taken, refused, failed } = calls
  const start = Date.parse(calls.from)
  const aSecond = (counts: readonly number[]): number[] => counts.map((count) => (count * 1000) / binMs)
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
  const label = words.label(shortNumber(binMs / 1000))
  const chart = columnsOverTime(
    'overview-calls-chart',
    { label, description: words.description(sum(taken), sum(refused), sum(failed)) },
    {
      series: [
        { shade: 'light', label: words.taken, values: aSecond(taken) },
        { shade: 'dark', label: words.refused, values: aSecond(refused) },
        { shade: 'hatched', label: words.failed, values: aSecond(failed) },
      ],
      span: (column) => ({
        from: Math.max(0, axis.place(start + column * binMs)),
        to: Math.min(1, axis.place(start + (column + 1) * binMs)),
      }),
      ticks: axis.ticks,
      format: shortNumber,
      labelWidth: 0.05,
    },
  )
  const rows = taken.map((count, place) => [
    clockWithSeconds(start + place * binMs),
    digits(count),
    digits(refused[place] ?? 0),
    digits(failed[place] ?? 0),
  ])
  return html`<figure>
    <figcaption>${label}</figcaption>
    ${chart} ${dataBeside(WORDS.figuresBeside, { caption: label, rows: [words.header, ...rows] })}
  </figure>`
}
