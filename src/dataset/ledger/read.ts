// The files of a usage ledger, read: CSV, a JSON array in any wrapper, or a JSON record a line.
import { open } from 'node:fs/promises'
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { LedgerFile } from '../../domain/reconciliation.ts'
import type { Fault } from '../fault.ts'
import { FaultLog } from '../fault-log.ts'
import { describeError } from '../read-error.ts'
import { WarningLog } from '../warning-log.ts'
import { readCsv } from './read-csv.ts'
import type { ReadFile } from './read-file.ts'
import { readJson } from './read-json.ts'
import type { LedgerListener, LedgerReading } from './table.ts'

/** A JSON file is held whole, as text and as values: some million and a half of calls. */
const LARGEST_JSON_BYTES = 256 * 1024 * 1024

export interface ReadLedger {
  readonly entries: readonly LedgerEntry[]
  readonly files: readonly LedgerFile[]
  readonly faults: readonly Fault[]
  readonly truncated: number
  readonly warnings: readonly string[]
}

/** Nothing is thrown but for our own bugs: a file that cannot be read is a fault. */
export async function readLedger(paths: readonly string[], reading: LedgerReading): Promise<ReadLedger> {
  const faults = new FaultLog()
  const warnings = new WarningLog()
  const entries: LedgerEntry[][] = []
  const files: LedgerFile[] = []
  for (const [number, path] of paths.entries()) {
    const listener: LedgerListener = {
      fail: (remark) => faults.add(number, { file: path, ...remark }),
      warn: (remark, kind) => warnings.add({ file: path, ...remark }, kind),
    }
    const read = await readOne(path, number, reading, listener)
    if (read === undefined) continue
    const twin = files.findIndex(({ digest }) => digest === read.file.digest)
    if (twin !== -1)
      listener.fail({ message: `this is the same file as ${paths[twin]}; name each part of the ledger once` })
    entries.push(read.entries)
    files.push(read.file)
  }
  return {
    entries: entries.length === 1 ? (entries[0] ?? []) : entries.flat(),
    files,
    faults: faults.sorted(),
    truncated: faults.truncated,
    warnings: warnings.list(),
  }
}

async function readOne(
  path: string,
  number: number,
  reading: LedgerReading,
  listener: LedgerListener,
): Promise<ReadFile | undefined> {
  try {
    const { sign, size } = await beginningOf(path)
    if (size === 0) {
      listener.fail({ message: 'the file is empty' })
      return undefined
    }
    if (sign !== '{' && sign !== '[') return await readCsv(path, number, reading, listener)
    if (size > LARGEST_JSON_BYTES) {
      listener.fail({
        message:
          'a JSON file over 256 MB is not read; export it as CSV, or in parts (--ledger several times)',
      })
      return undefined
    }
    return await readJson(path, number, reading, listener)
  } catch (error) {
    listener.fail({ message: describeError(error) })
    return undefined
  }
}

/** The first sign that is no white space, and the bytes of the file. */
async function beginningOf(path: string): Promise<{ readonly sign: string; readonly size: number }> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    const text = buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart()
    return { sign: text[0] ?? '', size: (await file.stat()).size }
  } finally {
    await file.close()
  }
}
