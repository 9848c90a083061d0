// Folds a load test's journal, event by event in bounded memory, into the contents of `load.json`.
import { plannedMs } from '../../domain/arrivals.ts'
import { ratio } from '../../domain/counts.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import { type LimitRule, limitRuleText } from '../../domain/limit.ts'
import type { LoadFigures, LoadReport } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { acceptedIn, quotaFigures } from '../figures/account.ts'
import { describeRun } from '../judging/summary.ts'
import { stateAfter } from '../judging/verdict.ts'
import { createLoadCounts } from './counts.ts'
import { createLoadDurations } from './durations.ts'
import { createRefusals, judgeLoad, loadWarnings } from './judge.ts'
import { createOverTime } from './over-time.ts'

export function createLoadFold(
  manifest: LoadManifest,
  readRules: (headers: Readonly<Record<string, string>> | undefined) => readonly LimitRule[],
) {
  const { load, options } = manifest
  const counts = createLoadCounts(manifest)
  const { account } = counts
  const refusals = createRefusals()
  const durations = createLoadDurations()
  const overTime = createOverTime(plannedMs(load.model))
  let announced: readonly LimitRule[] = []
  return {
    add: (event: JournalEvent): void => {
      counts.add(event)
      if (event.kind === 'result') refusals.add(event)
      durations.add(event)
      overTime.add(event, account.inFlight.size)
      if (announced.length === 0 && event.kind === 'result' && 'headers' in event.result)
        announced = readRules(event.result.headers)
    },
    addLostIntent: account.addLostIntent,
    finish: (notes: readonly string[] = [], ended?: Stop): LoadReport => {
      const totals = account.totals()
      const { usage, rateLimited, lost, stop = ended } = totals
      const counted = counts.figures(ended)
      const refused = refusals.finish()
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
        ...judgeLoad(stop, figures, refused, options),
        load,
        ...figures,
        pacing: {
          ...figures.pacing,
          ...(announced.length > 0 && { policy: announced.map(limitRuleText).join(', ') }),
          accepted: acceptedIn(totals),
        },
        overTime: overTime.finish(),
        warnings: loadWarnings(figures, refused, manifest, notes, lost),
        histograms: { unit: 'microseconds', ...durations.encoded() },
      }
    },
  }
}
