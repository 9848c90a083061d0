// Reads a journal into whatever gathers it, a line in memory at a time.
import type { JournalRecord } from '../../domain/journal.ts'
import { readJournal, type Entry } from '../../journal/read.ts'

const MOST_NOTES = 20

interface Gatherer {
  add(record: JournalRecord): void
  addLostIntent(): void
}

/** Returns what was found odd in it. A journal that is not there holds nothing. */
export async function foldJournal(path: string, gatherer: Gatherer): Promise<string[]> {
  const notes: string[] = []
  try {
    for await (const entry of readJournal(path)) {
      if (entry.kind === 'record') gatherer.add(entry.record)
      else {
        if (entry.kind === 'garbled' && entry.mayBeIntent) gatherer.addLostIntent()
        if (notes.length < MOST_NOTES) notes.push(noteOn(entry))
      }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  return notes
}

const noteOn = (entry: Exclude<Entry, { readonly kind: 'record' }>): string =>
  entry.kind === 'torn'
    ? `the last line of ${entry.file} (${entry.line}) is torn: it was passed over`
    : `line ${entry.line} of ${entry.file} cannot be read and was passed over: ${entry.reason}`
