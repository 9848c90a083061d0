// One process at a time writes a run folder; a dead process holds no lock.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '../pace/process-alive.ts'
import { UsageError } from './usage-error.ts'

/** Takes the folder's lock, or throws UsageError naming who holds it. Returns what gives it back. */
export function lockFolder(path: string): () => void {
  const lock = join(path, 'lock')
  const own = join(path, `lock.${process.pid}`)
  writeFileSync(own, String(process.pid))
  try {
    for (;;) {
      try {
        // A link is made whole or not at all: nobody reads a lock without its process id.
        linkSync(own, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
      const holder = readHolder(lock)
      if (holder !== undefined && isProcessAlive(holder))
        throw new UsageError(`${path} is being written by process ${holder}; wait for it, or stop it`)
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
}

function readHolder(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid ? pid : undefined
  } catch {
    return undefined
  }
}
