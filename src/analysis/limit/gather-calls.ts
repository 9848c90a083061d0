// Gathers from a journal the calls that tell of the limit, in bounded memory.
import type { JournalRecord } from '../../domain/journal.ts'
import { type LimitCall, type LimitFinding, verdictOf } from '../../domain/limit.ts'
import type { Stop } from '../../domain/stop.ts'
import { type CallCounts, inferLimit } from './infer.ts'
import { MOST_CALLS, thin } from './sequence.ts'

export interface GatheredCalls extends CallCounts {
  /** All, or of a long record the latest. */
  readonly latest: readonly LimitCall[]
}

export interface CallGatherer {
  /** Records in the order of the journal; of a run, a resumed one, or a load test. */
  add(record: JournalRecord): void
  finish(): GatheredCalls
}

/** Refusals that outlast a rate limit. */
const isQuotaSpent = (stop: Stop): boolean =>
  stop.kind === 'quotaSpent' ||
  (stop.kind === 'gaveUp' && stop.over === 'refusals' && stop.namedMs !== undefined)

/** When there are so many, only half of them stay: still more than are replayed, since late answers find their place among them. */
const MOST_HELD = 4 * MOST_CALLS

export function createCallGatherer(): CallGatherer {
  let held: LimitCall[] = []
  let [calls, refused] = [0, 0]
  return {
    add: (record) => {
      if (record.kind === 'result') {
        const verdict = verdictOf(record.result)
        if (verdict === undefined) return
        if (verdict !== 'unknown') calls += 1
        if (verdict === 'refused') refused += 1
        held.push({ sentAt: record.at - record.serviceMs, endedAt: record.at, verdict })
        if (held.length >= MOST_HELD) held = thin(held).slice(-MOST_HELD / 2)
      } else if (record.kind === 'end' && isQuotaSpent(record.stop)) {
        // These refusals came from the quota, not from the rate limit.
        while (held.at(-1)?.verdict === 'refused') {
          held.pop()
          calls -= 1
          refused -= 1
        }
      }
    },
    finish: () => ({ latest: held, calls, refused }),
  }
}

/** Null where no call was refused. */
export function findLimitInRecord({ latest, calls, refused }: GatheredCalls): LimitFinding | null {
  return refused === 0 ? null : inferLimit(latest, { calls, refused }).finding
}
