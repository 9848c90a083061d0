// What the signs in the charts of a series mean; only those that it has.
import type { HistoryRun } from '../../../domain/history.ts'
import { legend } from '../charts/legend.ts'
import { html, type SafeHtml } from '../html.ts'
import { HISTORY_WORDS } from './words.ts'

export function markLegend(runs: readonly HistoryRun[]): SafeHtml {
  const { marks } = HISTORY_WORDS
  const line = (kind: string): SafeHtml =>
    html`<line class="mark ${kind}" x1="9" x2="9" y1="1" y2="17"></line>`
  const items = [
    {
      words: marks.band,
      isThere: true,
      sign: html`<rect class="band" x="1" y="4" width="16" height="10"></rect>`,
    },
    {
      words: marks.apart,
      isThere: runs.some(({ state }) => state !== 'complete'),
      sign: html`<circle class="dot hollow" cx="9" cy="9" r="3.5"></circle>`,
    },
    {
      words: marks.questions,
      isThere: runs.some(({ changes }) => changes.questions),
      sign: line('questions'),
    },
    {
      words: marks.settings,
      isThere: runs.some(({ changes }) => changes.settings.length > 0),
      sign: line('settings'),
    },
  ]
  return legend(items.flatMap(({ words, isThere, sign }) => (isThere ? [{ words, sign, width: 18 }] : [])))
}
