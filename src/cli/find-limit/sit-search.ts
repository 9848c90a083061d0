// One search for the limit: the sitting of a run with another way of asking.
import type { SearchManifest } from '../../analysis/limit/gather-search.ts'
import { inferLimit } from '../../analysis/limit/infer.ts'
import type { LimitFinding } from '../../domain/limit-finding.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import { createLimitFinder } from '../../runner/find-limit/finder.ts'
import { runSearch } from '../../runner/find-limit/run-search.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import { stopOfError } from '../../runner/stops.ts'
import { createAttemptLines } from '../attempt-lines.ts'
import { timerClock } from '../load/timer-clock.ts'
import { showProgress } from '../progress-display.ts'
import { beginSitting, sit, type Asking, type Sitting } from '../sitting.ts'
import { createSearchProgress } from './progress.ts'
import type { EndedSearch } from './write-limit-reports.ts'

/** Resolves when the search is over and its journal is whole, as far as the disk took it. */
export async function sitSearch(
  sitting: Sitting & { readonly manifest: SearchManifest },
  debug: boolean,
  signals: RunnerSignals,
): Promise<EndedSearch> {
  const { target, manifest, folder } = sitting
  const { findLimit, options, runId } = manifest
  const wallAtZero = timerClock.wall() - timerClock.now()
  let latest: LimitFinding | undefined
  const finder = createLimitFinder({
    ...findLimit,
    judge: (calls) => (latest = inferLimit(calls, wallAtZero, { mayChange: false })),
  })
  const progress = createSearchProgress(findLimit.budget, {
    trying: () => finder.trying(),
    finding: () => latest,
  })
  const sayAttempt = debug ? createAttemptLines(target.name) : undefined
  const display = showProgress([{ name: target.name, progress }])
  let stop: Stop | undefined
  const asking: Asking = async ({ threads }, ports) => {
    const { budget, maxMs } = findLimit
    const { giveUpAfterMs, rotatingIds } = options
    const rules = { runId, giveUpAfterMs, rotatingIds, budget, maxMs }
    return runSearch(finder, [...threads], { ...ports, clock: timerClock }, rules, signals)
  }
  try {
    beginSitting(sitting)
    const onRecord: Parameters<typeof sit>[2] = (record) => {
      progress.note(record)
      sayAttempt?.(record)
      if (record.kind === 'end') stop = record.stop
    }
    const ended = await sit(sitting, signals, onRecord, asking)
    return { folder, manifest: { ...ended, findLimit }, ...(stop === undefined ? {} : { stop }) }
  } catch (error) {
    const broken = stopOfError(error)
    return { folder, manifest: { ...manifest, state: stateAfter(broken) }, stop: broken }
  } finally {
    display.end()
  }
}
