// One load test: the sitting of a run with another way of asking.
import { createLiveGatherer } from '../../analysis/load/live-gatherer.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import { runLoad } from '../../runner/load/run-load.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import { createRandomStreams } from '../../stats/addressed-random.ts'
import { sitAlone } from '../sit-alone.ts'
import type { Asking, Sitting } from '../sitting.ts'
import { createLoadProgress } from './progress.ts'
import { timerClock } from './timer-clock.ts'
import type { EndedLoad } from './write-load-reports.ts'

/** Resolves when the test is over and its journal is whole, as far as the disk took it. */
export async function sitLoad(
  sitting: Sitting,
  load: LoadOptions,
  debug: boolean,
  signals: RunnerSignals,
): Promise<EndedLoad> {
  const { manifest } = sitting
  const progress = createLoadProgress(createLiveGatherer(manifest))
  const asking: Asking = async ({ threads }, ports) => {
    const { options, runId } = manifest
    const random = createRandomStreams(load.seed)
    const { giveUpAfterMs, rotatingIds, maxCalls } = options
    return runLoad(
      [...threads],
      { ...ports, random, clock: timerClock },
      load,
      { runId, giveUpAfterMs, rotatingIds, maxCalls: maxCalls ?? undefined },
      signals,
    )
  }
  return sitAlone(sitting, asking, progress, debug, signals)
}
