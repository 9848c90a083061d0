// Folds a load test's journal, event by event in bounded memory, into the contents of `load.json`.
import { plannedMs } from '../../domain/arrivals.ts'
import type { JournalEvent, Position } from '../../domain/journal.ts'
import type { LoadFigures, LoadReport } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { createLimitCalls } from '../limit/calls.ts'
import { findLimitInRecord } from '../limit/infer.ts'
import { quotaFigures } from '../quota.ts'
import { describeRun } from '../summary.ts'
import { ratio } from '../turns.ts'
import { stateAfter } from '../verdict.ts'
import { createLoadCounts } from './counts.ts'
import { createLoadDurations } from './durations.ts'
import { judgeLoad, loadWarnings } from './judge.ts'
import { createOverTime } from './over-time.ts'
import { apartMs, shardsIn } from './shards.ts'

const FIRST: Pick<Position, 'journal'> = { journal: 0 }

/** Bounded memory, however many calls there are. */
export function createLoadFold(manifest: LoadManifest) {
  const { load, options, shard } = manifest
  const shards = shardsIn(manifest)
  const counts = createLoadCounts(manifest)
  const { accounts } = counts
  const durations = createLoadDurations()
  const overTime = createOverTime(plannedMs(load.model) + apartMs(shards))
  const limitCalls = createLimitCalls()
  return {
    /** Events in the order of time. `position`: in a merged test, its journal is that of its shard. */
    add: (event: JournalEvent, { journal } = FIRST): void => {
      counts.add(event, journal)
      durations.add(event)
      overTime.add(event, accounts.inFlight())
      limitCalls.add(event)
    },
    addLostIntent: accounts.addLostIntent,
    /**
     * `notes`: warnings from reading the journal. `ended`: why the test ended, if the journal does not record
     * it.
     */
    finish: (notes: readonly string[] = [], ended?: Stop): LoadReport => {
      const totals = accounts.totals(ended)
      const { usage, rateLimited, lost, stop, stopped } = totals
      const counted = counts.figures(ended)
      const figures: LoadFigures = {
        ...counted,
        ...durations.latencies(),
        quota: quotaFigures(usage, options.quota),
        pacing: { rate429: ratio(rateLimited, counted.achieved.calls), rateLimited },
      }
      return {
        formatVersion: 2,
        run: describeRun(manifest, totals),
        state: stateAfter(stop),
        ...(shard === undefined ? {} : { shard: { index: shard.index, of: shard.of } }),
        ...judgeLoad({ stop, stopped }, figures, manifest),
        load,
        ...figures,
        limit: findLimitInRecord(limitCalls.finish()),
        overTime: overTime.finish(),
        warnings: loadWarnings(figures, manifest, notes, lost),
        histograms: { unit: 'microseconds', ...durations.encoded() },
      }
    },
  }
}
