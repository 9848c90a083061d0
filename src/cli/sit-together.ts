// Several sittings side by side, each behind its organization's limiter, with their progress shown.
import { stateAfter, type Stop } from '../domain/stop.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { RunnerSignals } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { createAttemptLines } from './attempt-lines.ts'
import { goingOn, type GoingOn } from './going-on.ts'
import type { Audience } from './host.ts'
import { createProgress } from './progress.ts'
import { beginSitting, sit, type Sitting } from './sitting.ts'

/** Nothing of what was asked: of a million turns, that weighs as much as all that a report reads of them. */
export interface EndedSitting extends Pick<Sitting, 'target' | 'folder'> {
  readonly ended: Manifest
  /** What kept the journal from being written to its end. */
  readonly broken: Stop | undefined
  readonly goOn: GoingOn
}

export async function sitTogether(
  sittings: readonly Sitting[],
  debug: boolean,
  signals: RunnerSignals,
  { show, see }: Audience,
): Promise<EndedSitting[]> {
  const runs = sittings.map((sitting) => ({
    sitting,
    name: sitting.target.name,
    progress: createProgress(sitting.threads, sitting.manifest.options.groundedSources),
    unbegun: failureOf(() => beginSitting(sitting)),
    sayAttempt: debug ? createAttemptLines(sitting.target.name) : undefined,
  }))
  const display = show(runs)
  const ended = await Promise.all(
    runs.map(async ({ sitting, progress, unbegun, sayAttempt }): Promise<EndedSitting> => {
      const { target, folder } = sitting
      const end = async (over: Manifest, broken?: Stop): Promise<EndedSitting> => ({
        target,
        folder,
        ended: over,
        broken,
        goOn: await goingOn(sitting, over, progress.standing),
      })
      let manifest: Manifest
      try {
        if (unbegun !== undefined) throw unbegun
        manifest = await sit(sitting, signals, (record) => {
          progress.note(record)
          sayAttempt?.(record)
          see?.(sitting, record)
        })
      } catch (error) {
        const broken = stopOfError(error)
        return end({ ...sitting.manifest, state: stateAfter(broken) }, broken)
      }
      return end(manifest)
    }),
  )
  display.end()
  return ended
}

function failureOf(act: () => void): Error | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
