// The runs of a series as tables: the latest ones, and folded away the ones before; each leads to its own report.
import type { HistoryRun } from '../../../domain/history.ts'
import { digits } from '../../../domain/text.ts'
import { describeChanges, runCells, RUN_HEADER } from '../../history/run-cells.ts'
import { dataBeside, table, type TableParts } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { wholePercent } from '../overview/format.ts'
import { sentence } from '../overview/links.ts'
import { HISTORY_WORDS } from './words.ts'

const SHOWN_AT_ONCE = 10

type Cell = TableParts['rows'][number][number]

/** `name`: of the series, safe to be shown; `id` is unique in the page. `wayTo`: the folders that lead from the page to the folder of the history. */
export function runTables(
  name: string,
  runs: readonly HistoryRun[],
  id: string,
  wayTo: readonly string[],
): SafeHtml {
  const { tables } = HISTORY_WORDS
  const rows = runs.map((run) => cellsOf(run, wayTo)).reverse()
  const [latest, older] = [rows.slice(0, SHOWN_AT_ONCE), rows.slice(SHOWN_AT_ONCE)]
  return html`<div id="${id}">
    ${table({ caption: tables.latest(name), ...withoutBlanks(latest) })}${
      older.length === 0
        ? ''
        : dataBeside(tables.older(older.length), {
            caption: tables.olderOf(name),
            ...withoutBlanks(older),
            isCaptionHidden: true,
          })
    }
  </div>`
}

/** Most series have no repeats and no changes, and room is short: a column in which nothing stands is left out. */
function withoutBlanks(
  cells: readonly (readonly Cell[])[],
): Pick<TableParts, 'rows' | 'words' | 'isCompact'> {
  const names = [...RUN_HEADER, ...HISTORY_WORDS.tables.more]
  const columns = names.map((_, column) => column).filter((column) => cells.some((row) => row[column] !== ''))
  const words = columns.flatMap((column, place) =>
    column === 1 || column === names.length - 1 ? [place] : [],
  )
  const rows = cells.map((row) => columns.map((column) => row[column] ?? ''))
  return { rows: [columns.map((column) => names[column] ?? ''), ...rows], words, isCompact: true }
}

function cellsOf(run: HistoryRun, wayTo: readonly string[]): Cell[] {
  const [started = '', ...figures] = runCells(run)
  const { flaky, gaps, month, changes } = run
  const share = month.share === null ? '' : ` (${wholePercent(month.share)})`
  return [
    run.hasPage ? html`<a href="${addressOf(run, wayTo)}">${started}</a>` : started,
    ...figures,
    flaky === null ? '' : digits(flaky),
    digits(gaps.questions),
    `${month.min === month.max ? digits(month.max) : `${digits(month.min)}–${digits(month.max)}`}${share}`,
    sentence(describeChanges(changes), 300),
  ]
}

/** From the page, whatever the folders are called. */
function addressOf({ folder }: HistoryRun, wayTo: readonly string[]): string {
  const parts = [...wayTo, ...folder.split('/')].filter((part) => part !== '' && part !== '.')
  return [
    ...(parts.length === 0 ? ['.'] : []),
    ...parts.map((part) => encodeURIComponent(part.toWellFormed())),
    'report.html',
  ].join('/')
}
