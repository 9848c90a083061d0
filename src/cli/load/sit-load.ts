// One load test: the sitting of a run with another way of asking.
import { createLoadGatherer } from '../../analysis/load/gather.ts'
import { createLiveGatherer } from '../../analysis/load/live-gatherer.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import { runLoad } from '../../runner/load/run-load.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import { createRandomStreams } from '../../stats/addressed-random.ts'
import { sitAlone } from '../sit-alone.ts'
import type { Asking, Sitting } from '../sitting.ts'
import { NO_WATCH, watchRecords } from './abort-watch.ts'
import { createLoadProgress } from './progress.ts'
import { createSelfWatch } from './self-watch.ts'
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
  // What ends a test early is the whole figures' to say; what is shown takes less.
  const whole = load.abortOn.length === 0 ? undefined : createLoadGatherer(manifest)
  const progress = createLoadProgress(whole ?? createLiveGatherer(manifest))
  const selfWatch = createSelfWatch()
  const watch = whole === undefined ? NO_WATCH : watchRecords(load, whole)
  const asking: Asking = async ({ limiter, threads }, ports) => {
    const { options, runId } = manifest
    const random = createRandomStreams(load.seed)
    const { giveUpAfterMs, rotatingIds, maxCalls } = options
    return runLoad(
      [...threads],
      { ...ports, limiter, random, clock: timerClock, watchSelf: selfWatch.sample, watch },
      load,
      { runId, giveUpAfterMs, rotatingIds, maxCalls: maxCalls ?? undefined },
      signals,
    )
  }
  try {
    return await sitAlone(sitting, asking, progress, debug, signals)
  } finally {
    selfWatch.end()
  }
}
