// Whether a path is a file, not a folder: a run has a folder, another tool's export is a file.
import { statSync } from 'node:fs'

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
