// A session of a run on a virtual clock: the real runner and limiter, and an endpoint that answers as the test says.
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { createLimiter } from '../../src/pace/limiter.ts'
import { runThreads, type RunnerOptions } from '../../src/runner/run.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { sendBy } from './send-by.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface RunCall {
  readonly request: AssistRequest
  /** From 1, in the order of sending. */
  readonly number: number
  readonly at: number
}

export interface RunScript extends Partial<RunnerOptions> {
  readonly concurrency?: number
  /** Milliseconds that a call takes. */
  readonly ms?: number
  readonly onCall?: (call: RunCall, stop: () => void) => void
}

export interface PlayedRun {
  readonly stop: Stop
  readonly calls: readonly RunCall[]
  readonly records: readonly JournalRecord[]
  readonly clock: VirtualClock
}

export const RUN_OPTIONS: RunnerOptions = {
  runId: 'run',
  maxCalls: undefined,
  giveUpAfterMs: 30 * 60_000,
  attemptsBefore: 0,
  rotatingIds: false,
  restartOnAmbiguous: true,
  retry: 'unprocessed',
}

export async function playRun(
  threads: readonly ThreadState[],
  answer: (call: RunCall) => AttemptResult,
  { concurrency = 1, ms = 10, onCall, ...options }: RunScript = {},
): Promise<PlayedRun> {
  const clock = new VirtualClock()
  const limiter = createLimiter({ rate: { kind: 'unlimited' }, concurrency }, clock, () => 0.5)
  const calls: RunCall[] = []
  const records: JournalRecord[] = []
  const stopper = new AbortController()
  const ask = async (request: AssistRequest) => {
    const call = { request, number: calls.length + 1, at: clock.now() }
    calls.push(call)
    onCall?.(call, () => stopper.abort('SIGINT'))
    await clock.sleep(ms)
    return { sentAt: call.at, endedAt: clock.now(), result: answer(call) }
  }
  const stop = await clock.runUntil(
    runThreads(
      threads,
      { send: sendBy(ask), record: (record) => records.push(record), limiter, clock },
      { ...RUN_OPTIONS, ...options },
      { stop: stopper.signal, abandon: new AbortController().signal },
    ),
  )
  limiter.close()
  return { stop, calls, records, clock }
}
