// Takes away what a killed process left of a file that it had not finished.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isProcessAlive } from './process-alive.ts'

/** Nobody writes for so long without a byte: then the number belongs to another process by now. */
const STALE_MS = 60_000

export const temporaryOf = (path: string, pid: number): string => `${path}.${pid}.tmp`

/**
 * Of the same target only, and none of this process. A process of another machine looks dead from here; it holds the
 * folder's lock, so two of them do not write one run, and one that loses its file of a comparison says so.
 */
export function removeStaleTemporaries(path: string): void {
  const [folder, start, end] = [dirname(path), `${basename(path)}.`, '.tmp']
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start) || !name.endsWith(end)) continue
    const number = name.slice(start.length, -end.length)
    const pid = Number(number)
    if (!/^[1-9]\d*$/.test(number) || pid === process.pid) continue
    const left = join(folder, name)
    if (!isProcessAlive(pid) || ageOf(left) > STALE_MS) remove(left)
  }
}

/** What this process has begun in the folder: only for one that ends now. */
export function removeOwnTemporaries(folder: string): void {
  const end = temporaryOf('', process.pid)
  for (const name of namesIn(folder)) if (name.endsWith(end)) remove(join(folder, name))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}

/** What cannot be removed stays: it is in nobody's way. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Another user's file, or a folder of that name.
  }
}
