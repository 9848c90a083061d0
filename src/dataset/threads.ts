// The threads of a set by their numbers: held, or made anew from what is kept of their rows.
import { NumberList } from '../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../columns/sequence.ts'
import type { Question, Thread } from '../domain/question.ts'

export interface Threads extends Sequence<Thread> {
  /** A question of a thread, `place` from 0; undefined beyond its end. */
  turnAt(thread: number, place: number): Question | undefined
  /** Those that pass, in their order. */
  filter(test: (thread: Thread, number: number) => boolean): Threads
}

/** What makes threads, and single questions of them. */
export interface ThreadMaker {
  readonly length: number
  readonly make: (thread: number) => Thread
  readonly turnAt: Threads['turnAt']
}

export function threadsOf({ length, make, turnAt }: ThreadMaker): Threads {
  const all = sequenceOf(length, make)
  return {
    length,
    at: (thread) => all.at(thread),
    [Symbol.iterator]: () => all[Symbol.iterator](),
    turnAt: (thread, place) => (thread >= 0 && thread < length ? turnAt(thread, place) : undefined),
    filter: (test) => {
      const chosen = new NumberList()
      let number = 0
      for (const thread of all) {
        if (test(thread, number)) chosen.push(number)
        number += 1
      }
      return threadsOf({
        length: chosen.length,
        make: (place) => make(chosen.at(place)),
        turnAt: (place, turn) => turnAt(chosen.at(place), turn),
      })
    },
  }
}

export const holdThreads = (threads: readonly Thread[]): Threads =>
  threadsOf({
    length: threads.length,
    make: (number) => {
      const thread = threads[number]
      if (thread === undefined) throw new RangeError(`no thread ${number}`)
      return thread
    },
    turnAt: (number, place) => threads[number]?.turns[place],
  })
