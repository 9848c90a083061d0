// Figures from run to run, where there are more than two: small charts of the shares, and the table of all.
import type { Comparison, Trend } from '../../../domain/comparison/comparison.ts'
import { trendTable } from '../../comparison-tables.ts'
import { duration } from '../../numbers.ts'
import { shortNumber } from '../../differences.ts'
import { shorten } from '../../visible.ts'
import { lineOverTime } from '../charts/line.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sentence } from './links.ts'
import { paragraph, section } from './parts.ts'
import { wholePercent } from './format.ts'
import { WORDS } from './words.ts'

const MOST_RUNS = 12
/** Signs that fit under a chart on a telephone, all labels together: beyond it the runs have numbers. */
const MOST_SIGNS = 24
/** Charts of these; the table has the others, too. */
const CHARTED: readonly Trend['figure'][] = ['coverage', 'passed', 'latency.p95']

/** Nothing for two runs: the figures stand side by side then. */
export function trendSection(comparison: Comparison): SafeHtml {
  const { rows, left } = trendTable(comparison, MOST_RUNS)
  if (rows.length < 2) return html``
  const [labels = [], ...figures] = rows
  const runs = labels.slice(1).map((label) => shorten(label, 24))
  const shown = (values: Trend['values']): Trend['values'] =>
    values.filter((_, place) => place === 0 || place > left)
  const ticks = runs.map((label, place) => (isNamed(runs) ? label : String(place + 1)))
  const charts = comparison.trend.flatMap((trend, place) =>
    CHARTED.includes(trend.figure)
      ? [trendChart(trend, place + 1, shown(trend.values), figures[place] ?? [], runs, ticks)]
      : [],
  )
  return section(
    { id: 'trend', title: WORDS.sections.trend },
    html`<div class="charts">${charts}</div>
      ${isNamed(runs) ? '' : paragraph(WORDS.trend.numbers(runs.map((label, place) => `${place + 1} ${sentence(label, 24)}`).join(', ')))}
      ${table({ caption: WORDS.trend.caption, rows: [['', ...labels.slice(1)], ...figures] })}${
        left > 0 ? paragraph(WORDS.trend.left(left)) : ''
      }`,
  )
}

function trendChart(
  { unit }: Trend,
  number: number,
  values: Trend['values'],
  [name = '', ...words]: readonly string[],
  runs: readonly string[],
  labels: readonly string[],
): SafeHtml {
  const across = (place: number): number => (values.length === 1 ? 0 : place / (values.length - 1))
  const format = unit === 'share' ? wholePercent : unit === 'ms' ? duration : shortNumber
  const spoken = words.map((value, place) => `${runs[place] ?? ''} ${value}`).join(', ')
  const ticks = values.map((_, place) => ({ place: across(place), label: labels[place] ?? '' }))
  const chart = lineOverTime(
    `overview-trend-${number}`,
    { label: name, description: `${WORDS.trend.description} ${spoken}.` },
    {
      points: values.map((value, place) => ({ place: across(place), value, dot: 'full' })),
      kind: 'straight',
      ticks,
      format,
      labelWidth: 0.18,
    },
  )
  return html`<figure>
    <figcaption>${name}: ${words.at(-1) ?? ''} (<bdi>${runs.at(-1) ?? ''}</bdi>)</figcaption>
    ${chart}
  </figure>`
}

/** Each label must fit into its share of the width. */
const isNamed = (runs: readonly string[]): boolean =>
  runs.every((label) => label.length <= MOST_SIGNS / runs.length)
