// Folds a load test's journal, event by event in bounded memory, into the contents of `load.json`.
import { plannedMs } from '../../domain/arrivals.ts'
import { isRateLimited } from '../../domain/attempt.ts'
import { ratio } from '../../domain/counts.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import { type LimitRule, limitRuleText } from '../../domain/limit.ts'
import type { LoadFigures, LoadReport, OverTime } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { acceptedIn, quotaFigures } from '../figures/account.ts'
import { createCounts } from '../figures/figures.ts'
import { describeRun } from '../judging/summary.ts'
import { stateAfter } from '../judging/verdict.ts'
import { createLoadCounts, isArrival } from './counts.ts'
import { createDurations, createLoadDurations, isTimed, percentileOf, recordDuration } from './durations.ts'
import { createRefusals, isLoadError, judgeLoad, loadWarnings } from './judge.ts'

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

/** Maximum number of bins for the planned arrivals, and in all: calls also end after the last arrival. */
const MAX_PLANNED_BINS = 120
const MAX_BINS = 400

/** `inFlightAfter` is the number of calls in flight at its end, `inFlight` their maximum. */
const newBin = (inFlight: number) => ({
  started: 0,
  dropped: 0,
  calls: 0,
  refused: 0,
  answered: 0,
  errors: 0,
  inFlight,
  inFlightAfter: inFlight,
  responseMs: createDurations(2),
  contextSource: createCounts(),
})

/** A bin is 1, 2, 4, 8, … seconds wide. */
export function createOverTime(arrivingMs: number) {
  const bins: ReturnType<typeof newBin>[] = []
  const binMs = 1000 * 2 ** Math.max(0, Math.ceil(Math.log2(arrivingMs / (1000 * MAX_PLANNED_BINS))))
  let start: number | undefined

  const binAt = (moment: number) => {
    start ??= moment
    const index = Math.min(MAX_BINS - 1, Math.max(0, Math.floor((moment - start) / binMs)))
    // If no call begins or ends, the calls in flight stay in flight.
    while (bins.length <= index) bins.push(newBin(bins.at(-1)?.inFlightAfter ?? 0))
    return bins[index] ?? newBin(0)
  }
  return {
    add: (event: JournalEvent, inFlight: number): void => {
      if (event.kind === 'dropped') binAt(event.dueAt).dropped += 1
      if (event.kind === 'intent' && isArrival(event)) binAt(event.dueAt ?? event.at).started += 1
      if (start === undefined) return
      if (event.kind === 'turnEnded') {
        const { outcome, result } = event
        const bin = binAt(event.at)
        if (isLoadError(outcome)) bin.errors += 1
        if (result === undefined) return
        if (isTimed(outcome)) recordDuration(bin.responseMs, result.responseMs ?? result.serviceMs)
        if (result.result.kind !== 'reply') return
        bin.answered += 1
        bin.contextSource.add(result.result.reply.contextSource)
      }
      if (event.kind !== 'intent' && event.kind !== 'result') return
      const bin = binAt(event.at)
      bin.inFlight = Math.max(bin.inFlight, inFlight)
      bin.inFlightAfter = inFlight
      if (event.kind !== 'result' || event.result.kind === 'abandoned') return
      bin.calls += 1
      if (isRateLimited(event.result)) bin.refused += 1
    },
    finish: (): OverTime | null => {
      if (start === undefined) return null
      const finished = bins.map((bin) => {
        const { responseMs, contextSource, inFlightAfter: _, ...counts } = bin
        return {
          ...counts,
          responseMs: { p50: percentileOf(responseMs, 50), p95: percentileOf(responseMs, 95) },
          contextSource: contextSource.finish(),
        }
      })
      return { from: new Date(start).toISOString(), binMs, bins: finished }
    },
  }
}
