// Follows the journals of a run while they grow.
import { existsSync } from 'node:fs'
import type { JournalRecord } from '../domain/journal.ts'
import { decodeLine } from './line.ts'
import { nthJournal, readLines } from './read.ts'

/**
 * Passes, each call, the whole lines that are new since the call before, in order; skips what cannot be read.
 * One call at a time. Each resume adds a journal to the first, `path`.
 */
export function followJournal(path: string): (take: (record: JournalRecord) => void) => Promise<void> {
  let [nth, offset] = [1, 0]
  return async (take) => {
    while (existsSync(nthJournal(path, nth))) {
      // Looked for before reading: the last lines of a journal precede the next one.
      const hasNext = existsSync(nthJournal(path, nth + 1))
      for await (const { lines } of readLines(nthJournal(path, nth), offset))
        for (const line of lines) {
          const decoded = decodeLine(line.text)
          if (decoded.kind === 'record') take(decoded.record)
          offset = line.offset + line.length + 1
        }
      if (!hasNext) return
      ;[nth, offset] = [nth + 1, 0]
    }
  }
}
