// Writes whole files under a temporary name first, so that a reader never meets half of one; appends to logs.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setImmediate as otherEvents } from 'node:timers/promises'
import * as z from 'zod'
import { guard, isUnsupportedSync, StorageError } from '../domain/storage-error.ts'
import { messageOf, optionError } from '../options/faults.ts'

/** Writes a whole file, or leaves the old one. Throws StorageError if the disk does not take it. */
export function writeWhole(path: string, text: Piece): void {
  const writing = writeInSteps(path, [text])
  while (writing.next().done !== true);
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Appends all of it or nothing, flushed to the disk. Throws StorageError if the disk does not take it. */
export function appendWhole(path: string, text: string): void {
  const file = guard(() => openSync(path, 'a'))
  try {
    const before = fstatSync(file).size
    try {
      guard(() => writeFileSync(file, text))
      syncFile(file)
    } catch (error) {
      ftruncateSync(file, before)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

type Piece = string | Uint8Array

export type NamedText = readonly [path: string, text: string | Iterable<Piece>]

/** Writes files; signals and timers run between the pieces of a text. Throws StorageError. */
export async function writeFiles(files: readonly NamedText[]): Promise<void> {
  for (const [path, text] of files) {
    const writing = writeInSteps(path, typeof text === 'string' ? [text] : text)
    while (writing.next().done !== true) await otherEvents()
  }
}

/** Makes a name of its own for each process: two that write one file at once do not meet. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(6).toString('hex')}.tmp`

function* writeInSteps(path: string, pieces: Iterable<Piece>): Generator<undefined> {
  const temporary = temporaryName(path)
  try {
    const file = guard(() => openSync(temporary, 'wx'))
    try {
      for (const piece of pieces) {
        guard(() => writeFileSync(file, piece))
        yield
      }
      syncFile(file)
    } finally {
      closeSync(file)
    }
    guard(() => renameSync(temporary, path))
  } catch (error) {
    rmSync(temporary, { force: true })
    // Readers know the file by its name.
    if (error instanceof StorageError) error.message = error.message.replaceAll(temporary, path)
    throw error
  }
}

function syncFile(file: number): void {
  try {
    fsyncSync(file)
  } catch (error) {
    if (!isUnsupportedSync(error)) throw new StorageError(error)
  }
}

/** Keeps a folder with answers its owner's alone. The umask may take away more. */
export const PRIVATE = 0o700

/**
 * Makes the folder, and those above it that are missing, one at a time: where the system refuses, Node's own
 * recursive way names another cause, or never ends. A folder that is there keeps its mode. Throws UsageError
 * naming the option, if one named it.
 */
export function makeFolder(path: string, mode = 0o777, option = 'out'): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  try {
    for (const folder of missing)
      try {
        mkdirSync(folder, { mode: folder === missing.at(-1) ? mode : 0o777 })
      } catch (error) {
        // Another process may make the same folder meanwhile.
        if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error
      }
  } catch (error) {
    throw optionError(option, `${path} cannot be created: ${diskCause(error)}; name another folder`)
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file, or a link to nothing',
  // Every folder above it exists, so the system has made no folder on purpose, as in /proc.
  ENOENT: 'the system allows no new folder there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the path is too long',
}

export function diskCause(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const cause = CAUSES[code]
  return cause === undefined ? messageOf(error) : `${cause} (${code})`
}

/** Reads JSON, if need be after a byte order mark. Throws what Node throws. */
export const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))

/** Reads what `schema` names of a JSON file that any version has written, or says why it cannot. */
export function readKnown<S extends z.ZodType>(
  path: string,
  schema: S,
):
  | { readonly known: z.infer<S>; readonly fault?: undefined }
  | { readonly known?: undefined; readonly fault: string } {
  try {
    return { known: schema.parse(readJson(path)) }
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    return { fault: issue === undefined ? messageOf(error) : `${issue.path.join('.')}: ${issue.message}` }
  }
}

interface LogTable<Row> {
  readonly path: string
  readonly render: (rows: readonly Row[]) => string
  readonly read: () => Promise<readonly Row[]>
}

/**
 * Appends an act of a person to a table, so that two tabs and a report lose none of each other's. One that is
 * new, or that a spreadsheet has saved in its own way, is written whole.
 */
export async function appendRow<Row>({ path, render, read }: LogTable<Row>, row: Row): Promise<void> {
  const text = textOf(path)
  if (isOurs(text, render([]))) return appendWhole(path, render([row]).slice(render([]).length))
  const rows = await read()
  // Another tab may have been faster.
  if (textOf(path) !== text) return appendRow({ path, render, read }, row)
  return writeWhole(path, render([...rows, row]))
}

export const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** An editor may have saved it without the end of its last line. */
export const isOurs = (text: string, header: string): boolean =>
  text.startsWith(header) && text.endsWith('\n')
