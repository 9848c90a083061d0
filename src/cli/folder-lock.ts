// One process at a time writes a run folder; a dead process holds no lock.
import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { isProcessAlive } from './process-alive.ts'
import { UsageError } from '../library/usage-error.ts'

/**
 * `born` tells a process from a later one of the same number, where the system says when it began; `nonce` makes no two
 * locks alike.
 */
const holderSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  born: z.string().optional(),
  nonce: z.string().optional(),
})
type Holder = z.infer<typeof holderSchema>

/** How often a holder shows that it lives, for processes on other machines, and when they take it for dead. */
const BEAT_MS = 5000
const STALE_MS = 60_000

/** Takes the folder's lock, or throws UsageError naming who holds it. Returns what gives it back. */
export function lockFolder(path: string): () => void {
  const born = birthOf(process.pid)
  const nonce = randomBytes(8).toString('hex')
  const me: Holder = { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }), nonce }
  const own: Own = { file: join(path, `lock.${process.pid}.${nonce}`), text: JSON.stringify(me) }
  try {
    writeOwn(own, path)
    take(join(path, 'lock'), own, path)
  } finally {
    rmSync(own.file, { force: true })
  }
  held.add(nonce)
  const giveBack = holdLock(join(path, 'lock'), own)
  return () => {
    giveBack()
    held.delete(nonce)
  }
}

/** Nonces of the locks that this process holds now: it may read what it writes, and not write it twice. */
const held = new Set<string>()

const isHeldHere = ({ nonce }: Holder): boolean => nonce !== undefined && held.has(nonce)

/** The process that writes the folder now, in words; undefined where none does. */
export function holderOf(path: string): string | undefined {
  const lock = join(path, 'lock')
  const holder = parseHolder(readText(lock))
  return holder !== undefined && isHeld(holder, lock) ? describe(holder) : undefined
}

/** What a process links its locks to. */
interface Own {
  readonly file: string
  readonly text: string
}

function writeOwn({ file, text }: Own, path: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written (${error instanceof Error ? error.message : 'unknown'}); nothing was sent`,
    )
  }
}

/**
 * A lock left by a dead process is replaced only under a lock of its own, named after what it holds: of two processes
 * that find it stale at once, the second must not remove what the first has put there.
 */
function take(lock: string, own: Own, path: string): void {
  for (;;) {
    if (tryLink(own.file, lock)) return
    const text = readText(lock)
    if (text === undefined) continue
    const holder = parseHolder(text)
    if (holder !== undefined && (isHeld(holder, lock) || isHeldHere(holder)))
      throw new UsageError(`${path} is being written by ${describe(holder)}; wait for it, or stop it`)
    const guard = `${lock}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    take(guard, own, path)
    try {
      if (readText(lock) === text) {
        const fresh = `${own.file}.new`
        copyFileSync(own.file, fresh)
        renameSync(fresh, lock)
        return
      }
    } finally {
      release(guard, own)
    }
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

/** Another's lock stays: this process may have been taken for dead meanwhile. */
function release(lock: string, { text }: Own): void {
  if (readText(lock) === text) rmSync(lock, { force: true })
}

function holdLock(lock: string, own: Own): () => void {
  const timer = setInterval(() => {
    const now = new Date()
    try {
      if (readText(lock) === own.text) utimesSync(lock, now, now)
    } catch {
      // Somebody took the folder away; what is written will say so.
    }
  }, BEAT_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    release(lock, own)
  }
}

function readText(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

function parseHolder(text: string | undefined): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

const describe = ({ pid, host }: Holder): string =>
  `process ${pid}${host === hostname() ? '' : ` on ${host}`}`

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
