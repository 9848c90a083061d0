// Live counters of a load test, for progress. Every call waits for them, so they are few and cheap.
import { plannedMs } from '../../domain/arrivals.ts'
import { isRateLimited, lackOf } from '../../domain/attempt.ts'
import type { LoadSnapshot } from '../../domain/load.ts'
import type { JournalRecord, RecordOf, ResultRecord } from '../../domain/journal.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { ratio } from '../turns.ts'
import { isLoadError } from './judge.ts'

/** The call rate covers this time. */
const RECENT_MS = 5000

/** Counts what happens while a load test sends. */
export function createLiveCounts({ load, options }: LoadManifest) {
  const recent: { readonly at: number; readonly calls: number }[] = []
  /** `calls` ended, `refused` of them were 429s. `dropped` counts threads; `answered` and `errors` count turns. */
  const counts = { inFlight: 0, calls: 0, refused: 0, dropped: 0, answered: 0, errors: 0 }
  let [withContext, grounded] = [0, 0]
  let startedAt: number | undefined
  let last: ResultRecord | undefined

  const addResult = (record: ResultRecord): void => {
    counts.inFlight -= 1
    last = record
    if (record.result.kind === 'abandoned' || lackOf(record.result) !== undefined) return
    counts.calls += 1
    if (isRateLimited(record.result)) counts.refused += 1
  }

  const endTurn = ({ outcome, attempt, contextLost }: RecordOf<'outcome'>): void => {
    const result = last?.attempt === attempt ? last?.result : undefined
    if (isLoadError(outcome) && lackOf(result) === undefined) counts.errors += 1
    if (outcome !== 'answered') return
    counts.answered += 1
    if (contextLost || result?.kind !== 'reply') return
    withContext += 1
    if (options.groundedSources.includes(result.reply.contextSource)) grounded += 1
  }

  return {
    add: (record: JournalRecord): void => {
      if (record.kind === 'intent') counts.inFlight += 1
      else if (record.kind === 'result') addResult(record)
      else if (record.kind === 'outcome') endTurn(record)
      else if (record.kind === 'dropped') counts.dropped += 1
      else if (record.kind === 'pace' && record.cause === 'start') startedAt = record.at
    },
    /** `now`: milliseconds since the epoch. */
    snapshot: (now: number): LoadSnapshot => {
      recent.push({ at: now, calls: counts.calls })
      while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
      const since = recent[0] ?? { at: now, calls: 0 }
      return {
        ...counts,
        elapsedMs: startedAt === undefined ? 0 : Math.max(0, now - startedAt),
        plannedMs: plannedMs(load.model),
        /** Calls ended per second, over the last `RECENT_MS`; null at first. */
        callRate: ratio(counts.calls - since.calls, (now - since.at) / 1000),
        coverage: ratio(grounded, withContext),
      }
    },
  }
}
