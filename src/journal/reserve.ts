// Room kept back on the disk, so that what is under way when it fills up can still be recorded.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { StorageError } from '../domain/storage-error.ts'

/** The answers of 64 calls in flight, at 16 KiB each. */
const BYTES = 2 ** 20

export interface Reserve {
  /** Gives the room back; for good. */
  release(): void
}

/** Throws StorageError where there is not even that much room: such a run would stop at once. */
export function openReserve(path: string): Reserve {
  try {
    const file = openSync(path, 'w')
    try {
      const zeros = Buffer.alloc(BYTES)
      for (let written = 0; written < BYTES;) written += writeSync(file, zeros, written)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw new StorageError(error)
  }
  return { release: () => rmSync(path, { force: true }) }
}
