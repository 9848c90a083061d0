// Ask: sends what a session has left, and records all of it. This step costs money.
import { resolve } from 'node:path'
import { stateAfter } from '../analysis/verdict.ts'
import type { Clock } from '../domain/clock.ts'
import { createTurnJoiner, type JournalEvent } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import type { AssistClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import type { Manifest } from '../options/manifest.ts'
import { createWatch, type EventSink, type Progress } from '../runner/events.ts'
import { stopOfError } from '../runner/stops.ts'
import { turnsLeft } from '../runner/thread-state.ts'
import type { AttemptPorts } from '../runner/turn.ts'
import type { Job } from './job.ts'
import type { Target } from './targets.ts'
import { type RunSession, type Session, tryToRecord } from './session.ts'
import { VERSION } from './shipped.ts'
import { endOfSession, unlessStalled } from './signals.ts'

/** A session whose calls have all returned. */
export interface Sent<M extends Manifest = Manifest> extends Pick<
  Session<M>,
  'folder' | 'lock' | 'manifest'
> {
  /** Set even if the journal could not record it. */
  readonly stop: Stop
  /** Why `run.json` does not say yet that the session has ended. */
  readonly unrecorded: string | undefined
  readonly events: EventSink
}

export type SentRun = Sent<RunSession['manifest']> & Pick<RunSession, 'imported'>

export interface Sending {
  /** Of the limiter at the start; null without one. */
  readonly pace: number | null
  /** Attempts of earlier sessions; absent: none. */
  readonly sentBefore?: number
  readonly count: (event: JournalEvent) => void
  readonly progress: (now: number) => Progress
  readonly send: (wire: Wire, stop: AbortSignal) => Promise<Stop>
}

/** The session's endpoint and journal. */
export interface Wire extends Pick<AttemptPorts, 'send' | 'record'> {
  /** Puts what was recorded into the journal's file. */
  readonly flush: () => void
  /** Ends this session alone. */
  readonly end: (stop: Stop) => void
  /** For what a timer calls: an error there would end the process, and with it the other sessions. */
  readonly guard: (act: () => void) => void
}

const PROGRESS_MS = 200

/** Resolves once every call has returned and the journal is complete. Never rejects. */
export async function sendSession<M extends Manifest>(
  session: Session<M>,
  job: Job,
  open: () => Sending,
): Promise<Sent<M>> {
  const { folder, manifest, lock, clock, target } = session
  const events = job.eventsOf(target.name)
  const begun = { isRecorded: false }
  const stop = await carryOut(session, job, open, events, begun).catch(stopOfError)
  const endedAt = manifest.endedAt ?? new Date(clock.wall()).toISOString()
  // A run whose first records the disk rejects can be resumed without them, like one that was killed there.
  const ended = begun.isRecorded ? { ...manifest, state: stateAfter(stop), endedAt } : manifest
  const unrecorded = lock.lost.aborted ? undefined : tryToRecord(folder, ended)
  return { folder, lock, manifest: ended, stop, unrecorded, events }
}

/** Throws if the journal cannot be written, and for faults of ours. */
async function carryOut(
  session: Session,
  job: Job,
  open: () => Sending,
  events: EventSink,
  begun: { isRecorded: boolean },
): Promise<Stop> {
  const { target, folder, lock, clock, number, opening } = session
  const { signals } = job
  const sending = open()
  const own = endOfSession(lock.lost)
  const watch = createWatch(job.callEvents, events)
  const meter = meterOf(session, job, sending)
  events.emit(startedEvent(session))
  const showProgress = (): void => {
    const at = clock.wall()
    events.emit({ kind: 'progress', at, progress: sending.progress(at) })
  }
  const journal = openJournal(nextJournal(folder.journal), target.access.mask, lock.check)
  const timer = setInterval(() => own.guard(showProgress), PROGRESS_MS).unref()
  let client: AssistClient | undefined
  try {
    const { send } = (client = await connect(target, session.manifest.options.timeout, clock, job))
    const join = createTurnJoiner()
    const record: Wire['record'] = (one, thread) => {
      journal.append(one)
      const event = join(one)
      sending.count(event)
      meter?.add(event)
      watch(event, thread)
    }
    record({ kind: 'session', at: clock.wall(), session: number, harnessVersion: VERSION })
    for (const one of opening) record(one)
    record({ kind: 'pace', at: clock.wall(), pace: sending.pace, cause: 'start' })
    journal.flush()
    begun.isRecorded = true
    /**
     * The intent is in the journal before the request is sent; intents of one event-loop turn share a write.
     */
    const sendRecorded: Wire['send'] = (request, { ended, failed }) => {
      const intent = journal.appended()
      send(request, { beforeSend: () => journal.flush(intent), ended, failed })
    }
    const wire = { send: sendRecorded, record, flush: () => journal.flush(), ...own }
    const stop = AbortSignal.any([signals.stop, own.signal])
    const stopped = await unlessStalled('sending', sending.send(wire, stop)).catch(stopOfError)
    const reason = own.reasonFor(stopped, signals.stop)
    record({ kind: 'end', at: clock.wall(), stop: reason })
    journal.flush()
    showProgress()
    return reason
  } finally {
    clearInterval(timer)
    try {
      if (client !== undefined) await unlessStalled('closing connections', client.close())
    } finally {
      await journal.close()
    }
  }
}

export const connect = async (
  { access }: Target,
  timeoutMs: number,
  { now }: Clock,
  { ports, signals }: Job,
): Promise<AssistClient> => {
  const userAgent = `assist-harness/${VERSION}`
  return ports.connect({ ...access, timeoutMs, userAgent, abandon: signals.abandon, now })
}

function meterOf({ manifest, clock }: Session, { metrics }: Job, { progress, sentBefore }: Sending) {
  const { target, options } = manifest
  const labels = { target: target.name, organization: target.organization }
  const meter = metrics?.meter(labels, options.maxCalls, sentBefore)
  if (manifest.kind === 'run')
    meter?.watch(() => {
      const at = progress(clock.wall())
      return at.of === 'run' ? at.total - at.done : 0
    })
  return meter
}

function startedEvent({ target, folder, manifest, threads, clock, number }: Session) {
  const { runId, shard } = manifest
  return {
    kind: 'started',
    at: clock.wall(),
    folder: resolve(folder.path),
    runId,
    isResumed: number > 1,
    turns: threads.reduce((sum, thread) => sum + turnsLeft(thread), 0),
    threads: threads.filter((thread) => turnsLeft(thread) > 0).length,
    target: target.name,
    baseUrl: target.address.baseUrl,
    isSandbox: target.sandbox,
    keyFingerprint: target.access.key.fingerprint,
    shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
  } as const
}
