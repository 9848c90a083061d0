// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { setImmediate as otherEvents } from 'node:timers/promises'
import { StorageError } from '../domain/storage-error.ts'
import { messageOf, optionError } from './usage-error.ts'

/** On any failure the old file stays as it was. Throws StorageError where the disk does not take the new one. */
export function writeWhole(path: string, text: string): void {
  const file = begin(path)
  try {
    file.add(text)
    file.flush()
  } catch (error) {
    file.discard()
    throw error
  }
  file.publish()
}

/** Indented, for people who open the file. */
export const writeJson = (path: string, value: unknown): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`)

/** As `writeWhole`, for a text in pieces that take long to make: signals and timers run between them. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const file = begin(path)
  try {
    for (const piece of pieces) {
      file.add(piece)
      await otherEvents()
    }
    file.flush()
  } catch (error) {
    file.discard()
    throw error
  }
  file.publish()
}

function begin(path: string) {
  const temporary = `${path}.tmp`
  const file = guard(() => openSync(temporary, 'w'))
  return {
    add: (text: string): void => guard(() => writeFileSync(file, text)),
    flush: (): void => guard(() => fsyncSync(file)),
    publish: (): void => {
      closeSync(file)
      guard(() => renameSync(temporary, path))
    },
    discard: (): void => {
      closeSync(file)
      rmSync(temporary, { force: true })
    },
  }
}

/** Throws StorageError for an error of the file system. */
export function guard<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new StorageError(error)
  }
}

/** Throws UsageError naming `--out`. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw optionError('out', `${path} cannot be created (${messageOf(error)})`)
  }
}

/** Reads JSON, with or without a byte order mark. Throws what Node throws. */
export const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
