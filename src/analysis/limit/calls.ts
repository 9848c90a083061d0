// Collects the calls of a journal that show the rate limit.
import type { JournalEvent } from '../../domain/journal.ts'
import { type LimitCall, callVerdict } from '../../domain/limit.ts'
import { MAX_CALLS, thin } from './sequence.ts'

export interface CallCounts {
  readonly calls: number
  readonly refused: number
}

export interface LimitCalls extends CallCounts {
  /** All calls, or the latest of a long record; the counts are those of the whole record. */
  readonly latest: readonly LimitCall[]
}

/**
 * At this number, only the latest half is kept: still more than are replayed, because calls that end late are
 * sorted in by sending time.
 */
const MAX_HELD = 4 * MAX_CALLS

export function createLimitCalls() {
  let held: LimitCall[] = []
  let [calls, refused] = [0, 0]
  return {
    add: (event: JournalEvent): void => {
      if (event.kind === 'result') {
        const verdict = callVerdict(event.result)
        if (verdict === undefined) return
        if (verdict !== 'unknown') calls += 1
        if (verdict === 'refused') refused += 1
        held.push({ sentAt: event.at - event.serviceMs, endedAt: event.at, verdict })
        if (held.length >= MAX_HELD) held = thin(held).slice(-MAX_HELD / 2)
      } else if (event.kind === 'end') {
        const { stop } = event
        // A stop on refusals with a named wait: the quota refused these calls, not the rate limit.
        if (stop.kind !== 'gaveUp' || stop.over !== 'refusals' || stop.namedMs === undefined) return
        while (held.at(-1)?.verdict === 'refused') {
          held.pop()
          calls -= 1
          refused -= 1
        }
      }
    },
    finish: (): LimitCalls => ({ latest: held, calls, refused }),
  }
}
