// A sitting by itself with a way of asking of its own: shown as it goes, and however it ends, its end is told.
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter, type Stop } from '../domain/stop.ts'
import type { RunnerSignals } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { createAttemptLines } from './attempt-lines.ts'
import type { Progress } from './progress.ts'
import { showProgress } from './progress-display.ts'
import type { RunFolder } from './run-folder.ts'
import { beginSitting, sit, type Asking, type Sitting } from './sitting.ts'

export interface EndedAlone {
  readonly folder: RunFolder
  readonly manifest: Manifest
  /** Why it ended, where the journal may not say it. */
  readonly stop?: Stop
}

/** Resolves when the asking is over and the journal is whole, as far as the disk took it. */
export async function sitAlone(
  sitting: Sitting,
  asking: Asking,
  progress: Progress,
  debug: boolean,
  signals: RunnerSignals,
): Promise<EndedAlone> {
  const { target, manifest, folder } = sitting
  const sayAttempt = debug ? createAttemptLines(target.name) : undefined
  const display = showProgress([{ name: target.name, progress }])
  let stop: Stop | undefined
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
    return { folder, manifest: { ...manifest, state: stateAfter(broken) }, stop: broken }
  } finally {
    display.end()
  }
}
