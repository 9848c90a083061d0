// One process at a time writes a run folder; a dead process holds no lock.
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { isProcessAlive } from '../pace/process-alive.ts'
import { UsageError } from './usage-error.ts'

/** `born` tells a process from a later one of the same number, where the system says when it began. */
const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), born: z.string().optional() })
type Holder = z.infer<typeof holderSchema>

/** How often a holder shows that it lives, for processes on other machines, and when they take it for dead. */
const BEAT_MS = 5000
const STALE_MS = 60_000

/** Takes the folder's lock, or throws UsageError naming who holds it. Returns what gives it back. */
export function lockFolder(path: string): () => void {
  const lock = join(path, 'lock')
  const own = join(path, `lock.${process.pid}`)
  const born = birthOf(process.pid)
  const me: Holder = { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }) }
  writeLock(own, me, path)
  try {
    for (;;) {
      if (tryLink(own, lock)) return holdLock(lock)
      const holder = readHolder(lock)
      if (holder !== undefined && isHeld(holder, lock))
        throw new UsageError(
          `${path} is being written by process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}; wait for it, or stop it`,
        )
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
}

function writeLock(own: string, me: Holder, path: string): void {
  try {
    writeFileSync(own, JSON.stringify(me))
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written (${error instanceof Error ? error.message : 'unknown'}); nothing was sent`,
    )
  }
}

/** A link is made whole or not at all: nobody reads a lock without its holder. */
function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function holdLock(lock: string): () => void {
  const timer = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(lock, now, now)
    } catch {
      // Somebody took the folder away; what is written will say so.
    }
  }, BEAT_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    rmSync(lock, { force: true })
  }
}

function readHolder(lock: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(readFileSync(lock, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** On this machine its process is asked for; of another machine only the lock's age is known. */
function isHeld({ pid, host, born }: Holder, lock: string): boolean {
  if (host !== hostname()) return ageOf(lock) <= STALE_MS
  if (pid === process.pid || !isProcessAlive(pid)) return false
  return born === undefined || birthOf(pid) === born
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return Infinity
  }
}

/** When a process began, in clock ticks since the machine started (proc(5): field 22); only Linux tells. */
function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
