// Measures a generator from outside while it calls: what its server answered, and what processor time the kernel counted.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { CountingServer } from './processes.ts'

export interface Throughput {
  readonly perSecond: number
  /** Milliseconds of the generator's process, all its threads, user and system. */
  readonly cpuMsPerThousand: number
}

/** The first seconds are the engine's own: its code is not compiled yet. */
const SETTLE_MS = 2500
const MEASURED_MS = 4000

/** From its first answers on: start-up, the first seconds and reports apart. Linux only: reads /proc. */
export async function measureCalling(pid: number, server: CountingServer): Promise<Throughput> {
  const before = await server.answered()
  while ((await server.answered()) < before + 500) await sleep(50)
  await sleep(SETTLE_MS)
  const [begin, cpuAtBegin, answeredAtBegin] = [performance.now(), cpuMs(pid), await server.answered()]
  await sleep(MEASURED_MS)
  const [end, cpuAtEnd, answeredAtEnd] = [performance.now(), cpuMs(pid), await server.answered()]
  const requests = answeredAtEnd - answeredAtBegin
  return {
    perSecond: (requests / (end - begin)) * 1000,
    cpuMsPerThousand: ((cpuAtEnd - cpuAtBegin) / requests) * 1000,
  }
}

/** Processor time of a process so far; proc(5): fields 14 and 15, counted after the name, which may hold blanks. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const TICK_MS =
  process.platform === 'linux'
    ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
    : NaN

const sleep = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
