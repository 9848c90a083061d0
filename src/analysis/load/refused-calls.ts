// Calls of a load test that were refused and are to be asked again: how many wait, and until when all of them do.
import type { JournalRecord } from '../../domain/journal.ts'
import type { CallsToAskAgain } from '../../domain/load/load-snapshot.ts'
import { threadKey } from './thread-key.ts'

export interface RefusedCalls {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** Undefined where none waits; `at` is now, milliseconds since the epoch. */
  waiting(at: number): CallsToAskAgain | undefined
}

/** Keeps what is under way, and nothing of what is over. */
export function createRefusedCalls(): RefusedCalls {
  /** The turn of each attempt in flight. */
  const turns = new Map<number, number>()
  const waiting = new Set<number>()
  let pausedUntil: number | undefined

  return {
    add: (record) => {
      if (record.kind === 'intent') {
        const turn = threadKey(record.question, record.repeat)
        turns.set(record.attempt, turn)
        waiting.delete(turn)
      } else if (record.kind === 'result') {
        const turn = turns.get(record.attempt)
        turns.delete(record.attempt)
        const { result } = record
        if (turn !== undefined && result.kind === 'rejection' && result.httpStatus === 429) waiting.add(turn)
      } else if (record.kind === 'outcome') waiting.delete(threadKey(record.question, record.repeat))
      else if (record.kind === 'pace') pausedUntil = record.pausedUntil
    },
    waiting: (at) => {
      if (waiting.size === 0) return undefined
      const isPaused = pausedUntil !== undefined && pausedUntil > at
      return { calls: waiting.size, pausedUntil: isPaused ? pausedUntil : undefined }
    },
  }
}
