// `history.html`: figures of many runs over time as one file; its charts and tables need no script, which only names the run at hand.
import type { History, HistoryRun } from '../../../domain/history.ts'
import { METHOD, missing, passedOver } from '../../history/notes.ts'
import { inShort, seriesWords } from '../../history/series-words.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { withUnits } from '../overview/format.ts'
import { sentence } from '../overview/links.ts'
import { paragraph, section } from '../overview/parts.ts'
import { renderOverviewPage } from '../page.ts'
import type { PageAssets } from '../policy.ts'
import { monthSection } from './months.ts'
import { seriesId, seriesSection } from './series.ts'
import { HISTORY_WORDS } from './words.ts'

export interface HistoryPage {
  /** Of the folder, for people. */
  readonly name: string
  /** The folders that lead from the page to that folder; empty for a page in it. */
  readonly wayTo: readonly string[]
  /** A run's folder as a word for a shell. */
  readonly pathOf: (run: HistoryRun) => string
  readonly assets: PageAssets
}

const MOST_LEFT_OUT = 300

/** The file's text in pieces. */
export function* renderHistoryPage(
  history: History,
  { name, wayTo, pathOf, assets }: HistoryPage,
): Generator<string> {
  const { series, months } = history
  const left = missing(history)
  const overview = html`<div class="overview">
    ${opening(history, pathOf)}${series.map((one, place) => seriesSection(one, { number: place + 1, isAlone: series.length === 1, wayTo, pathOf }))}${
      months.length === 0 ? '' : monthSection(months)
    }${left.length === 0 ? '' : leftOutSection(left)}${section(
      { id: 'notes', title: HISTORY_WORDS.sections.notes },
      html`${[METHOD, ...passedOver(history)].map(paragraph)}`,
    )}
  </div>`
  yield* renderOverviewPage({
    title: sentence(HISTORY_WORDS.title(name), 200),
    overview,
    assets,
    script: assets.script,
  })
}

function opening(history: History, pathOf: HistoryPage['pathOf']): SafeHtml {
  const { series } = history
  const left = missing(history)
  const latest = (place: number): string => {
    const one = series[place]
    return one === undefined ? '' : withUnits(sentence(inShort(seriesWords(one, pathOf))))
  }
  return section(
    { id: 'opening', title: HISTORY_WORDS.sections.opening },
    html`${
      series.length === 1
        ? html`<p class="lead" dir="auto">${latest(0)}</p>`
        : html`<ul class="items">
            ${series.map(
              ({ name }, place) =>
                html`<li>
                  <a href="#overview-${seriesId(place + 1)}" dir="auto">${sentence(name, 200)}</a>:
                  ${latest(place)}
                </li>`,
            )}
          </ul>`
    }${
      left.length === 0
        ? ''
        : html`<p class="notice" role="note">
            ${HISTORY_WORDS.left(left.length)} <a href="#overview-left-out">${HISTORY_WORDS.seeLeft}</a>.
          </p>`
    }`,
  )
}

function leftOutSection(left: History['leftOut']): SafeHtml {
  const { caption, header } = HISTORY_WORDS.leftOut
  const rows = left
    .slice(0, MOST_LEFT_OUT)
    .map(({ folder, reason }) => [sentence(folder, 200), sentence(reason, 400)])
  return section(
    { id: 'left-out', title: HISTORY_WORDS.sections.leftOut },
    html`${table({ caption, rows: [[...header], ...rows], words: [1], isCaptionHidden: true })}${
      left.length > MOST_LEFT_OUT ? paragraph(HISTORY_WORDS.more(left.length - MOST_LEFT_OUT)) : ''
    }`,
  )
}
