// The generator watches itself: a load test that its own machine slows down must say so.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { GeneratorRecord } from '../../domain/journal.ts'
import type { LoadState } from '../../runner/load/run-load.ts'
import { realClock } from '../clock.ts'

export interface SelfWatch {
  /** How the generator fared since the last time, or since the beginning. `at`: milliseconds since the epoch. */
  readonly sample: (state: LoadState, at: number) => GeneratorRecord
  readonly end: () => void
}

/** The event loop is asked to come by so often; what it takes longer is its delay. */
const RESOLUTION_MS = 10

export function createSelfWatch(): SelfWatch {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const cores = Math.max(1, cpus().length)
  let before = takeStock()
  return {
    sample: ({ inFlight, waiting }, at) => {
      const now = takeStock()
      const elapsedMs = Math.max(1, now.at - before.at)
      const cpu = (now.ownMs - before.ownMs) / elapsedMs
      const all =
        now.machineMs === undefined || before.machineMs === undefined
          ? undefined
          : (now.machineMs - before.machineMs) / elapsedMs
      before = now
      const [p99, max] = [delays.percentile(99), delays.max].map(beyondTurn)
      delays.reset()
      return {
        kind: 'generator',
        at,
        loopDelayP99Ms: p99 ?? 0,
        loopDelayMaxMs: max ?? 0,
        cpu,
        // The kernel counts in hundredths of a second: a little less than nothing is nothing.
        ...(all === undefined ? {} : { foreignCpu: Math.max(0, all - cpu) }),
        cores,
        inFlight,
        waiting,
      }
    },
    end: () => delays.disable(),
  }
}

/** Nanoseconds between two turns to milliseconds of delay. A window without a turn has a maximum of 0. */
const beyondTurn = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

interface Stock {
  readonly at: number
  /** Processor time of this process so far, milliseconds. */
  readonly ownMs: number
  /** That of everything on the machine; undefined where the system does not say. */
  readonly machineMs: number | undefined
}

function takeStock(): Stock {
  const { user, system } = process.cpuUsage()
  return { at: realClock.now(), ownMs: (user + system) / 1000, machineMs: readMachineMs() }
}

/** Linux counts in ticks of 10 ms (USER_HZ); proc(5). */
const TICK_MS = 10

function readMachineMs(): number | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
    const ticks = parseBusyTicks(line)
    return ticks === undefined ? undefined : ticks * TICK_MS
  } catch {
    return undefined
  }
}

/** Of the first line of /proc/stat: everything but idle and iowait; guests are in user and nice already. */
export function parseBusyTicks(line: string): number | undefined {
  const [name, ...ticks] = line.trim().split(/\s+/)
  const [user, nice, system, , , irq = 0, softirq = 0, steal = 0] = ticks.map(Number)
  if (name !== 'cpu' || user === undefined || nice === undefined || system === undefined) return undefined
  const busy = user + nice + system + irq + softirq + steal
  return Number.isFinite(busy) ? busy : undefined
}
