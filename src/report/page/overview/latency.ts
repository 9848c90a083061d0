// How long answers took, without the waiting for the limit: how often each duration came, percentiles, the slowest.
import type { LatencyHistogram, SlowTurn } from '../../../domain/latency-histogram.ts'
import type { Latency, Summary } from '../../../domain/summary.ts'
import { digits } from '../../../domain/text.ts'
import { duration } from '../../numbers.ts'
import { histogram } from '../charts/histogram.ts'
import { dataBeside, table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink } from './links.ts'
import { foldedList, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 5

export function latencySection(
  summary: Summary,
  bins: LatencyHistogram,
  slowest: readonly SlowTurn[],
): SafeHtml {
  const words = WORDS.latency
  const part = { id: 'latency', title: WORDS.sections.latency }
  if (summary.latencyMs.count === 0 && summary.failureLatencyMs.count === 0)
    return section(part, paragraph(words.none))
  return section(
    part,
    html`${bins.length === 0 ? '' : distribution(summary.latencyMs, bins)}${percentiles(summary)}${slowest.length === 0 ? '' : slowList(slowest)}`,
  )
}

function distribution({ p50, p95, max, count }: Latency, bins: LatencyHistogram): SafeHtml {
  const words = WORDS.latency
  const said = words.description(duration(p50), duration(p95), duration(max), count)
  const widths = bins.map(({ from, to }) => to - from)
  const isGrowing = Math.max(...widths) > 1.5 * Math.min(...widths)
  const description = isGrowing ? `${said} ${words.growing}` : said
  const one = count === 1 && max !== null ? [{ value: max, label: words.one(duration(max)) }] : []
  const marks = [
    ...one,
    ...(one.length > 0 || p50 === null ? [] : [{ value: p50, label: words.half(duration(p50)) }]),
    ...(one.length > 0 || p95 === null ? [] : [{ value: p95, label: words.most(duration(p95)) }]),
  ]
  const rows = bins.map(({ from, to, count: found }) => [edge(from), edge(to), digits(found)])
  return html`<figure>
    <figcaption>${words.axis}</figcaption>
    ${histogram('overview-latency-chart', bins, {
      label: words.label,
      description,
      format: edge,
      marks,
    })}
    <p>${description}</p>
    ${dataBeside(WORDS.figuresBeside, {
      caption: words.label,
      rows: [[words.from, words.to, words.answers], ...rows],
    })}
  </figure>`
}

/** Edges are round: `100 ms`, `1.5 s`, `2 min`. */
function edge(ms: number): string {
  if (ms < 1000) return `${Number(ms.toPrecision(3))} ms`
  return ms < 120_000
    ? `${Number((ms / 1000).toPrecision(3))} s`
    : `${Number((ms / 60_000).toPrecision(3))} min`
}

function percentiles({ latencyMs, failureLatencyMs, waitMs }: Summary): SafeHtml {
  const { header, rows, percentiles: caption } = WORDS.latency
  const row = (name: string, { p50, p90, p95, p99, max, count }: Latency): string[][] =>
    count === 0 ? [] : [[name, ...[p50, p90, p95, p99, max].map(duration), digits(count)]]
  return table({
    caption,
    rows: [
      header,
      ...row(rows.answers, latencyMs),
      ...row(rows.errors, failureLatencyMs),
      ...row(rows.wait, waitMs),
    ],
  })
}

function slowList(slowest: readonly SlowTurn[]): SafeHtml {
  const items = slowest.map(
    ({ id, message, latencyMs }) =>
      html`<b>${duration(latencyMs)}</b> ${questionLink(id, message)} ${questionId(id)}`,
  )
  return section(
    { id: 'slowest', title: WORDS.latency.slowest, level: 3 },
    foldedList({
      items,
      count: items.length,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { file: 'results.csv' },
      isOrdered: true,
    }),
  )
}
