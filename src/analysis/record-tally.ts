// Folds what the journals of runs, load tests and limit searches have in common: sessions, the last stop, usage of all attempts.
import { isRateLimited } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { createCallCollector } from './limit/infer.ts'
import { usageClassOf } from './quota.ts'

export type RecordTally = ReturnType<ReturnType<typeof createRecordTally>['finish']>

export function createRecordTally() {
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const inFlight = new Set<number>()
  const limitCalls = createCallCollector()
  let [highest, known, orphans, unreadable, rateLimited] = [0, 0, 0, 0, 0]
  let sessions = 0
  let stop: Stop | undefined
  let [firstCallAt, lastAt]: (number | undefined)[] = []
  /** Attempts are numbered in order, so a missing number is an attempt whose intent is lost. */
  const countAttempt = (attempt: number): void => {
    highest = Math.max(highest, attempt)
    known += 1
  }
  return {
    inFlight: inFlight as ReadonlySet<number>,
    /** The sessions so far, and the stop of the last one. */
    progress: () => ({ sessions, stop }),
    /** Records in the order of the journals. */
    add: (record: JournalRecord): void => {
      limitCalls.add(record)
      if (record.kind === 'question') return
      lastAt = record.at
      if (record.kind === 'sitting') {
        sessions += 1
        stop = undefined
      } else if (record.kind === 'intent') {
        countAttempt(record.attempt)
        firstCallAt ??= record.at
        usage.possible += 1
        inFlight.add(record.attempt)
      } else if (record.kind === 'result') {
        if (inFlight.delete(record.attempt)) usage.possible -= 1
        else {
          countAttempt(record.attempt)
          orphans += 1
        }
        usage[usageClassOf(record.result)] += 1
        if (isRateLimited(record.result)) rateLimited += 1
      } else if (record.kind === 'end') stop = record.stop
    },
    /** Counts an unreadable line that may have been an intent. */
    addLostIntent: (): void => {
      unreadable += 1
    },
    finish: () => {
      // Lost attempts have no record, so they count as possible.
      const lost = Math.max(unreadable, highest - known)
      return {
        sessions,
        /** Undefined if the process died. */
        stop,
        /** The first call and the last record, in milliseconds since the epoch. */
        firstCallAt,
        lastAt,
        /** All attempts, including those whose intent is lost. */
        usage: { ...usage, possible: usage.possible + lost },
        rateLimited,
        /** The number of attempts; a resume continues their numbers. */
        attempts: known + lost,
        lost,
        /** Attempts with a result but no intent. */
        orphans,
        limitCalls: limitCalls.finish(),
      }
    },
  }
}
