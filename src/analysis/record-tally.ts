// What the journals of a run, of a load test and of a search for the limit come to alike: sessions, their end, the account of all attempts.
import { isRateLimited } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { createCallGatherer } from './limit/infer.ts'
import { usageClassOf } from './quota.ts'

export type RecordTally = ReturnType<ReturnType<typeof createRecordTally>['finish']>

export function createRecordTally() {
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const inFlight = new Set<number>()
  const limitCalls = createCallGatherer()
  let [highest, known, strays, unreadable, rateLimited] = [0, 0, 0, 0, 0]
  let sessions = 0
  let stop: Stop | undefined
  let [firstCallAt, lastAt]: (number | undefined)[] = []
  /** Attempts are numbered as they begin: a number that no record has belongs to an attempt whose intent is lost. */
  const see = (attempt: number): void => {
    highest = Math.max(highest, attempt)
    known += 1
  }
  return {
    inFlight: inFlight as ReadonlySet<number>,
    /** So far: how many sessions there were, and how the last one ended. */
    ended: () => ({ sessions, stop }),
    /** Records in the order of the journals. */
    add: (record: JournalRecord): void => {
      limitCalls.add(record)
      if (record.kind === 'question') return
      lastAt = record.at
      if (record.kind === 'sitting') {
        sessions += 1
        stop = undefined
      } else if (record.kind === 'intent') {
        see(record.attempt)
        firstCallAt ??= record.at
        usage.possible += 1
        inFlight.add(record.attempt)
      } else if (record.kind === 'result') {
        if (inFlight.delete(record.attempt)) usage.possible -= 1
        else {
          see(record.attempt)
          strays += 1
        }
        usage[usageClassOf(record.result)] += 1
        if (isRateLimited(record.result)) rateLimited += 1
      } else if (record.kind === 'end') stop = record.stop
    },
    /** A line that cannot be read, and may have been an intent. */
    lose: (): void => {
      unreadable += 1
    },
    finish: () => {
      /** Without any record, so they count as possible. */
      const lost = Math.max(unreadable, highest - known)
      return {
        sessions,
        /** Undefined: the process died. */
        stop,
        /** Of the first call and of the last record, milliseconds since the epoch. */
        firstCallAt,
        lastAt,
        /** Of all attempts, also those whose intent is lost. */
        usage: { ...usage, possible: usage.possible + lost },
        rateLimited,
        /** How many were begun; numbers continue from here. */
        attempts: known + lost,
        lost,
        /** With a result and no intent. */
        strays,
        /** Those that tell of the limit. */
        limitCalls: limitCalls.finish(),
      }
    },
  }
}
