// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** `pieces` are written one after the other; on any failure the old file stays as it was. */
export function writeWhole(path: string, pieces: Iterable<string>): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w')
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    }
    fsyncSync(file)
  } catch (error) {
    closeSync(file)
    rmSync(temporary, { force: true })
    throw error
  }
  closeSync(file)
  renameSync(temporary, path)
}
