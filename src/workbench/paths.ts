// Paths of the page, confined to the folder: no way leads out of it, not by `..` and not by a link.
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { SHIPPED_QUESTIONS, UsageError } from '../library/index.ts'

export const SHIPPED_SET = `shipped/${basename(SHIPPED_QUESTIONS)}`

/**
 * The whole path of something in the folder, which need not exist yet. `path` is relative, with `/`. Throws
 * UsageError for one that leads out of the folder.
 */
export function confined(folder: string, path: string): string {
  const whole = resolve(folder, path)
  const isPlain = path !== '' && !isAbsolute(path) && !/[\0\\]/.test(path) && isBelow(resolve(folder), whole)
  if (!isPlain || !isBelow(realpathSync(folder), realpathSync(existing(whole))))
    throw new UsageError(`${path} is not in the folder of this workbench`)
  return whole
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The page names a path with `/`; null for one outside of the folder. */
export function pageNameOf(folder: string, path: string): string | null {
  if (path === SHIPPED_QUESTIONS) return SHIPPED_SET
  const name = relative(folder, path).split(sep).join('/')
  return /^\.\.(?:\/|$)/.test(name) || isAbsolute(name) ? null : name === '' ? '.' : name
}

/** What a person expects is written to the run's set, or beside one that is no CSV file of the folder. */
export function expectationsPath(folder: string, set: string): string {
  const name = pageNameOf(folder, set)
  const isOfFolder = name !== null && !name.startsWith('shipped/') && name.endsWith('.csv')
  return isOfFolder ? name : `sets/${basename(set).replace(/\.[^.]+$/, '')}.csv`
}

/** The page names a sheet of a workbook as `set.xlsx#Sheet`. Throws UsageError without that file. */
export function setPath(folder: string, name: string): string {
  if (name === SHIPPED_SET) return SHIPPED_QUESTIONS
  const path = confined(folder, name)
  if (!existsSync(path.replace(/(?<=\.xlsx)#.*$/i, ''))) throw new UsageError(`there is no file ${name}`)
  return path
}

/** Makes the folder that the file is saved in. */
export function newPath(folder: string, name: string): string {
  const path = confined(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  return path
}

export const isTable = (name: string): boolean =>
  /\.(?:csv|tsv|xlsx)$/i.test(name) && !name.endsWith('.previous.csv')

/** An uploaded file is saved below `sets`, under a name that is free. */
export function uploadPath(folder: string, name: string): string {
  const end = extname(name)
  if (end === '' || !isTable(name)) throw new UsageError('A question set is a .csv or .xlsx file.')
  const plain = basename(name, end)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 60)
  return freePath(newPath(folder, `sets/${plain || 'set'}`), end.toLowerCase())
}

/** Tries `NAME`, `NAME-2`, `NAME-3` … */
export function freePath(path: string, end: string, isTaken: (path: string) => boolean = existsSync): string {
  for (let number = 1; ; number += 1) {
    const candidate = `${path}${number === 1 ? '' : `-${number}`}${end}`
    if (!isTaken(candidate)) return candidate
  }
}
