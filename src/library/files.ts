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
import { guard } from '../domain/storage-error.ts'
import { messageOf, optionError } from './usage-error.ts'

/** On any failure the old file stays as it was. Throws StorageError if the disk does not take the new one. */
export function writeWhole(path: string, text: string): void {
  const writing = writeInSteps(path, [text])
  while (writing.next().done !== true);
}

/** Indented, for people who open the file. */
export const writeJson = (path: string, value: unknown): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`)

/** As `writeWhole`, for a text in pieces that take long to make: signals and timers run between them. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const writing = writeInSteps(path, pieces)
  while (writing.next().done !== true) await otherEvents()
}

/** A step for each piece; the last step gives the file its name. */
function* writeInSteps(path: string, pieces: Iterable<string>): Generator<undefined> {
  const temporary = `${path}.tmp`
  const file = guard(() => openSync(temporary, 'w'))
  try {
    for (const piece of pieces) {
      guard(() => writeFileSync(file, piece))
      yield
    }
    guard(() => fsyncSync(file))
  } catch (error) {
    closeSync(file)
    rmSync(temporary, { force: true })
    throw error
  }
  closeSync(file)
  guard(() => renameSync(temporary, path))
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
