// Makes every report of a run from its folder alone: what `run` does at its end and `report` does again.
import { createHighlightsGatherer } from '../analysis/highlights.ts'
import { createSummaryGatherer } from '../analysis/summarise.ts'
import { turnRecords } from '../analysis/turn-records.ts'
import type { Highlights } from '../domain/highlights.ts'
import type { Manifest } from '../domain/manifest.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Summary } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { writeWhole } from './files.ts'
import { indexJournal, isBegun, type IndexedJournal } from './index-journal.ts'
import type { RunFolder } from './run-folder.ts'

export interface Reports {
  readonly summary: Summary
  readonly highlights: Highlights
  /** The first file that the disk did not take, and why; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
  /** False where the journal has not come to its first attempt: no file is written then. */
  readonly isBegun: boolean
}

export async function writeReports(
  folder: RunFolder,
  manifest: Manifest,
  journal?: IndexedJournal,
): Promise<Reports> {
  const { index, notes } = journal ?? (await indexJournal(folder, manifest))
  const { groundedSources } = manifest.options
  const picker = openPicker(folder.journal)
  const gather = (see: (turns: Iterable<TurnRecord>) => void): Omit<Reports, 'unwritten' | 'isBegun'> => {
    const summaries = createSummaryGatherer(manifest, index, notes)
    const highlighter = createHighlightsGatherer(groundedSources)
    // One pass over the turns feeds all reports; only `results.csv` needs the answers, and streams them.
    see(
      tap(turnRecords(index, picker.pick), (turn) => {
        summaries.add(turn)
        highlighter.add(turn)
      }),
    )
    return { summary: summaries.finish(), highlights: highlighter.finish() }
  }
  const passOver = (turns: Iterable<TurnRecord>): void => {
    const rest = turns[Symbol.iterator]()
    while (rest.next().done !== true);
  }
  try {
    // There is nothing to see yet, and a later sitting must not take it for a run that has lost its journal.
    if (!isBegun(index)) return { ...gather(passOver), unwritten: undefined, isBegun: false }
    const reports = gather((turns) => {
      writeWhole(folder.results, renderResultsCsv(turns, manifest.columns, groundedSources))
    })
    writeWhole(folder.summary, [`${JSON.stringify(reports.summary, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [renderSummaryMarkdown(reports.summary, reports.highlights)])
    return { ...reports, unwritten: undefined, isBegun: true }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { ...gather(passOver), unwritten: error, isBegun: true }
  } finally {
    picker.close()
  }
}

function* tap(turns: Iterable<TurnRecord>, see: (turn: TurnRecord) => void): Generator<TurnRecord> {
  for (const turn of turns) {
    see(turn)
    yield turn
  }
}
