// One load test: the sitting of a run with another way of asking.
import { createLoadGatherer } from '../../analysis/load/gather.ts'
import { createLiveGatherer } from '../../analysis/load/live-gatherer.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import { runLoad } from '../../runner/load/run-load.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import { stopOfError } from '../../runner/stops.ts'
import { createRandomStreams } from '../../stats/addressed-random.ts'
import { createAttemptLines } from '../attempt-lines.ts'
import { showProgress } from '../progress-display.ts'
import { beginSitting, sit, type Asking, type Sitting } from '../sitting.ts'
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
  const { target, manifest, folder } = sitting
  // What ends a test early is the whole figures' to say; what is shown takes less.
  const whole = load.abortOn.length === 0 ? undefined : createLoadGatherer(manifest)
  const progress = createLoadProgress(whole ?? createLiveGatherer(manifest))
  const sayAttempt = debug ? createAttemptLines(target.name) : undefined
  const display = showProgress([{ name: target.name, progress }])
  const selfWatch = createSelfWatch()
  const watch = whole === undefined ? NO_WATCH : watchRecords(load, whole)
  let stop: Stop | undefined
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
    beginSitting(sitting)
    const onRecord: Parameters<typeof sit>[2] = (record) => {
      progress.note(record)
      sayAttempt?.(record)
      if (record.kind === 'end') stop = record.stop
    }
    const ended = await sit(sitting, signals, onRecord, asking)
    return { folder, manifest: ended, ...(stop === undefined ? {} : { stop }) }
  } catch (error) {
    const broken = stopOfError(error)
    const ended = { ...manifest, state: stateAfter(broken) }
    return { folder, manifest: ended, stop: broken }
  } finally {
    display.end()
    selfWatch.end()
  }
}
