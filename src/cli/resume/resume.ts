// `run --resume DIR`: the sittings that go on with recorded runs.
import type { RunIndex } from '../../analysis/run-index.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { openPicker, type Place } from '../../journal/read.ts'
import type { Limiter } from '../../pace/limiter.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { realClock } from '../clock.ts'
import type { Environment } from '../environment.ts'
import { indexJournal, refuseLostJournal } from '../index-journal.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { readManifest } from '../run-folder.ts'
import type { Sitting } from '../sitting.ts'
import type { Target } from '../targets.ts'
import { changeManifest } from './change-manifest.ts'
import { describeForgotten } from './forgotten.ts'
import { restoreThreads } from './restore.ts'
import type { RecordedRun } from './runs.ts'
import { standingSet } from './standing-set.ts'

export interface Resuming {
  readonly runs: readonly RecordedRun[]
  /** In the order of the runs. */
  readonly targets: readonly Target[]
  readonly limiters: ReadonlyMap<string, Limiter>
  /** Question sets named on the command line, for files that have moved. */
  readonly datasets: readonly string[]
  readonly typed: RunSettings
  readonly environment: Environment
  /** Tells the user what was found. */
  readonly say: (line: string) => void
}

/** Throws UsageError where a run cannot go on as it is; nothing has been sent or written then. */
export async function planResume(resuming: Resuming): Promise<Sitting[]> {
  const sittings: Sitting[] = []
  for (const [place, run] of resuming.runs.entries()) {
    const target = resuming.targets[place]
    const limiter = target === undefined ? undefined : resuming.limiters.get(target.organization)
    if (target === undefined || limiter === undefined)
      throw new Error(`run ${run.manifest.runId} has no target`)
    sittings.push(await planOne(run, target, limiter, resuming))
  }
  return sittings
}

async function planOne(
  { folder }: RecordedRun,
  target: Target,
  limiter: Limiter,
  resuming: Resuming,
): Promise<Sitting> {
  // Read again under the lock: another sitting may have ended meanwhile.
  const run: RecordedRun = { folder, manifest: readManifest(folder) }
  const { index } = await indexJournal(folder)
  await refuseLostJournal(folder, run.manifest, index)
  const set = await standingSet(run, index, resuming)
  for (const line of set.notes) resuming.say(line)
  const manifest = changeManifest(
    { ...run.manifest, ...set.manifest },
    target,
    folder.path,
    isAnswered(index),
  )
  const { threads, records } = restore(run, index, set.turns, set.repeats, manifest, resuming.typed)
  if (target.sandbox) for (const line of describeForgotten(threads, manifest)) resuming.say(line)
  return {
    target,
    folder,
    manifest,
    turns: set.turns,
    threads,
    repeats: set.repeats,
    limiter,
    isResumed: true,
    stateBefore: run.manifest.state,
    attemptsBefore: index.attempts,
    number: index.sittings + 1,
    opening: [...set.records, ...records],
  }
}

/** Whether any call has counted for certain; a refused key's have not. */
function isAnswered({ everySlot, usageElsewhere }: RunIndex<unknown>): boolean {
  if (usageElsewhere.certain > 0) return true
  for (const { usage } of everySlot) if (usage.certain > 0) return true
  return false
}

function restore(
  { folder }: RecordedRun,
  index: RunIndex<Place>,
  turns: readonly PlannedTurn[],
  repeats: number,
  { options }: Manifest,
  { retryErrors = false }: RunSettings,
): ReturnType<typeof restoreThreads> {
  const picker = openPicker(folder.journal)
  try {
    return restoreThreads(turns, repeats, index, {
      pick: picker.pick,
      at: realClock.wall(),
      retryErrors,
      rotatingIds: options.rotatingIds,
      restartOnAmbiguous: options.onAmbiguous === 'restart',
      asksAgain: 'unprocessed',
    })
  } finally {
    picker.close()
  }
}
