// A whole sitting under a virtual clock against an endpoint that answers as the test says: the real runner.
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { usageClassOf } from '../../src/analysis/quota.ts'
import { createLimiter } from '../../src/pace/limiter.ts'
import { runThreads } from '../../src/runner/run.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { VirtualClock } from './virtual-clock.ts'
import { sendBy } from './send-by.ts'

export interface AdversaryCall {
  readonly request: AssistRequest
  /** Number of the thread's first question, from 0; which asking of it, and which conversation of that, from 1. */
  readonly first: number
  readonly repeat: number
  readonly conversation: number
}

export interface CallRules {
  /** `--on-ambiguous restart`. */
  readonly restartOnAmbiguous: boolean
  readonly rotatingIds: boolean
}

export interface Endured {
  /** Attempts that count, for certain or perhaps. */
  readonly counted: number
  readonly attempts: number
  readonly stop: Stop
}

export type Adversary = (call: AdversaryCall) => AttemptResult

export async function endure(
  threads: readonly ThreadState[],
  answer: Adversary,
  { restartOnAmbiguous, rotatingIds, maxCalls }: CallRules & { readonly maxCalls?: number },
): Promise<Endured> {
  const clock = new VirtualClock()
  const limiter = createLimiter({ rate: { kind: 'unlimited' }, concurrency: 4 }, clock, () => 0.5)
  let [counted, attempts] = [0, 0]
  const ask = async (request: AssistRequest) => {
    const sentAt = clock.now()
    await clock.sleep(10)
    const [, first = 0, own = 0, conversation = 0] = (request.endUserRef ?? '').split('-').map(Number)
    const result = answer({ request, first: first - 1, repeat: own, conversation })
    attempts += 1
    if (usageClassOf(result) !== 'notCounted') counted += 1
    return { sentAt, endedAt: clock.now(), result }
  }
  const never = new AbortController().signal
  const stop = await clock.runUntil(
    runThreads(
      threads,
      { send: sendBy(ask), record: () => undefined, limiter, clock },
      {
        runId: 'run',
        maxCalls,
        giveUpAfterMs: Infinity,
        attemptsBefore: 0,
        rotatingIds,
        restartOnAmbiguous,
        asksAgain: 'unprocessed',
      },
      { stop: never, abandon: never },
    ),
  )
  limiter.close()
  return { counted, attempts, stop }
}
