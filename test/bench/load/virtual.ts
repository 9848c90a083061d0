// Ten million calls on a clock of their own, through timetable, engine, histograms and report: memory must not grow with them.
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import type { LoadOptions } from '../../../src/domain/load/load-options.ts'
import { createLimiter } from '../../../src/pace/create.ts'
import { DueQueue } from '../../../src/runner/load/due-queue.ts'
import { runLoad } from '../../../src/runner/load/run-load.ts'
import { createRandomStreams } from '../../../src/stats/addressed-random.ts'
import { seededRandom } from '../../../src/stats/random.ts'
import { makeThreads } from '../../support/questions.ts'
import { manifest } from '../../support/summaries.ts'
import { sendBy } from '../../support/send-by.ts'

const CALLS = 10_000_000
const MARKS = [1_000_000, 5_000_000, CALLS]
const PER_SECOND = 2000

export async function measureVirtual(): Promise<void> {
  const gatherer = createLoadGatherer({ ...manifest, load: LOAD })
  const clock = createEventClock()
  const random = seededRandom(7)
  let calls = 0
  const startedAt = performance.now()
  console.log(`\n${CALLS} virtual calls, Poisson at ${PER_SECOND} threads a second, two turns each`)
  const record = (one: JournalRecord): void => {
    gatherer.add(one)
    if (one.kind !== 'result') return
    calls += 1
    if (!MARKS.includes(calls)) return
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    const seconds = (performance.now() - startedAt) / 1000
    console.log(
      `${String(calls).padStart(9)} calls: RSS ${(rss / 2 ** 20).toFixed(0)} MB, heap ${(heapUsed / 2 ** 20).toFixed(0)} MB, ${seconds.toFixed(1)} s, ${(calls / seconds).toFixed(0)}/s`,
    )
  }
  const never = new AbortController().signal
  const done = runLoad(
    makeThreads(...Array<number>(50).fill(2)),
    {
      send: sendBy(async () => {
        const sentAt = clock.now()
        await new Promise<void>((resolve) => {
          clock.after(50 + 100 * random(), resolve)
        })
        return { sentAt, endedAt: clock.now(), result: ANSWER }
      }),
      record,

      limiter: createLimiter({ rate: { kind: 'unlimited' }, concurrency: 'auto' }, clock, random),
      clock,
      random: createRandomStreams(1),
      watchSelf: ({ inFlight, waiting }, at) => ({ ...SELF, at, inFlight, waiting }),
      watch: () => undefined,
    },
    LOAD,
    { runId: 'bench', maxCalls: CALLS, giveUpAfterMs: 1e12, rotatingIds: true },
    { stop: never, abandon: never },
  )
  await clock.runUntil(done)
  const { achieved, responseMs } = await gatherer.finish()
  console.log(
    `report: ${achieved.calls} calls, response p50 ${responseMs.p50?.toFixed(0)} ms, p99 ${responseMs.p99?.toFixed(0)} ms`,
  )
}

const LOAD: LoadOptions = {
  model: {
    kind: 'open',
    arrivals: 'poisson',
    stages: [{ durationMs: (CALLS / 2 / PER_SECOND) * 1010, from: PER_SECOND, to: PER_SECOND }],
  },
  thinkTime: { kind: 'lognormal', medianMs: 20, p95Ms: 100 },
  seed: 1,
  maxInFlight: 2000,
  warmUpMs: 0,
  gracefulStopMs: 60_000,
  retry429: false,
  abortOn: [],
}

const ANSWER = {
  kind: 'reply',
  httpStatus: 200,
  reply: { conversationId: 'c', message: 'answer', status: 'success', contextSource: 'KNOWLEDGE_BASE' },
} as const
const SELF = { kind: 'generator', loopDelayP99Ms: 0, loopDelayMaxMs: 0, cpu: 0, cores: 1 } as const

/** Time jumps to the next timer as soon as promises have settled. */
function createEventClock(): Clock & { readonly runUntil: (done: Promise<unknown>) => Promise<void> } {
  interface Timer {
    readonly readyAt: number
    run: (() => void) | undefined
  }
  const timers = new DueQueue<Timer>()
  let now = 0
  return {
    now: () => now,
    wall: () => 1_700_000_000_000 + now,
    after: (ms, run) => {
      const timer: Timer = { readyAt: now + Math.max(0, ms), run }
      timers.push(timer)
      return () => {
        timer.run = undefined
      }
    },
    runUntil: async (done) => {
      const state = { isDone: false }
      void done.finally(() => {
        state.isDone = true
      })
      while (!state.isDone) {
        const timer = timers.pop()
        if (timer?.run !== undefined) {
          now = Math.max(now, timer.readyAt)
          timer.run()
        }
        // Promises settle, all of them, before the next timer.
        await new Promise<void>((resolve) => {
          setImmediate(resolve)
        })
      }
    },
  }
}
