// Where the answers of a load test came from: over time, and of the whole test.
import type { LoadReport } from '../../../domain/load.ts'
import { sourceName } from '../../comparison-tables.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { dataBeside, table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { wholePercent } from '../overview/format.ts'
import { paragraph, section } from '../overview/parts.ts'
import { WORDS } from '../overview/words.ts'
import { mixRows } from './mix.ts'
import { figure } from './offered.ts'
import { loadShares, timeOf } from './time.ts'
import { LOAD_WORDS } from './words.ts'

const MOST_VALUES = 20

export function groundingSection(report: LoadReport): SafeHtml {
  const words = LOAD_WORDS.grounding
  const part = { id: 'grounding', title: LOAD_WORDS.sections.grounding }
  if (report.turns.answered === 0) return section(part, paragraph(words.none))
  return section(
    part,
    html`${overTime(report)}${valueTable(words.sources, report.contextSource)}${
      Object.keys(report.status).length > 1 ? valueTable(words.statuses, report.status) : ''
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

/** The most frequent values; the endpoint chooses them. */
function valueTable(caption: string, counts: Readonly<Record<string, number>>): SafeHtml {
  const words = LOAD_WORDS.grounding
  const whole = Object.values(counts).reduce((all, count) => all + count, 0)
  return table({
    caption,
    rows: [
      words.valueHeader,
      ...Object.entries(counts)
        .slice(0, MOST_VALUES)
        .map(([value, count]) => [
          shorten(sourceName(value), 40),
          digits(count),
          wholePercent(count / whole),
        ]),
    ],
  })
}
