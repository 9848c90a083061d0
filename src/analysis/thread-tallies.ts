// Counts the answers of each thread, one turn at a time and in little memory.
import { NumberList } from '../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../columns/sequence.ts'
import type { Question } from '../domain/question.ts'
import type { TurnRecord } from '../domain/turn.ts'
import type { ThreadTally } from './coverage.ts'

export interface ThreadTallies {
  /** An answered turn with its context. Repeats of a question come one after the other, as `turnRecords` has them. */
  add(turn: Pick<TurnRecord, 'index' | 'question'>, isGrounded: boolean): void
  /** No turn of this question's thread comes any more. */
  end(question: Question): void
  /** In the order in which the threads began. */
  finish(): Sequence<ThreadTally>
}

type Open = { -readonly [K in keyof ThreadTally]: ThreadTally[K] } & { readonly place: number }

/** Threads that have ended are few kinds of tallies: of each thread its kind is kept, four bytes. */
export function createThreadTallies(): ThreadTallies {
  /** By file, then name: the names are the questions' own strings, so none is made for a key. */
  const files = new Map<number, Map<string, Open>>()
  const kinds: ThreadTally[] = []
  const numbers = new Map<string, number>()
  const kindOfThread = new NumberList()
  let current: { index: number; answered: number } = { index: -1, answered: 0 }

  const openTally = ({ file, thread }: Question): Open => {
    const threads = files.get(file) ?? new Map<string, Open>()
    files.set(file, threads)
    const known = threads.get(thread)
    if (known !== undefined) return known
    const tally = { place: kindOfThread.length, grounded: 0, answered: 0, questions: 0, squares: 0 }
    kindOfThread.push(0)
    threads.set(thread, tally)
    return tally
  }
  const close = ({ place, ...tally }: Open): void => {
    const key = Object.values(tally).join(' ')
    const number = numbers.get(key) ?? kinds.push(tally) - 1
    numbers.set(key, number)
    kindOfThread.set(place, number)
  }

  return {
    add: ({ index, question }, isGrounded) => {
      const tally = openTally(question)
      if (current.index !== index) {
        current = { index, answered: 0 }
        tally.questions += 1
      }
      // (a + 1)² = a² + 2a + 1
      tally.squares += 2 * current.answered + 1
      current.answered += 1
      tally.answered += 1
      if (isGrounded) tally.grounded += 1
    },
    end: ({ file, thread }) => {
      const tally = files.get(file)?.get(thread)
      if (tally === undefined) return
      close(tally)
      files.get(file)?.delete(thread)
    },
    finish: () => {
      for (const threads of files.values()) for (const tally of threads.values()) close(tally)
      files.clear()
      const nothing: ThreadTally = { grounded: 0, answered: 0, questions: 0, squares: 0 }
      return sequenceOf(kindOfThread.length, (place) => kinds[kindOfThread.at(place)] ?? nothing)
    },
  }
}
