// What `load` is going to do: offer a load, or seek the limit. Each says what it sends, and carries it out.
import type { LoadOptions } from '../../domain/load/load-options.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Conversation } from '../../runner/load/arrivals.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import type { RunSettings } from '../../library/read-options.ts'
import type { SignalWatch } from '../signals.ts'
import { endUnreported } from '../unreported.ts'
import type { Sitting } from '../sitting.ts'
import { concludeLoad } from './conclude-load.ts'
import { quotaFrom } from '../quota.ts'
import { describeEstimate } from './estimate.ts'
import { checkLoadThresholds } from './load-thresholds.ts'
import { readLoad } from './read-load.ts'
import { sitLoad } from './sit-load.ts'

export interface LoadPlan {
  readonly maxInFlight: number
  /** Lines for people, before the first call. */
  describe(threads: readonly Conversation[]): string[]
  /** Asks, and concludes; returns the exit code. */
  carryOut(
    sitting: Sitting,
    settings: Pick<RunSettings, 'debug' | 'json'>,
    signals: Pick<SignalWatch, keyof RunnerSignals | 'asked'>,
  ): Promise<number>
}

/** Throws UsageError; nothing was sent. */
export function planLoad(settings: RunSettings): LoadPlan {
  const offer = readLoad(settings)
  checkLoadThresholds(settings.threshold ?? [])
  return {
    maxInFlight: offer.maxInFlight,
    describe: (threads) => describeEstimate(threads, offer, settings.maxCalls ?? null, quotaFrom(settings)),
    carryOut: async (sitting, { debug = false, json = false }, signals) => {
      const manifest = { ...ofUnpaced(sitting.manifest, offer.maxInFlight), load: offer }
      const ended = await sitLoad({ ...sitting, manifest }, offer, debug, signals)
      signals.asked((signal) => endUnreported(signal, [sitting.folder]))
      return concludeLoad(ended, json)
    },
  }
}

/** Neither a load test nor a search paces, nor asks a thread again; each has as many connections as calls in flight. */
export function ofUnpaced(manifest: Manifest, maxInFlight: LoadOptions['maxInFlight']): Manifest {
  const { options } = manifest
  return {
    ...manifest,
    options: {
      ...options,
      rate: 'unlimited',
      concurrency: maxInFlight,
      onAmbiguous: 'fail',
      repeat: 1,
    },
  }
}
