// How fast a run is going to be, from what was said of it and from what a recorded run found.
import type { PaceEstimate } from '../../domain/estimate.ts'
import { AUTO_CONCURRENCY, createPolicy } from '../../pace/create.ts'
import { rateOf, startOf } from '../limiters.ts'
import type { RunSettings } from '../options/run-options.ts'
import type { RecordedPace } from './recorded-run.ts'

export interface Speed {
  readonly pace: PaceEstimate
  readonly concurrency: number
}

/** What is said, as the limiter itself would begin with it; else the limit that a recorded run found, or how fast it came to be. */
export function speedOf(settings: RunSettings, recorded: RecordedPace | undefined): Speed {
  const rate = rateOf(settings)
  const { share = 1, concurrency = 'auto' } = settings
  const most = concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency
  const atOnce = recorded?.atOnce === undefined ? most : Math.max(1, Math.floor(recorded.atOnce * share))
  const lanes = { concurrency: Math.min(most, atOnce) }
  const limit = recorded?.limit === undefined ? undefined : recorded.limit * share
  const { pace } = createPolicy({ rate, concurrency, start: startOf(settings), share }, () => 0.5).state()
  const paced = (source: 'given' | 'run' | 'runUnmet', perSecond: number): Speed => ({
    ...lanes,
    pace: { kind: 'paced', source, perSecond },
  })
  if (rate.kind === 'known' && pace !== null) return paced('given', pace)
  // The endpoint paces whoever does not, by refusing.
  if (limit !== undefined) return paced('run', limit)
  if (rate.kind === 'unlimited' || pace === null) return { ...lanes, pace: { kind: 'unlimited' } }
  if (recorded?.reached !== undefined) return paced('runUnmet', recorded.reached)
  return { ...lanes, pace: { kind: 'unknown', startPerSecond: pace } }
}
