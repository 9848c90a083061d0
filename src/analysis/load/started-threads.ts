// Threads of a load test that were started and are not over: their turns that nobody asked would else vanish.
import type { OpenTurns } from './open-turns.ts'
import { threadKey } from './thread-key.ts'

export interface StartedThreads {
  /** The thread's first turn was asked; a restart begins it anew. */
  begin(question: number, repeat: number): void
  /** A turn of it came to an end, or was skipped. */
  endTurn(question: number, repeat: number): void
  /** Turns of the threads under way that have no outcome, asked or not. */
  missing(): number
}

/** Memory grows with the threads under way, not with the calls. */
export function createStartedThreads({
  threadOf,
  lengthOf,
}: Pick<OpenTurns, 'threadOf' | 'lengthOf'>): StartedThreads {
  const left = new Map<number, number>()
  const keyOf = (question: number, repeat: number): number => threadKey(threadOf(question), repeat)
  return {
    begin: (question, repeat) => {
      left.set(keyOf(question, repeat), lengthOf(threadOf(question)))
    },
    endTurn: (question, repeat) => {
      const key = keyOf(question, repeat)
      const known = left.get(key)
      if (known === undefined) return
      if (known > 1) left.set(key, known - 1)
      else left.delete(key)
    },
    missing: () => [...left.values()].reduce((sum, one) => sum + one, 0),
  }
}
