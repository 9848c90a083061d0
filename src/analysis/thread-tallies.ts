// Counts the answers of each thread, one turn at a time and in little memory.
import type { Question } from '../domain/question.ts'
import type { TurnRecord } from '../domain/turn.ts'
import type { ThreadTally } from './coverage.ts'

export interface ThreadTallies {
  /** An answered turn with its context. Repeats of a question come one after the other, as `turnRecords` has them. */
  add(turn: Pick<TurnRecord, 'index' | 'question'>, isGrounded: boolean): void
  finish(): readonly ThreadTally[]
}

type Open = { -readonly [K in keyof ThreadTally]: ThreadTally[K] }

export function createThreadTallies(): ThreadTallies {
  /** By file, then name: the names are the questions' own strings, so none is made for a key. */
  const files = new Map<number, Map<string, Open>>()
  let current: { index: number; answered: number } = { index: -1, answered: 0 }

  const tallyOf = ({ file, thread }: Question): Open => {
    const threads = files.get(file) ?? new Map<string, Open>()
    files.set(file, threads)
    const known = threads.get(thread) ?? { grounded: 0, answered: 0, questions: 0, squares: 0 }
    threads.set(thread, known)
    return known
  }

  return {
    add: ({ index, question }, isGrounded) => {
      const tally = tallyOf(question)
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
    finish: () => [...files.values()].flatMap((threads) => [...threads.values()]),
  }
}
