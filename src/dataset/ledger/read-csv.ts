// A ledger in CSV: encoding and separator are found as those of a question set, its rows never held as text.
import { readFile } from '../file-reader.ts'
import { isBlank } from '../record-check.ts'
import { RecordGate } from '../record-gate.ts'
import { fileOf, type ReadFile } from './read-file.ts'
import { LedgerTable, type LedgerListener, type LedgerReading } from './table.ts'

export async function readCsv(
  path: string,
  number: number,
  reading: LedgerReading,
  listener: LedgerListener,
): Promise<ReadFile | undefined> {
  let table: LedgerTable | undefined
  let gate: RecordGate | undefined
  const text = await readFile(path, false, {
    ...listener,
    record: (record) => {
      if (isBlank(record.cells)) return
      if (table === undefined || gate === undefined) {
        gate = new RecordGate(record.cells, listener)
        table = new LedgerTable(record.cells, reading, listener)
      } else if (gate.admits(record)) table.take(record.cells, record.line)
    },
  })
  if (text === undefined || table === undefined) return undefined
  const { entries, facts } = table.finish(number)
  return { entries, file: fileOf(path, 'csv', text.digest, facts) }
}
