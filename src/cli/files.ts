// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import { dirname, resolve } from 'node:path'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { StorageError } from '../domain/storage-error.ts'
import { removeStaleTemporaries, temporaryOf } from './stale-temporaries.ts'

/**
 * `pieces` are written one after the other; on any failure the old file stays as it was. Throws StorageError where the
 * disk does not take them.
 */
export function writeWhole(path: string, pieces: Iterable<string>): void {
  removeStaleTemporaries(path)
  const temporary = temporaryOf(path, process.pid)
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

/** Step by step: in some file systems, such as /proc, Node's own recursive way never ends. */
export function makeFolders(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing)
    try {
      mkdirSync(folder)
    } catch (error) {
      // Another process may have made it just now.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
}
