// How long answers took under load: over time, and by percentile down to the rarest; response beside service.
import type { Curve, LoadReport } from '../../../domain/load.ts'
import { LATENCY_HEADER, latencyRows } from '../../load-account.ts'
import { duration } from '../../numbers.ts'
import { linesOver } from '../charts/lines.ts'
import type { Tick } from '../charts/scales.ts'
import { dataBeside, table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { paragraph, section } from '../overview/parts.ts'
import { WORDS } from '../overview/words.ts'
import { figure } from './offered.ts'
import { LABEL_WIDTH, timeFormat, timeOf } from './time.ts'
import { LOAD_WORDS } from './words.ts'

export function latencySection(report: LoadReport): SafeHtml {
  const words = LOAD_WORDS.latency
  const part = { id: 'latency', title: LOAD_WORDS.sections.latency }
  const rows = latencyRows(report)
  if (rows.length === 0) return section(part, paragraph(words.none))
  return section(
    part,
    html`${report.responseMs.count === 0 ? paragraph(words.none) : html`${paragraph(words.lead)}${overTime(report)}${byPercentile(report)}`}${table(
      {
        caption: words.table,
        rows: [
          [...LATENCY_HEADER, words.meaning],
          ...rows.map(({ name, cells, meaning }) => [name, ...cells, meaning]),
        ],
        words: [LATENCY_HEADER.length],
      },
    )}`,
  )
}

function overTime(report: LoadReport): SafeHtml {
  const time = timeOf(report)
  if (time === undefined) return html``
  const { bins, middle, ticks, steps } = time
  const words = LOAD_WORDS.latency
  const description = words.description(duration(report.responseMs.p50), duration(report.responseMs.p95))
  const most = bins.reduce((high, bin) => Math.max(high, bin.responseMs.p95 ?? 0), 0)
  const points = (of: 'serviceMs' | 'responseMs', p: 'p50' | 'p95') =>
    bins.map((bin, place) => ({ place: middle(place), value: bin[of][p] }))
  return figure(
    words.label(steps),
    description,
    linesOver(
      'overview-times-chart',
      { label: words.label(steps), description },
      {
        series: [
          { look: 'main thick', label: words.series.response95, points: points('responseMs', 'p95') },
          { look: 'main thin', label: words.series.response50, points: points('responseMs', 'p50') },
          { look: 'beside thick', label: words.series.service95, points: points('serviceMs', 'p95') },
          { look: 'beside thin', label: words.series.service50, points: points('serviceMs', 'p50') },
        ],
        ticks,
        format: timeFormat(most),
        labelWidth: LABEL_WIDTH,
      },
    ),
  )
}

/** Each nine takes as much of the width as the one before: rarity on a logarithmic axis. */
function byPercentile({ curves, responseMs }: LoadReport): SafeHtml {
  const words = LOAD_WORDS.latency
  const nines = Math.max(1, Math.ceil(Math.log10(Math.max(10, responseMs.count))))
  const placeOf = (share: number): number =>
    Math.min(1, -Math.log10(Math.max(1 - share, 10 ** -nines)) / nines)
  const ticks: Tick[] = Array.from({ length: nines + 1 }, (_, nine) => ({
    place: nine / nines,
    label: nine === nines ? '' : shareLabel(nine),
  }))
  const points = (curve: Curve) => curve.map(({ share, ms }) => ({ place: placeOf(share), value: ms }))
  const description = words.curveDescription(duration(responseMs.p99), duration(responseMs.max))
  const rows = curves.responseMs.map(({ share, ms }, place) => [
    shareOf(share),
    duration(ms),
    duration(curves.serviceMs[place]?.ms ?? null),
  ])
  return html`${figure(
    words.curve,
    description,
    linesOver(
      'overview-percentile-chart',
      { label: words.curve, description },
      {
        series: [
          { look: 'main thick', label: words.response, points: points(curves.responseMs) },
          { look: 'beside thick', label: words.service, points: points(curves.serviceMs) },
        ],
        ticks,
        format: timeFormat(responseMs.max ?? 0),
        labelWidth: LABEL_WIDTH,
      },
    ),
  )}${dataBeside(WORDS.figuresBeside, { caption: words.curve, rows: [words.curveHeader, ...rows] })}`
}

/** `0 %`, `90 %`, `99 %`, `99.9 %`. */
const shareLabel = (nine: number): string => (nine === 0 ? '0 %' : shareOf(1 - 10 ** -nine))

const shareOf = (share: number): string => {
  const digits = share >= 1 ? 0 : Math.max(0, Math.ceil(-Math.log10(1 - share)) - 1)
  return `${Number((share * 100).toFixed(Math.min(10, digits)))}\u00a0%`
}
