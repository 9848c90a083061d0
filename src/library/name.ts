// The name of a run that a person types: `name.txt` in its folder, beside what the run itself records.
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { guard } from '../domain/storage-error.ts'
import { writeWhole } from '../store/files.ts'
import { isComparison, isRun, noRun } from '../store/folder.ts'

export const nameFile = (path: string): string => join(path, 'name.txt')

/** The folder's name where nobody typed another. */
export function nameOf(path: string): string {
  try {
    return plain(readFileSync(nameFile(path), 'utf8')) || basename(path)
  } catch {
    return basename(path)
  }
}

export function nameRun(path: string, name: string): void {
  if (!isRun(path) && !isComparison(path)) throw noRun(path)
  if (plain(name) === '') guard(() => rmSync(nameFile(path), { force: true }))
  else writeWhole(nameFile(path), `${plain(name)}\n`)
}

const MAX_LENGTH = 120

const plain = (name: string): string => name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)
