// Where permitted calls queue and run: through Bottleneck, or directly where Bottleneck is too slow.
import Bottleneck from 'bottleneck'

export interface Lane {
  /** Milliseconds that a released job takes to start, about. */
  readonly leadMs: number
  /** Queues a job; it starts when a token is there, and counts as under way until its promise ends. */
  submit(job: () => Promise<void>): void
  /** Lets one queued job start. */
  release(): void
  close(): void
}

/** Bottleneck waits for several timers of a millisecond before it starts a job (load notes: 4.6 ms a job). */
const BOTTLENECK_LEAD_MS = 8

/**
 * Bottleneck with an empty reservoir: no job starts until `release` adds one token, so pausing is giving none.
 * `minTime`, refresh and `failed` retries are not used: see the pitfalls in the design notes (stale timers,
 * dead refresh after updateSettings, retries that bypass the reservoir). Adds about 5 ms a job and carries at
 * most about 200 dependent jobs a second.
 */
export function createBottleneckLane(concurrency: number): Lane {
  const bottleneck = new Bottleneck({ reservoir: 0, maxConcurrent: concurrency })
  return {
    leadMs: BOTTLENECK_LEAD_MS,
    submit: (job) => {
      // Rejects only when the lane is closed with the job still waiting; the gate has settled it by then.
      bottleneck.schedule(job).catch(() => undefined)
    },
    release: () => {
      bottleneck.incrementReservoir(1).catch(() => undefined)
    },
    close: () => {
      bottleneck.stop({ dropWaitingJobs: true }).catch(() => undefined)
    },
  }
}

/** First in, first out, without delay. */
export function createDirectLane(): Lane {
  const queue: (() => Promise<void>)[] = []
  let tokens = 0
  const run = (): void => {
    while (tokens > 0) {
      const job = queue.shift()
      if (job === undefined) return
      tokens -= 1
      void job()
    }
  }
  return {
    leadMs: 0,
    submit: (job) => {
      queue.push(job)
      run()
    },
    release: () => {
      tokens += 1
      run()
    },
    close: () => {
      queue.length = 0
    },
  }
}
