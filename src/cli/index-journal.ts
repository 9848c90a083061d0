// What a run's journal holds, and whether it is there at all as far as the run had come.
import { existsSync } from 'node:fs'
import { createRunIndexer, type RunIndex } from '../analysis/run-index.ts'
import type { Manifest } from '../domain/manifest.ts'
import { journalsOf, readJournal, type Place } from '../journal/read.ts'
import { journalFault } from './journal-fault.ts'
import type { RunFolder } from './run-folder.ts'
import { keepHeapLean } from './lean-heap.ts'
import { UsageError } from '../library/usage-error.ts'

export interface IndexedJournal {
  readonly index: RunIndex<Place>
  /** What was found odd in it. */
  readonly notes: readonly string[]
}

const MOST_NOTES = 20

/** An empty index where the process died before it had a journal. */
export async function indexJournal(folder: RunFolder): Promise<IndexedJournal> {
  keepHeapLean(journalsOf(folder.journal))
  const indexer = createRunIndexer<Place>()
  const notes: string[] = []
  try {
    for await (const entry of readJournal(folder.journal)) {
      if (entry.kind === 'record') indexer.add(entry.record, entry.place)
      else if (entry.kind === 'torn')
        notes.push(`the last line of ${entry.file} (${entry.line}) is torn: it was passed over`)
      else {
        if (entry.mayBeIntent) indexer.addLostIntent()
        notes.push(`line ${entry.line} of ${entry.file} cannot be read and was passed over: ${entry.reason}`)
      }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  return { index: indexer.finish(), notes: notes.slice(0, MOST_NOTES) }
}

/** Whether the journal has come to its first attempt, or could have: the set is whole then. */
export const isBegun = ({ set, attempts }: RunIndex<unknown>): boolean => set !== undefined || attempts > 0

/** Throws UsageError where a run that had begun has no journal any more: nothing can be made of it, or asked again. */
export async function refuseLostJournal(
  folder: RunFolder,
  { state }: Manifest,
  index: RunIndex<unknown>,
): Promise<void> {
  if (state === 'running' && !existsSync(folder.results)) return
  // Lines that cannot be read count as attempts that may have been sent.
  const what =
    (await journalFault(folder.journal)) ?? (isBegun(index) ? undefined : 'holds no attempt any more')
  if (what === undefined) return
  throw new UsageError(
    `${folder.journal} ${what}, though the run had begun: put it back, or start a new run; nothing was sent or written`,
  )
}
