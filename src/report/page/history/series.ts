// A series on the page: what can be said of it, its charts, and its runs.
import type { HistoryRun, HistorySeries } from '../../../domain/history.ts'
import { seriesWords } from '../../history/series-words.ts'
import { html, type SafeHtml } from '../html.ts'
import { withUnits } from '../overview/format.ts'
import { sentence } from '../overview/links.ts'
import { paragraph, section } from '../overview/parts.ts'
import { chartsOf } from './charts.ts'
import { markLegend } from './mark-legend.ts'
import { runTables } from './run-table.ts'
import { timeOfSeries } from './series-axis.ts'
import { HISTORY_WORDS } from './words.ts'

/** A page of more would be slow to open. */
const MOST_RUNS = 2000

export interface SeriesPlace {
  /** Of the series in the page, from 1. */
  readonly number: number
  /** The first screen has said its latest run already. */
  readonly isAlone: boolean
  readonly wayTo: readonly string[]
  readonly pathOf: (run: HistoryRun) => string
}

export const seriesId = (number: number): string => `history-${number}`

export function seriesSection(
  series: HistorySeries,
  { number, isAlone, wayTo, pathOf }: SeriesPlace,
): SafeHtml {
  const { name, runs } = series
  const { latest, paragraphs, commands } = seriesWords(series, pathOf)
  const called = sentence(name, 200)
  const shown = runs.slice(-MOST_RUNS)
  const rows = `history-${number}-runs`
  return section(
    { id: seriesId(number), title: `${called} (${HISTORY_WORDS.runs(runs.length)})` },
    html`${isAlone ? '' : paragraph(withUnits(sentence(latest)))}${
        shown.length < 2
          ? paragraph(HISTORY_WORDS.only)
          : html`${chartsOf(shown, timeOfSeries(shown), number, rows)}${markLegend(shown)}`
      }
      <ul class="items">
        ${paragraphs.map(
          ({ name: figure, sentences }) =>
            html`<li><b>${figure}:</b> ${withUnits(sentence(sentences.join(' '), 1500))}</li>`,
        )}
      </ul>
      ${commands.map(
        ({ why, command }) => html`<p>${why}: <code dir="auto">${sentence(command, 1000)}</code></p>`,
      )}${runTables(called, shown, rows, wayTo)}${
        shown.length < runs.length ? paragraph(HISTORY_WORDS.older(shown.length, runs.length)) : ''
      }`,
  )
}
