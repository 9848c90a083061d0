// Attempts of several journals under the numbers of one: each is numbered as it is first met.
import type { JournalRecord } from '../domain/journal.ts'

export interface AttemptNumbers {
  /** The records of one journal, in its order, under the common numbers. */
  forJournal(): (record: JournalRecord) => JournalRecord
  /** How many were given so far. */
  given(): number
}

/**
 * Attempts are numbered as they begin: a number tells that all before it were begun, whether the journal still holds them
 * or not. So those that a journal has lost before the one at hand take numbers, too, and stay in the account.
 */
export function createAttemptNumbers(): AttemptNumbers {
  let given = 0
  const forJournal = (): ((record: JournalRecord) => JournalRecord) => {
    const numbers: number[] = []
    const numberOf = (attempt: number): number => {
      while (numbers.length < attempt) numbers.push((given += 1))
      return numbers[attempt - 1] ?? 0
    }
    return (record) =>
      'attempt' in record && record.attempt !== undefined
        ? { ...record, attempt: numberOf(record.attempt) }
        : record
  }
  return { forJournal, given: () => given }
}

/** A line that says of an attempt no more than that it was begun: its reader counts it as lost. */
export const LOST_ATTEMPT = 'an attempt that its journal had lost'
