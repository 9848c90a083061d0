// Gathers from a journal the calls that tell of the limit: what was let through and what was refused, in bounded memory.
import type { JournalRecord } from '../../domain/journal.ts'
import { wasRefused, type CallSeen } from '../../domain/limit.ts'
import { isQuotaSpent } from '../../domain/stop.ts'
import { keepWanted, MOST_CALLS } from './calls.ts'

export interface GatheredCalls {
  /** In the order of sending: all, or of a long record those that can be read. */
  readonly seen: readonly CallSeen[]
  /** Milliseconds since the epoch at time 0 of the calls: their time is that of the clock. */
  readonly wallAtZero: number
  /** Calls and refusals of the whole record. */
  readonly calls: number
  readonly refusals: number
}

export interface CallGatherer {
  /** Records in the order of the journal; of a run, a resumed one, or a load test. */
  add(record: JournalRecord): void
  finish(): GatheredCalls
}

/** Read again and thinned when there are so many. */
const MOST_HELD = 6 * MOST_CALLS
/** Among the latest, calls still in flight may yet find their place: these are left as they are. */
const RECENT = 1000

export function createCallGatherer(): CallGatherer {
  let held: CallSeen[] = []
  let [calls, refusals] = [0, 0]
  return {
    add: (record) => {
      if (record.kind === 'result') {
        const refused = wasRefused(record.result)
        if (refused === undefined) return
        calls += 1
        if (refused) refusals += 1
        held.push({ sentMs: record.at - record.serviceMs, endedMs: record.at, refused })
        if (held.length >= MOST_HELD) held = forget(held)
      } else if (record.kind === 'end' && isQuotaSpent(record.stop)) {
        // These were refused for the quota's sake, which is no matter of pace.
        while (held.at(-1)?.refused === true) {
          held.pop()
          calls -= 1
          refusals -= 1
        }
      }
    },
    finish: () => ({
      seen: inOrder(held),
      wallAtZero: 0,
      calls,
      refusals,
    }),
  }
}

const inOrder = (calls: readonly CallSeen[]): CallSeen[] =>
  calls.toSorted((one, other) => one.sentMs - other.sentMs)

function forget(held: readonly CallSeen[]): CallSeen[] {
  const calls = inOrder(held)
  return [...keepWanted(calls.slice(0, -RECENT)), ...calls.slice(-RECENT)]
}
