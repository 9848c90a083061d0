// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import { dirname, resolve } from 'node:path'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { StorageError } from '../domain/storage-error.ts'
import { setImmediate as otherEvents } from 'node:timers/promises'
import { removeStaleTemporaries, temporaryOf } from './stale-temporaries.ts'

/**
 * `pieces` are written one after the other; on any failure the old file stays as it was. Throws StorageError where the
 * disk does not take them.
 */
export function writeWhole(path: string, pieces: Iterable<string>): void {
  const file = begin(path)
  try {
    for (const piece of pieces) file.add(piece)
  } catch (error) {
    file.abandon()
    throw error
  }
  file.finish()
}

/** The same, for pieces that take long to make: signals and timers are let in between them. */
export async function writeInTurns(path: string, pieces: Iterable<string>): Promise<void> {
  const file = begin(path)
  try {
    for (const piece of pieces) {
      file.add(piece)
      await otherEvents()
    }
  } catch (error) {
    file.abandon()
    throw error
  }
  file.finish()
}

interface BegunFile {
  readonly add: (piece: string) => void
  readonly finish: () => void
  readonly abandon: () => void
}

function begin(path: string): BegunFile {
  removeStaleTemporaries(path)
  const temporary = temporaryOf(path, process.pid)
  const file = guard(() => openSync(temporary, 'w'))
  const abandon = (): void => {
    closeSync(file)
    rmSync(temporary, { force: true })
  }
  return {
    add: (piece) => guard(() => writeAll(file, Buffer.from(piece))),
    finish: () => {
      try {
        guard(() => fsyncSync(file))
      } catch (error) {
        abandon()
        throw error
      }
      closeSync(file)
      guard(() => renameSync(temporary, path))
    },
    abandon,
  }
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

/** As JSON, also where an editor has set a byte order mark before it. Throws SyntaxError. */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''))
