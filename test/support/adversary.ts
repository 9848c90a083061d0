// A whole session against an endpoint that does its worst: what was counted in the end.
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { usageClassOf } from '../../src/analysis/quota.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { playRun, type Call, type RunScript } from './play.ts'

export interface AdversaryCall extends Pick<Call, 'request'> {
  /** Number of the thread's first question, from 0; which asking of it, and which conversation of that, from 1. */
  readonly first: number
  readonly repeat: number
  readonly conversation: number
}

export type Adversary = (call: AdversaryCall) => AttemptResult

/** `counted`: attempts that count, for certain or perhaps. */
export async function endure(
  threads: readonly ThreadState[],
  answer: Adversary,
  rules: RunScript,
): Promise<{ readonly counted: number }> {
  const reply = ({ request }: Call): AttemptResult => {
    const [, first = 0, repeat = 0, conversation = 0] = (request.endUserRef ?? '').split('-').map(Number)
    return answer({ request, first: first - 1, repeat, conversation })
  }
  const { of } = await playRun(threads, reply, { ...rules, concurrency: 4, giveUpAfterMs: Infinity })
  return { counted: of('result').filter(({ result }) => usageClassOf(result) !== 'notCounted').length }
}
