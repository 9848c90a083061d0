// Makes a load test's report from its journal, record by record and in bounded memory.
import type { JournalRecord } from '../../domain/journal.ts'
import { type Curve, type LoadFigures, type LoadReport, quotaCodesOf } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import { describeRun } from '../describe-run.ts'
import { findLimitInRecord } from '../limit/find-in-record.ts'
import { createCallGatherer } from '../limit/gather-calls.ts'
import type { HdrCounts } from './hdr-counts.ts'
import { judgeLoad } from './judge-load.ts'
import { createLoadCounts } from './load-counts.ts'
import { requireLoad } from './load-run.ts'
import { warnOfLoad } from './warn-of-load.ts'

export interface LoadGatherer {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** A line that cannot be read, and may have been the intent of a call that was sent. */
  addLostIntent(): void
  figures(): LoadFigures
  /** `notes`: what was found odd while the journal was read. `ended`: why the test ended, where the journal could not say it. */
  finish(notes?: readonly string[], ended?: Stop): Promise<LoadReport>
}

/** Throws Error where the manifest is not that of a load test. */
export function createLoadGatherer(manifest: Manifest): LoadGatherer {
  const counts = createLoadCounts(manifest)
  const calls = createCallGatherer()
  let [sittings, restarts, lastAt] = [0, 0, 0]
  let stop: Stop | undefined

  const add = (record: JournalRecord): void => {
    calls.add(record)
    if (record.kind !== 'question') lastAt = Math.max(lastAt, record.at)
    switch (record.kind) {
      case 'sitting':
        sittings += 1
        stop = undefined
        return counts.account.sit()
      case 'question':
        return counts.open.question(record.index, record.question)
      case 'intent':
        return counts.begin(record)
      case 'result':
        return counts.settle(record)
      case 'outcome':
        return counts.finishTurn(record)
      case 'dropped':
        return counts.arrive(record.dueAt, true)
      case 'generator':
        return
      case 'restart':
        restarts += 1
        counts.underWay.begin(record.question, record.repeat)
        return
      case 'end':
        stop = record.stop
        return
      case 'set':
      case 'confirm':
        return
      case 'pace':
        if (record.cause === 'start') counts.tellStart(record.at)
        return
    }
  }

  const finish = async (notes: readonly string[] = [], ended?: Stop): Promise<LoadReport> => {
    const why = stop ?? ended
    // The encoder takes a fifth of a second to load: it comes when there is something to encode.
    const { encodeHistogram } = await import('./encode-histogram.ts')
    const { tally, histograms, account, open } = counts
    const figures = counts.figures(lastAt, why?.kind === 'done')
    const byCode = counts.refusals.finish()
    const { thresholds, ...judged } = judgeLoad(
      why,
      figures,
      manifest.options.threshold,
      quotaCodesOf(byCode),
    )
    const lost = { lost: account.finish().lost, restarts, begun: open.open() }
    return {
      formatVersion: 1,
      limit: findLimitInRecord(calls.finish()),
      run: describeRun(manifest, { sessions: sittings, lastAt: lastAt === 0 ? undefined : lastAt }),
      state: stateAfter(why),
      ...judged,
      load: requireLoad(manifest),
      ...figures,
      refusals: { byCode },
      overTime: counts.overTime(),
      thresholds,
      warnings: [...manifest.warnings, ...notes, ...warnOfLoad(figures, manifest, lost)],
      curves: { serviceMs: curveOf(tally.service), responseMs: curveOf(tally.response) },
      histograms: {
        unit: 'microseconds',
        serviceMs: encodeHistogram(tally.service),
        responseMs: encodeHistogram(tally.response),
        waitMs: encodeHistogram(histograms.wait),
        sendLagMs: encodeHistogram(histograms.sendLag),
        refusedMs: encodeHistogram(histograms.refused),
        failureMs: encodeHistogram(histograms.failure),
      },
    }
  }

  return {
    add,
    addLostIntent: counts.account.lose,
    figures: () => counts.figures(lastAt, stop?.kind === 'done'),
    finish,
  }
}

/** Points for each further nine. */
const POINTS = 8

/** Up to the share that one sample more or less decides; then the longest of all. Empty without samples. */
function curveOf(counts: HdrCounts): Curve {
  if (counts.count === 0) return []
  const nines = Math.floor(Math.log10(counts.count) * POINTS)
  const points = Array.from({ length: nines + 1 }, (_, place) => {
    const share = 1 - 10 ** (-place / POINTS)
    return { share, ms: counts.at(Math.max(share, 1 / counts.count)) ?? 0 }
  })
  return [...points, { share: 1, ms: counts.max }]
}
