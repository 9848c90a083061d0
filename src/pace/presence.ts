// Processes of one organization on one machine find each other by files in a folder, and split the pace.
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { isProcessAlive } from './process-alive.ts'

/** How often each process shows itself and looks for others. */
const BEAT_MS = 1000
/** A file untouched for so long belongs to nobody any more, even where its process id is in use again. */
const STALE_MS = 15_000

export interface Presence {
  /** Processes seen last, this one included. */
  readonly processes: number
  /** Shows itself and looks around; also called by itself every second. */
  beat(): void
  /** Leaves; the others see it within a second. */
  leave(): void
}

/** Processes that share a limit through Redis are one of those that share it by files, however many they are. */
const GROUP = 'redis-'

/**
 * Joins the processes that share `folder`. `onChange` is told their number whenever it changes. Where the folder cannot
 * be used the process believes that it is alone: sharing is a courtesy, not a condition.
 */
export function joinPresence(
  folder: string,
  pid: number,
  onChange: (processes: number) => void,
  isOfGroup = false,
): Presence {
  const own = placeOf(folder, `${isOfGroup ? GROUP : ''}${pid}`)
  let processes = 1

  const beat = (): void => {
    const seen = attempt(() => {
      mkdirSync(folder, { recursive: true })
      touch(own)
      return countAlive(folder, own)
    })
    if (seen === undefined || seen === processes) return
    processes = seen
    onChange(processes)
  }

  const timer = setInterval(beat, BEAT_MS)
  timer.unref()
  beat()
  return {
    get processes() {
      return processes
    },
    beat,
    leave: () => {
      clearInterval(timer)
      joined.delete(own)
      attempt(() => rmSync(own, { force: true }))
    },
  }
}

/** Of this process: two of its runs share the pace as two processes would. */
const joined = new Set<string>()

function placeOf(folder: string, name: string): string {
  let own = `${folder}/${name}`
  for (let number = 2; joined.has(own); number += 1) own = `${folder}/${name}-${number}`
  joined.add(own)
  return own
}

function touch(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    writeFileSync(path, '')
  }
}

/** Living processes, those of the group together as one; the files of dead ones are swept away. */
function countAlive(folder: string, own: string): number {
  let alive = 0
  let hasGroup = false
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`
    const isOfGroup = name.startsWith(GROUP)
    const pid = Number(name.slice(isOfGroup ? GROUP.length : 0).replace(/-\d+$/, ''))
    if (path === own || isAlive(path, pid)) {
      if (!isOfGroup || !hasGroup) alive += 1
      hasGroup ||= isOfGroup
    } else attempt(() => rmSync(path, { force: true }))
  }
  return Math.max(1, alive)
}

function isAlive(path: string, pid: number): boolean {
  const touched = attempt(() => statSync(path).mtimeMs) ?? 0
  return Number.isSafeInteger(pid) && Date.now() - touched <= STALE_MS && isProcessAlive(pid)
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
