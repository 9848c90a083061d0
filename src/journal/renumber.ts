// Attempts of all journals of a run under the numbers of one, in the order in which the journals stand.
import type { JournalRecord } from '../domain/journal.ts'

export interface Renumbering {
  /** The record under the run's own numbers. */
  readonly number: (record: JournalRecord) => JournalRecord
  /** A line that cannot be read, and may have been the intent of an attempt: it has a number, too. */
  readonly lose: () => void
}

/**
 * The journals of a merged run are those of its shards, each of which counts its attempts and sessions from 1; a session that resumes the
 * merged run counts on from all of them.
 */
export function createRenumbering(): Renumbering {
  /** Attempts of the shards before this one, of all so far, and those lost whose numbers no later record has told. */
  let [before, all, lost] = [0, 0, 0]
  /** Sessions of this shard, and of all. */
  let [own, sessions] = [0, 0]
  return {
    lose: () => {
      lost += 1
    },
    number: (record) => {
      if (record.kind === 'sitting') {
        sessions += 1
        ;[all, lost] = [all + lost, 0]
        if (record.sitting === 1 && sessions > 1) before = all
        else if (record.sitting === sessions && record.sitting !== own + 1) before = 0
        own = record.sitting
      }
      if (!('attempt' in record) || record.attempt === undefined) return record
      const attempt = before + record.attempt
      lost = record.kind === 'intent' ? 0 : Math.max(0, lost - Math.max(0, attempt - all))
      all = Math.max(all, attempt)
      return before === 0 ? record : { ...record, attempt }
    },
  }
}
