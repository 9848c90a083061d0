// Whether a path is a file, not a folder: a run has a folder, another tool's export is a file.
import { statSync } from 'node:fs'

/** A pipe or a device is none that a run could stand in, either. */
export function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}
