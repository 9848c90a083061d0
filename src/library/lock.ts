// The lock of a run folder: one process writes it at a time.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { readJson } from './files.ts'
import { messageOf, UsageError } from './usage-error.ts'

/** The process that writes a folder. */
const holderSchema = z.object({ pid: z.int().positive(), host: z.string() })

/**
 * Takes the folder's lock, also from a dead process of this machine, and returns the function that releases it. Throws UsageError naming the
 * holder. Two processes that take over a lock at once cannot both start: a journal is opened only where there is none.
 */
export function lockFolder(path: string): () => void {
  const lock = resolve(path, 'lock')
  const take = (flag: 'wx' | 'w'): void =>
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }), { flag })
  try {
    mkdirSync(path, { recursive: true })
    if (existsSync(lock)) {
      const holder = held.has(lock) ? 'another run of this process' : holderOf(path)
      if (holder !== undefined)
        throw new UsageError(`${path} is being written by ${holder}: wait for it, or stop it`)
      take('w')
    } else take('wx')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path} cannot be written (${messageOf(error)}); nothing was sent`)
  }
  held.add(lock)
  return () => {
    held.delete(lock)
    rmSync(lock, { force: true })
  }
}

/** Locks that this process holds. */
const held = new Set<string>()

/** Names the process that is writing the folder; undefined if there is none. */
export function holderOf(path: string): string | undefined {
  const lock = join(path, 'lock')
  const holder = readHolder(lock)
  if (holder === undefined) return undefined
  const { pid, host } = holder
  if (host !== hostname()) return `process ${pid} on ${host} (if it is gone, delete ${lock})`
  // This process may read what it writes; a restarted container may reuse its id.
  return pid !== process.pid && isAlive(pid) ? `process ${pid}` : undefined
}

/** Undefined if there is no lock, or it is torn. */
function readHolder(lock: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(readJson(lock))
  } catch {
    return undefined
  }
}

/** EPERM: the process exists and belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
