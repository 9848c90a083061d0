// The sittings of a joined run: the first of each part is its first, what any part was resumed for is its next.
import type { JournalRecord } from '../../domain/journal.ts'
import { isQuotaSpent } from '../../domain/stop.ts'

export interface Sittings {
  first(at: number, harnessVersion: string): JournalRecord
  /** Each record of one part in its order: as it stands in the joined journal, undefined where it does not. */
  ofPart(): (record: JournalRecord) => JournalRecord | undefined
}

export function createSittings(): Sittings {
  let begun = 1
  return {
    first: (at, harnessVersion) => ({ kind: 'sitting', at, sitting: 1, harnessVersion }),
    ofPart: () => {
      let own = 0
      return (record) => {
        // The joined run has one end. Refusals before the end of a spent quota are no matter of pace, and its readers must see it.
        if (record.kind === 'end') return isQuotaSpent(record.stop) ? record : undefined
        if (record.kind !== 'sitting') return record
        own += 1
        if (own <= begun) return undefined
        begun = own
        return { ...record, sitting: begun }
      }
    },
  }
}
