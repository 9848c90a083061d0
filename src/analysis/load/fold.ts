// Folds a load test's journal, event by event in bounded memory, into the contents of `load.json`.
import { plannedMs } from '../../domain/arrivals.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import type { LoadFigures, LoadReport } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { createLimitCalls } from '../limit/calls.ts'
import { findLimitInRecord } from '../limit/infer.ts'
import { quotaFigures } from '../account.ts'
import { describeRun } from '../summary.ts'
import { ratio } from '../turns.ts'
import { stateAfter } from '../verdict.ts'
import { createLoadCounts } from './counts.ts'
import { createLoadDurations } from './durations.ts'
import { judgeLoad, loadWarnings } from './judge.ts'
import { createOverTime } from './over-time.ts'

export function createLoadFold(manifest: LoadManifest) {
  const { load, options } = manifest
  const counts = createLoadCounts(manifest)
  const { account } = counts
  const durations = createLoadDurations()
  const overTime = createOverTime(plannedMs(load.model))
  const limitCalls = createLimitCalls()
  return {
    add: (event: JournalEvent): void => {
      counts.add(event)
      durations.add(event)
      overTime.add(event, account.inFlight.size)
      limitCalls.add(event)
    },
    addLostIntent: account.addLostIntent,
    /** `ended` says why the test ended if the journal does not. */
    finish: (notes: readonly string[] = [], ended?: Stop): LoadReport => {
      const totals = account.totals()
      const { usage, rateLimited, lost, stop = ended } = totals
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
        ...judgeLoad(stop, figures, options),
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
