// Conversations that the sandbox of a resume, which is a new one, does not know.
import { callsWithoutRestart } from '../../analysis/estimate/worst-case.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { plural } from '../../domain/digits.ts'
import { turnsLeft, type ThreadState } from '../../runner/thread-state.ts'

/** Threads that had begun, and what it takes more to ask them from the start: an answer tells that the conversation is lost. */
export function forgottenCalls(
  threads: Iterable<ThreadState>,
  { rotatingIds }: Pick<Manifest['options'], 'rotatingIds'>,
): { readonly count: number; readonly calls: number } {
  let [count, calls] = [0, 0]
  for (const thread of threads) {
    const more = callsWithoutRestart(thread, { rotatingIds }) - turnsLeft(thread)
    if (more > 0) count += 1
    calls += more
  }
  return { count, calls }
}

/** None where all conversations are new. */
export function describeForgotten(threads: Iterable<ThreadState>, { options }: Manifest): string[] {
  const { count, calls } = forgottenCalls(threads, options)
  if (count === 0) return []
  return [
    `The sandbox is started anew and knows no conversation of before: ${plural(count, 'thread')} that had begun will start again, ${plural(calls, 'call')} more`,
  ]
}
