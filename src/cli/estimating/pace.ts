// How fast a run is going to be, from what was said of it.
import type { PaceEstimate } from '../../domain/estimate.ts'
import { AUTO_CONCURRENCY, createPolicy } from '../../pace/create.ts'
import { rateOf } from '../limiters.ts'
import type { RunSettings } from '../../library/read-options.ts'

export interface Speed {
  readonly pace: PaceEstimate
  readonly concurrency: number
}

/** As the limiter itself would begin. */
export function speedOf(settings: RunSettings): Speed {
  const rate = rateOf(settings)
  const { share = 1, concurrency = 'auto' } = settings
  const { pace } = createPolicy({ rate, concurrency, share }, () => 0.5).state()
  return {
    concurrency: concurrency === 'auto' ? AUTO_CONCURRENCY : concurrency,
    pace:
      pace === null
        ? { kind: 'unlimited' }
        : rate.kind === 'known'
          ? { kind: 'paced', perSecond: pace }
          : { kind: 'unknown', startPerSecond: pace },
  }
}
