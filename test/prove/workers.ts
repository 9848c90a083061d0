// Counts lines on every core: each worker is this program again, and takes a few pairs of runs at a time.
import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { add, countPair, NONE, type Counts } from './count.ts'
import type { Line } from './lines.ts'

interface Task {
  readonly line: Line
  readonly seeds: readonly number[]
}

export interface Counting {
  /** The line's counts, and the processor time that they took, in seconds. */
  count(line: Line, seeds: readonly number[]): Promise<{ readonly counts: Counts; readonly seconds: number }>
  end(): void
}

interface Counted {
  readonly counts: Counts
  readonly seconds: number
}

export function startWorkers(): Counting {
  const workers = Array.from({ length: availableParallelism() }, () => fork(fileURLToPath(import.meta.url)))
  return {
    async count(line, seeds) {
      const tasks: Task[] = []
      const few = Math.max(1, Math.min(25, Math.ceil(seeds.length / 8)))
      for (let from = 0; from < seeds.length; from += few)
        tasks.push({ line, seeds: seeds.slice(from, from + few) })
      let [counts, seconds] = [NONE, 0]
      const work = async (worker: ChildProcess): Promise<void> => {
        for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
          const counted = await ask(worker, task)
          counts = add(counts, counted.counts)
          seconds += counted.seconds
        }
      }
      await Promise.all(workers.map(work))
      return { counts, seconds }
    },
    end() {
      for (const worker of workers) worker.disconnect()
    },
  }
}

const ask = async (worker: ChildProcess, task: Task): Promise<Counted> =>
  new Promise((resolve, reject) => {
    const died = (): void => reject(new Error('a worker ended early'))
    worker.once('exit', died)
    worker.once('message', (counted: Counted) => {
      worker.off('exit', died)
      resolve(counted)
    })
    worker.send(task)
  })

// Only a forked process has a parent to talk to, and only this file is forked.
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  process.on('message', ({ line, seeds }: Task) => {
    const start = process.cpuUsage()
    const counts = seeds.map((seed) => countPair(line, seed)).reduce(add, NONE)
    const { user, system } = process.cpuUsage(start)
    process.send?.({ counts, seconds: (user + system) / 1e6 } satisfies Counted)
  })
