// The histograms of a load test beside those of its answered turns: each holds what its name says and nothing else.
import type { ResultRecord } from '../../domain/journal.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { HdrCounts } from './hdr-counts.ts'

export interface LoadHistograms {
  /** A call that ended, its answer aside: that is the turn's. */
  add(result: ResultRecord, is429: boolean): void
  readonly wait: HdrCounts
  readonly sendLag: HdrCounts
  readonly refused: HdrCounts
  readonly failure: HdrCounts
  latencies(): Pick<LoadFigures, 'waitMs' | 'sendLagMs' | 'refusedMs' | 'failureMs'>
}

export function createLoadHistograms(): LoadHistograms {
  const [wait, sendLag] = [new HdrCounts(), new HdrCounts()]
  const [refused, failure] = [new HdrCounts(), new HdrCounts()]
  return {
    wait,
    sendLag,
    refused,
    failure,
    add: ({ lagMs, serviceMs, result }, is429) => {
      if (lagMs !== undefined) sendLag.record(lagMs)
      if (is429) refused.record(serviceMs)
      else if (result.kind !== 'reply') failure.record(serviceMs)
    },
    latencies: () => ({
      waitMs: wait.latency(),
      sendLagMs: sendLag.latency(),
      refusedMs: refused.latency(),
      failureMs: failure.latency(),
    }),
  }
}
