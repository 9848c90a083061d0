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

export const writeJson = (path: string, value: unknown): void => writeWhole(path, jsonText(value))

/** Indented, for people who open the file. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** A text that takes long to make comes in pieces. */
export type NamedText = readonly [path: string, text: string | Iterable<string>]

/** As `writeWhole`, one after the other: signals and timers run between the pieces of a text. */
export async function writeFiles(files: readonly NamedText[]): Promise<void> {
  for (const [path, text] of files) {
    const writing = writeInSteps(path, typeof text === 'string' ? [text] : text)
    while (writing.next().done !== true) await otherEvents()
  }
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
