// Keeps a file that a person edited, and that cannot be read, under another name before it is written anew.
import { copyFileSync, constants, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { StorageError } from '../../domain/storage-error.ts'

/** Returns the copy's path. One that holds the same already is enough. Throws StorageError where there is no room. */
export function keepAside(path: string): string {
  const end = extname(path)
  const stem = join(dirname(path), basename(path, end))
  try {
    for (let number = 1; ; number += 1) {
      const copy = `${stem}.edited${number === 1 ? '' : `-${number}`}${end}`
      if (!existsSync(copy)) {
        copyFileSync(path, copy, constants.COPYFILE_EXCL)
        return copy
      }
      if (readFileSync(copy).equals(readFileSync(path))) return copy
    }
  } catch (error) {
    throw new StorageError(error)
  }
}
