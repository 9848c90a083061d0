// One search for the limit: the sitting of a run with another way of asking.
import type { SearchManifest } from '../../analysis/limit/gather-search.ts'
import { inferLimit } from '../../analysis/limit/infer.ts'
import type { LimitFinding } from '../../domain/limit-finding.ts'
import { createLimitFinder } from '../../runner/find-limit/finder.ts'
import { runSearch } from '../../runner/find-limit/run-search.ts'
import type { RunnerSignals } from '../../runner/run.ts'
import { timerClock } from '../load/timer-clock.ts'
import { sitAlone } from '../sit-alone.ts'
import type { Asking, Sitting } from '../sitting.ts'
import { createSearchProgress } from './progress.ts'
import type { EndedSearch } from './write-limit-reports.ts'

/** Resolves when the search is over and its journal is whole, as far as the disk took it. */
export async function sitSearch(
  sitting: Sitting & { readonly manifest: SearchManifest },
  debug: boolean,
  signals: RunnerSignals,
): Promise<EndedSearch> {
  const { findLimit, options, runId } = sitting.manifest
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
  const asking: Asking = async ({ threads }, ports) => {
    const { budget, maxMs } = findLimit
    const { giveUpAfterMs, rotatingIds } = options
    const rules = { runId, giveUpAfterMs, rotatingIds, budget, maxMs }
    return runSearch(finder, [...threads], { ...ports, clock: timerClock }, rules, signals)
  }
  const ended = await sitAlone(sitting, asking, progress, debug, signals)
  return { ...ended, manifest: { ...ended.manifest, findLimit } }
}
