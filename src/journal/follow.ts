// Follows the journals of a run while they grow.
import { existsSync, promises } from 'node:fs'
import type { JournalRecord } from '../domain/journal.ts'
import { decodeLine } from './line.ts'
import { nthJournal } from './read.ts'

const NEWLINE = 0x0a
const CHUNK = 2 ** 18

/**
 * Each call passes the whole lines that are new since the call before, in order; those that cannot be read
 * are skipped. One call at a time. `path` is the first journal; each resume adds one.
 */
export function followJournal(path: string): (take: (record: JournalRecord) => void) => Promise<void> {
  let [nth, offset] = [1, 0]
  return async (take) => {
    while (existsSync(nthJournal(path, nth))) {
      // Looked for before reading: the last lines of a journal precede the next one.
      const hasNext = existsSync(nthJournal(path, nth + 1))
      offset = await readLines(nthJournal(path, nth), offset, (line) => {
        const decoded = decodeLine(line)
        if (decoded.kind === 'record') take(decoded.record)
      })
      if (!hasNext) return
      ;[nth, offset] = [nth + 1, 0]
    }
  }
}

/** Returns the offset behind the last whole line. */
async function readLines(path: string, from: number, take: (line: string) => void): Promise<number> {
  const file = await promises.open(path)
  try {
    let [offset, rest] = [from, Buffer.alloc(0)]
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, offset + rest.length)
      if (bytesRead === 0) return offset
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        take(bytes.toString('utf8', start, end))
        start = end + 1
      }
      offset += start
      rest = bytes.subarray(start)
    }
  } finally {
    await file.close()
  }
}
