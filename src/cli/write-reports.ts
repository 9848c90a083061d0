// Makes every report of a run from its folder alone: what `run` does at its end and `report` does again.
import { createHighlightsGatherer } from '../analysis/highlights.ts'
import { createRunIndexer, type RunIndex } from '../analysis/run-index.ts'
import { createSummaryGatherer } from '../analysis/summarise.ts'
import { turnRecords } from '../analysis/turn-records.ts'
import type { Highlights } from '../domain/highlights.ts'
import type { Manifest } from '../domain/manifest.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Summary } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { openPicker, readJournal, type Place } from '../journal/read.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { writeWhole } from './files.ts'
import type { RunFolder } from './run-folder.ts'

export interface Reports {
  readonly summary: Summary
  readonly highlights: Highlights
  /** The first file that the disk did not take, and why; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
}

export async function writeReports(folder: RunFolder, manifest: Manifest): Promise<Reports> {
  const { index, notes } = await indexJournal(folder, manifest)
  const { groundedSources } = manifest.options
  const picker = openPicker(folder.journal)
  const gather = (see: (turns: Iterable<TurnRecord>) => void): Omit<Reports, 'unwritten'> => {
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
  try {
    const reports = gather((turns) => {
      writeWhole(folder.results, renderResultsCsv(turns, manifest.columns, groundedSources))
    })
    writeWhole(folder.summary, [`${JSON.stringify(reports.summary, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [renderSummaryMarkdown(reports.summary, reports.highlights)])
    return { ...reports, unwritten: undefined }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const passOver = (turns: Iterable<TurnRecord>): void => {
      const rest = turns[Symbol.iterator]()
      while (rest.next().done !== true);
    }
    return { ...gather(passOver), unwritten: error }
  } finally {
    picker.close()
  }
}

async function indexJournal(
  folder: RunFolder,
  manifest: Manifest,
): Promise<{ index: RunIndex<Place>; notes: string[] }> {
  const indexer = createRunIndexer<Place>(manifest.options.countRejected)
  const notes: string[] = []
  for await (const entry of readJournal(folder.journal)) {
    if (entry.kind === 'record') indexer.add(entry.record, entry.place)
    else if (entry.kind === 'torn')
      notes.push(`the last line of the journal (${entry.line}) is torn: it was passed over`)
    else notes.push(`line ${entry.line} of the journal cannot be read and was passed over: ${entry.reason}`)
  }
  return { index: indexer.finish(), notes: notes.slice(0, 20) }
}

function* tap(turns: Iterable<TurnRecord>, see: (turn: TurnRecord) => void): Generator<TurnRecord> {
  for (const turn of turns) {
    see(turn)
    yield turn
  }
}
