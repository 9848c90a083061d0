// How far the threads of a recorded run came: what an estimate of the calls that are left begins with.
import { NumberList } from '../columns/number-list.ts'
import type { Standing } from './estimate/worst-case.ts'
import type { RunIndex } from './run-index.ts'

/** One repeat of a thread. */
export interface ThreadStanding extends Standing {
  /** Number of a question of it. */
  readonly question: number
}

/** One for each thread of the set and repeat, in no order. A question that is alone is a thread. */
export function* standingOfRun({ slots, threads, set }: RunIndex<unknown>): Generator<ThreadStanding> {
  const repeats = set?.repeats ?? 1
  /** By thread and repeat: turns of the set, those of them that have an outcome, and one of the questions. */
  const [lengths, done, questions] = [new NumberList(), new NumberList(), new NumberList()]
  for (const { index, repeat, outcome } of slots) {
    const isOver = outcome !== undefined
    const thread = threads.threadOf(index)
    if (thread === undefined) {
      yield { question: index, turns: { length: 1 }, next: isOver ? 1 : 0, resumed: false }
      continue
    }
    const place = thread * repeats + repeat - 1
    lengths.add(place, 1)
    done.add(place, isOver ? 1 : 0)
    questions.set(place, index)
  }
  for (let place = 0; place < lengths.length; place += 1) {
    const [length, next] = [lengths.at(place), done.at(place)]
    if (length > 0) yield { question: questions.at(place), turns: { length }, next, resumed: next > 0 }
  }
}

/**
 * Whether a call of the question's thread, in any repeat or confirmation, may have been processed without our having its
 * answer: what has failed so may do it again, and its thread starts again then.
 */
export function troubledThreads({ everySlot, threads }: RunIndex<unknown>): (question: number) => boolean {
  const troubled = new Set<number>()
  for (const { index, usage } of everySlot)
    if (usage.possible > 0) for (const one of membersOf(threads, index)) troubled.add(one)
  return (question) => troubled.has(question)
}

function membersOf(threads: RunIndex<unknown>['threads'], index: number): Iterable<number> {
  const thread = threads.threadOf(index)
  return thread === undefined ? [index] : threads.membersOf(thread)
}
