// The evidence of the limit in a joined run: limiters of parts that ran side by side each counted their own refusals.
import type { JournalRecord } from '../../domain/journal.ts'

export interface LimitCounts {
  /** A sitting begins in the joined journal: its counts begin anew, as those of one process would. */
  beginSitting(): void
  /** Each record of one part, in its order: what is known of the limit then rests on what all parts have met by now. */
  ofPart(): (record: JournalRecord) => JournalRecord
}

export function createLimitCounts(): LimitCounts {
  let [episodes, refusals] = [0, 0]
  return {
    beginSitting: () => {
      ;[episodes, refusals] = [0, 0]
    },
    ofPart: () => {
      let last = { episodes: 0, refusals: 0 }
      return (record) => {
        if (record.kind === 'sitting') last = { episodes: 0, refusals: 0 }
        // What jobs that share a limit through Redis counted together needs no adding up.
        if (record.kind !== 'pace' || record.limit === undefined || record.limit.together === true)
          return record
        const { limit } = record
        episodes += limit.episodes - last.episodes
        refusals += limit.refusals - last.refusals
        last = limit
        return { ...record, limit: { ...limit, episodes, refusals } }
      }
    },
  }
}
