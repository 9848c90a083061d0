// The lock of a run folder: one process writes it at a time. A lock that is silent for 30 s is taken over.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { duration } from '../domain/format.ts'
import { TakenOver } from '../domain/storage-error.ts'
import { diskCause } from './files.ts'
import { messageOf, optionError, UsageError } from '../options/faults.ts'

const TIMES = { beatMs: 3000, silentMs: 30_000, lookMs: 500 } as const
type Times = Readonly<Record<keyof typeof TIMES, number>>

const holderSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** Tells where process ids mean the same; version 0.2 wrote none. */
  space: z.string().optional(),
  /** Begins with the start of the process: hosts and process ids come again. */
  id: z.string().optional(),
})
type Holder = z.infer<typeof holderSchema>

export interface Lock {
  /** Aborts when another process has taken the folder over. */
  readonly lost: AbortSignal
  /** Throws TakenOver if another process has the folder. Cheap while the lock beats. */
  readonly check: () => void
  readonly release: () => void
}

/**
 * Takes the folder's lock, also from a process that is dead or silent. Throws UsageError naming the holder.
 * Two processes that take over a lock at once cannot both start: a journal is opened only where there is
 * none.
 */
export async function lockFolder(
  path: string,
  note: (text: string) => void,
  times: Times = TIMES,
): Promise<Lock> {
  const lock = resolve(path, 'lock')
  const wasThere = existsSync(lock)
  const before = readHolder(lock)
  const isOfThisProcess = before?.pid === process.pid && before.id?.startsWith(`${performance.timeOrigin} `)
  const holder = isOfThisProcess ? 'another run of this process' : await findHolder(path, note, times)
  if (holder !== undefined)
    throw new UsageError(`${path} is being written by ${holder}: wait for it, or stop it`)
  const id = `${performance.timeOrigin} ${randomUUID()}`
  const self = { pid: process.pid, host: hostname(), space: pidSpace(), id }
  try {
    writeFileSync(lock, JSON.stringify({ ...self, beat: 0 }), { flag: wasThere ? 'w' : 'wx' })
  } catch (error) {
    // Another process has started here at the same moment.
    if (!wasThere && existsSync(lock)) return lockFolder(path, note, times)
    throw optionError('out', `${path} cannot be written: ${diskCause(error)}; nothing was sent`)
  }
  return keepBeating(path, self, times)
}

function keepBeating(path: string, self: Holder, { beatMs }: Times): Lock {
  const lock = resolve(path, 'lock')
  const lost = new AbortController()
  let [beat, at] = [0, performance.now()]
  const isOurs = (): boolean => readHolder(lock)?.id === self.id
  const renew = (): void => {
    try {
      if (!isOurs())
        return lost.abort(new TakenOver(`another process has taken over ${path}: this one stopped`))
      beat += 1
      // In place, and never shorter than before: a reader meets no torn text.
      writeFileSync(lock, JSON.stringify({ ...self, beat }), { flag: 'r+' })
      at = performance.now()
    } catch {
      // The next beat tries again.
    }
  }
  const timer = setInterval(renew, beatMs).unref()
  return {
    lost: lost.signal,
    check: () => {
      // A process that was stopped looks first.
      if (performance.now() - at > 2 * beatMs) renew()
      lost.signal.throwIfAborted()
    },
    release: () => {
      clearInterval(timer)
      if (!lost.signal.aborted && isOurs()) rmSync(lock, { force: true })
    },
  }
}

/** Names the process that writes the folder; if that is not certain, watches if the lock beats. */
export async function findHolder(
  path: string,
  note: (text: string) => void,
  times: Times = TIMES,
): Promise<string | undefined> {
  const lock = join(path, 'lock')
  const holder = readHolder(lock)
  if (holder === undefined) return undefined
  const isHere = isOfThisSpace(holder)
  // This process may read what it writes; a later process may have the id of an earlier one.
  if (isHere && (holder.pid === process.pid || !isAlive(holder.pid))) return undefined
  const name =
    holder.host === hostname() ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`
  if (isHere && sinceBeatMs(lock) < 2 * times.beatMs) return name
  const limit = duration(times.silentMs)
  note(`${path} is locked by ${name}: waiting up to ${limit} to see whether it still writes`)
  // Readings of the lock alone: the clocks of two hosts may differ.
  const [before, started] = [readText(lock), performance.now()]
  while (performance.now() - started < times.silentMs) {
    await sleep(times.lookMs)
    const now = readText(lock)
    // It has ended.
    if (now === undefined) return undefined
    if (now !== before) return name
  }
  note(`${name} was silent for ${limit}: this process takes over`)
  return undefined
}

/** Looks without waiting: the lock has beaten lately, and on this machine the process is alive. */
export function isHeld(path: string): boolean {
  const lock = join(path, 'lock')
  const holder = readHolder(lock)
  if (holder === undefined || (isOfThisSpace(holder) && !isAlive(holder.pid))) return false
  return sinceBeatMs(lock) < TIMES.silentMs
}

const isOfThisSpace = ({ space, host }: Holder): boolean =>
  space === undefined ? host === hostname() : space === pidSpace()

/** Measures by the clock of this machine; that of the disk may differ. */
const sinceBeatMs = (lock: string): number =>
  Math.abs(Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0))

function readText(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (!existsSync(lock)) return undefined
    throw new UsageError(`${lock} cannot be read (${messageOf(error)})`)
  }
}

/** Reads the holder; the lock may be torn, by a process that was killed when it made it. */
function readHolder(lock: string): Holder | undefined {
  const text = readText(lock)
  try {
    return text === undefined ? undefined : holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Identifies one boot of one machine, and one container in it, whatever the host is called. */
function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Takes EPERM as alive: the process exists and belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
