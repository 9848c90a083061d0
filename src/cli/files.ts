// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { StorageError } from '../domain/storage-error.ts'

/**
 * `pieces` are written one after the other; on any failure the old file stays as it was. Throws StorageError where the
 * disk does not take them.
 */
export function writeWhole(path: string, pieces: Iterable<string>): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = guard(() => openSync(temporary, 'w'))
  try {
    for (const piece of pieces) guard(() => writeAll(file, Buffer.from(piece)))
    guard(() => fsyncSync(file))
  } catch (error) {
    closeSync(file)
    rmSync(temporary, { force: true })
    throw error
  }
  closeSync(file)
  guard(() => renameSync(temporary, path))
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new StorageError(error)
  }
}
