// Writes whole files: under a temporary name first, so that a reader never meets half of one.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { setImmediate as otherEvents } from 'node:timers/promises'
import { StorageError } from '../domain/storage-error.ts'
import { messageOf, optionError } from './usage-error.ts'

/** On any failure the old file stays as it was. Throws StorageError where the disk does not take it. */
export function writeWhole(path: string, text: string): void {
  const file = begin(path)
  file.within(() => file.add(text))
  file.finish()
}

/** The same in pieces that take long to make: signals and timers are let in between them. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const file = begin(path)
  const iterator = pieces[Symbol.iterator]()
  while (file.within(() => addNext(file, iterator))) await otherEvents()
  file.finish()
}

function addNext(file: { readonly add: (text: string) => void }, pieces: Iterator<string>): boolean {
  const { value, done } = pieces.next()
  if (done === true) return false
  file.add(value)
  return true
}

function begin(path: string) {
  const temporary = `${path}.tmp`
  const file = guard(() => openSync(temporary, 'w'))
  /** Whatever `act` throws, the beginning of the file goes. */
  const within = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      closeSync(file)
      rmSync(temporary, { force: true })
      throw error
    }
  }
  return {
    within,
    add: (text: string): void => {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;) written += guard(() => writeSync(file, bytes, written))
    },
    finish: (): void => {
      within(() => guard(() => fsyncSync(file)))
      closeSync(file)
      guard(() => renameSync(temporary, path))
    },
  }
}

/** Throws StorageError for what the file system does not do. */
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
    throw optionError('out', `${path} cannot be made (${messageOf(error)})`)
  }
}

/** As JSON, also where an editor has set a byte order mark before it. Throws what Node throws. */
export const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
