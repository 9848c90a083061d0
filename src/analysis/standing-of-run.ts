// How far the threads of a recorded run came: what an estimate of the calls that are left begins with.
import type { Standing } from './estimate/worst-case.ts'
import type { RunIndex } from './run-index.ts'

/** One repeat of a thread. */
export interface ThreadStanding extends Standing {
  /** Number of a question of it. */
  readonly question: number
}

/** One for each thread of the set and repeat, in no order. A question that is lost is a thread, and never resumed. */
export function standingOfRun({ slots, threads }: RunIndex<unknown>): ThreadStanding[] {
  const found = new Map<string, { question: number; length: number; next: number; isKnown: boolean }>()
  for (const { index, repeat, outcome } of slots) {
    const key = `${threads.besides(index)[0]} ${repeat}`
    const thread = found.get(key) ?? { question: index, length: 0, next: 0, isKnown: threads.has(index) }
    found.set(key, thread)
    thread.length += 1
    if (outcome !== undefined) thread.next += 1
  }
  return Array.from(found.values(), ({ question, length, next, isKnown }) => ({
    question,
    turns: { length },
    next,
    resumed: isKnown && next > 0,
  }))
}

/**
 * Whether a call of the question's thread, in any repeat or confirmation, may have been processed without our having its
 * answer: what has failed so may do it again, and its thread starts again then.
 */
export function troubledThreads({ everySlot, threads }: RunIndex<unknown>): (question: number) => boolean {
  const troubled = new Set<number>()
  for (const { index, usage } of everySlot)
    if (usage.possible > 0) for (const one of threads.besides(index)) troubled.add(one)
  return (question) => troubled.has(question)
}
