// Writes a long file of lines from its start to its end, some of them in memory at a time.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { StorageError } from '../../domain/storage-error.ts'

export interface LineWriter {
  /** `line` without its end. */
  write(line: string): void
  /** Brings all to the disk and closes the file. */
  end(): void
  /** Closes it as it is. */
  abandon(): void
}

const MOST_CHARACTERS = 2 ** 18

/** Every function throws StorageError where the disk does not take it. */
export function openLines(path: string): LineWriter {
  const file = guard(() => openSync(path, 'wx'))
  let lines: string[] = []
  let length = 0
  const flush = (): void => {
    const bytes = Buffer.from(lines.join(''))
    lines = []
    length = 0
    guard(() => {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    })
  }
  return {
    write: (line) => {
      lines.push(line, '\n')
      length += line.length
      if (length >= MOST_CHARACTERS) flush()
    },
    end: () => {
      flush()
      guard(() => fsyncSync(file))
      closeSync(file)
    },
    abandon: () => closeSync(file),
  }
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new StorageError(error)
  }
}
