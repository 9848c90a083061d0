// A whole session against an endpoint that does its worst: what was counted in the end.
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { usageClassOf } from '../../src/analysis/quota.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { playRun } from './play-run.ts'

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
  readonly maxCalls?: number
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
  rules: CallRules,
): Promise<Endured> {
  const results: AttemptResult[] = []
  const script = { ...rules, concurrency: 4, giveUpAfterMs: Infinity }
  const { stop, calls } = await playRun(
    threads,
    ({ request }) => {
      const [, first = 0, repeat = 0, conversation = 0] = (request.endUserRef ?? '').split('-').map(Number)
      const result = answer({ request, first: first - 1, repeat, conversation })
      results.push(result)
      return result
    },
    script,
  )
  const counted = results.filter((result) => usageClassOf(result) !== 'notCounted').length
  return { counted, attempts: calls.length, stop }
}
