// What load did to the answers: where they came from over time and by the offered rate, and whether grounding held.
import type { LoadReport } from '../../../domain/load/load-report.ts'
import type { RateBand } from '../../../domain/load/rate-bands.ts'
import { bandRows } from '../../load-account.ts'
import { describeBand, describeTrend } from '../../load-words.ts'
import { sourceName } from '../../comparison-tables.ts'
import { digits } from '../../../domain/digits.ts'
import { shorten } from '../../visible.ts'
import { barsWithIntervals, type BarRow } from '../charts/bars.ts'
import { dataBeside, table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { percentRange, wholePercent } from '../overview/format.ts'
import { paragraph, section } from '../overview/parts.ts'
import { WORDS } from '../overview/words.ts'
import { mixRows } from './mix.ts'
import { figure } from './offered.ts'
import { loadShares, timeOf } from './time.ts'
import { LOAD_WORDS } from './words.ts'

const MOST_VALUES = 6

export function groundingSection(report: LoadReport): SafeHtml {
  const words = LOAD_WORDS.grounding
  const part = { id: 'grounding', title: LOAD_WORDS.sections.grounding }
  if (report.turns.answered === 0) return section(part, paragraph(words.none))
  const bands = report.byOfferedRate
  return section(
    part,
    html`${paragraph(describeTrend(report))}${overTime(report)}${
      bands.length < 2
        ? ''
        : html`${barsWithIntervals(bands.map(barOf), words.rates)}${
            bands.some(({ coverage }) => coverage.few) ? paragraph(WORDS.coverage.few) : ''
          }${table({
            caption: words.rateTable,
            rows: bandRows(report),
          })}`
    }${valueTable(words.sources, report, 'contextSource')}${
      Object.keys(report.status).length > 1 ? valueTable(words.statuses, report, 'status') : ''
    }`,
  )
}

function overTime(report: LoadReport): SafeHtml {
  const time = timeOf(report)
  if (time === undefined) return html``
  const words = LOAD_WORDS.grounding
  const { bins, steps } = time
  const parts = bins.map(({ grounded, answered, refused, errors }) => ({
    kb: grounded,
    other: answered - grounded,
    lost: refused + errors,
  }))
  const share = (of: 'kb' | 'other' | 'lost'): number[] =>
    parts.map((part) => {
      const whole = part.kb + part.other + part.lost
      return whole === 0 ? 0 : part[of] / whole
    })
  const description = words.description(wholePercent(report.coverage.rate))
  const label = words.label(steps)
  return html`${figure(
    label,
    description,
    loadShares('overview-mix-chart', { label, description }, time, [
      { shade: 'kb', label: words.kb, values: share('kb') },
      { shade: 'hatched', label: words.other, values: share('other') },
      { shade: 'light', label: words.lost, values: share('lost') },
    ]),
  )}${dataBeside(WORDS.figuresBeside, { caption: label, rows: mixRows(report, time) })}`
}

function barOf(band: RateBand): BarRow {
  const { rate, low, high, cluster, few, grounded, answered } = band.coverage
  const [from, to] = [cluster?.low ?? low, cluster?.high ?? high]
  return {
    label: html`${describeBand(band)}`,
    share: rate,
    low: from,
    high: to,
    few,
    words:
      rate === null ? LOAD_WORDS.grounding.noAnswers : `${wholePercent(rate)} (${percentRange(from, to)})`,
    count: rate === null ? '0' : WORDS.of(grounded, answered),
  }
}

/** A column for each of the most frequent values; the endpoint chooses them. */
function valueTable(caption: string, report: LoadReport, of: 'contextSource' | 'status'): SafeHtml {
  const words = LOAD_WORDS.grounding
  const values = Object.keys(report[of]).slice(0, MOST_VALUES)
  const row = (name: string, counts: Readonly<Record<string, number>>): string[] => {
    const whole = Object.values(counts).reduce((all, count) => all + count, 0)
    return [
      name,
      ...values.map((value) => {
        const count = Object.hasOwn(counts, value) ? (counts[value] ?? 0) : 0
        return whole === 0 ? '' : `${digits(count)} (${wholePercent(count / whole)})`
      }),
    ]
  }
  const bands = report.byOfferedRate.length < 2 ? [] : report.byOfferedRate
  return table({
    caption,
    rows: [
      [bands.length === 0 ? '' : words.rates.label, ...values.map((value) => shorten(sourceName(value), 40))],
      ...bands.map((band) => row(describeBand(band), band[of])),
      row(words.whole, report[of]),
    ],
  })
}
