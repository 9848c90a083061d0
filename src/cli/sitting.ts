// One sitting of one run: its folder and journal, the asking, and how it ended.
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter, type Stop } from '../domain/stop.ts'
import { createClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import type { Limiter } from '../pace/limiter.ts'
import type { PaceChange } from '../pace/policy.ts'
import { runThreads, type RunnerSignals } from '../runner/run.ts'
import type { PlannedTurn, ThreadState } from '../runner/thread-state.ts'
import { createAskingPorts, type AskingPorts } from './asking-ports.ts'
import { realClock } from './clock.ts'
import { writeManifest, type RunFolder } from './run-folder.ts'
import type { Target } from './targets.ts'
import { VERSION } from './version.ts'

export interface Sitting {
  readonly target: Target
  readonly folder: RunFolder
  readonly manifest: Manifest
  /** In the order of the set. */
  readonly turns: readonly PlannedTurn[]
  /** As they stand before the sitting; those that it has begun are opened anew. */
  readonly threads: readonly ThreadState[]
  /** How often each is asked. */
  readonly repeats: number
  readonly limiter: Limiter
  readonly isResumed: boolean
  /** What a resumed run's manifest said before. */
  readonly stateBefore?: Manifest['state']
  /** Attempts of earlier sittings. */
  readonly attemptsBefore: number
  /** Which sitting of the run, from 1. */
  readonly number: number
  /** What the journal must hold before the first attempt. */
  readonly opening: Iterable<JournalRecord>
}

/** Writes the manifest of a new run: of several, all are there before the first journal is, so that a resume finds all. */
export function beginSitting({ isResumed, folder, manifest }: Sitting): void {
  if (!isResumed) writeManifest(folder, manifest)
}

/**
 * Asks until it is done or stopped; `onRecord` sees every record once it is on its way to the journal. When this resolves the
 * folder's journal is whole, and the manifest returned is the one in it.
 */
export async function sit(
  sitting: Sitting,
  signals: RunnerSignals,
  onRecord: (record: JournalRecord) => void,
  asking: Asking = askAll,
): Promise<Manifest> {
  const { target, folder, manifest, limiter, number, opening } = sitting
  const journal = openJournal(nextJournal(folder.journal), target.key)
  const client = createClient({
    origin: target.address.origin,
    assistPath: target.address.assistPath,
    key: target.key,
    timeoutMs: manifest.options.timeoutMs,
    userAgent: `assist-harness/${VERSION}`,
    now: realClock.now,
  })
  const ports = createAskingPorts(client, journal, onRecord)
  const { record } = ports
  const stopListening = limiter.onChange((change) => {
    try {
      record(toPaceRecord(change))
    } catch {
      // A journal that cannot be written stops the run where the next attempt meets it, with its reason.
    }
  })
  let state = sitting.stateBefore ?? 'running'
  try {
    if (sitting.isResumed) writeManifest(folder, manifest)
    record({ kind: 'sitting', at: realClock.wall(), sitting: number, harnessVersion: VERSION })
    for (const one of opening) record(one)
    state = 'incomplete'
    record({ kind: 'pace', at: realClock.wall(), pace: limiter.state().pace, cause: 'start' })
    const stop = await untilLost(limiter, signals, async (own) => asking(sitting, ports, own))
    record({ kind: 'end', at: realClock.wall(), stop })
    journal.flush()
    const ended = { ...manifest, state: stateAfter(stop), endedAt: new Date(realClock.wall()).toISOString() }
    writeManifest(folder, ended)
    return ended
  } catch (error) {
    leaveState(folder, { ...manifest, state })
    throw error
  } finally {
    stopListening()
    await client.close()
    await journal.close()
  }
}

/** A limiter that is lost ends the asking as an interruption does, and says why. */
async function untilLost(
  { lost }: Limiter,
  signals: RunnerSignals,
  asking: (signals: RunnerSignals) => Promise<Stop>,
): Promise<Stop> {
  if (lost === undefined) return asking(signals)
  const stop = await asking({ ...signals, stop: AbortSignal.any([signals.stop, lost]) })
  const isLost = stop.kind === 'interrupted' && lost.aborted && !signals.stop.aborted
  return isLost ? { kind: 'limiterLost', reason: String(lost.reason) } : stop
}

/** The manifest must not say `running` of a run that has stopped; on a full disk that may fail, too. */
function leaveState(folder: RunFolder, manifest: Manifest): void {
  try {
    writeManifest(folder, manifest)
  } catch {
    // What has stopped the run is said instead.
  }
}

/** What is done between the opening records and the last: every call of the sitting. */
export type Asking = (sitting: Sitting, ports: AskingPorts, signals: RunnerSignals) => Promise<Stop>

/** Every turn. */
const askAll: Asking = async (sitting, ports, signals) => askThreads(sitting, ports, signals)

async function askThreads(
  { manifest, threads, limiter, attemptsBefore }: Sitting,
  ports: AskingPorts,
  signals: RunnerSignals,
): Promise<Stop> {
  const { options, runId } = manifest
  return runThreads(
    threads,
    { ...ports, limiter, clock: realClock },
    {
      runId,
      maxCalls: options.maxCalls ?? undefined,
      giveUpAfterMs: options.giveUpAfterMs,
      attemptsBefore,
      rotatingIds: options.rotatingIds,
      restartOnAmbiguous: options.onAmbiguous === 'restart',
      asksAgain: 'unprocessed',
    },
    signals,
  )
}

function toPaceRecord({ pace, closure, cause, processes, limit }: PaceChange): JournalRecord {
  const [now, wall] = [realClock.now(), realClock.wall()]
  const isClosed = closure !== undefined && closure.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isClosed ? { pausedUntil: Math.round(wall + closure.until - now) } : {}),
    cause,
    ...(processes === undefined ? {} : { processes }),
    ...(limit === undefined ? {} : { limit }),
  }
}
