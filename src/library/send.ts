// Ask: sends what a session has left, and records all of it. This step costs money.
import { resolve } from 'node:path'
import { createRunCounts } from '../analysis/progress.ts'
import { stateAfter } from '../analysis/verdict.ts'
import type { Clock } from '../domain/clock.ts'
import { rateText } from '../domain/format.ts'
import { createTurnJoiner, type JournalEvent, type JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import { messageOf } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import { type PaceChange, StoreError } from '../pace/limiter.ts'
import { createEventReader, type EventSink, type Progress } from '../runner/events.ts'
import { runThreads, type RunnerOptions } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { type ThreadState, turnsLeft } from '../runner/thread-state.ts'
import { type AttemptPorts, turnRulesOf } from '../runner/turn.ts'
import type { Job } from './job.ts'
import type { RunSession, Session } from './session.ts'
import { tryToRecord } from './session.ts'
import { VERSION } from './shipped.ts'
import { unlessStalled } from './stall.ts'

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

/** How a session sends, and what its progress counts. */
export interface Sending {
  /** Of the limiter at the start; null without one. */
  readonly pace: number | null
  readonly count: (event: JournalEvent) => void
  readonly progress: (now: number) => Progress
  readonly send: (wire: Wire, stop: AbortSignal) => Promise<Stop>
}

/** The session's endpoint and journal. */
export interface Wire extends Pick<AttemptPorts, 'send' | 'record'> {
  /** Ends this session alone. */
  readonly end: (stop: Stop) => void
  /** For what a timer calls: an error there would end the process, and with it the other sessions. */
  readonly guard: (act: () => void) => void
}

/** At the limiter's pace. Never rejects: the sessions of other targets go on. */
export async function sendRun(session: RunSession, job: Job): Promise<SentRun> {
  const { threads, limiter, clock, imported } = session
  const sent = await sendSession(session, job, () => {
    const counts = createRunCounts(threads, session.manifest.options.groundedSources)
    return {
      pace: limiter.state().pace,
      count: counts.add,
      progress: counts.progress,
      send: async (wire, stop) => {
        const stopListening = limiter.onChange((change) =>
          wire.guard(() => wire.record(paceRecord(change, clock))),
        )
        onAbort(limiter.lost, (error) => wire.end(stopOfLost(error)))
        return runThreads(threads, { ...wire, limiter, clock }, rulesOf(session), stop).finally(stopListening)
      },
    }
  })
  return { ...sent, imported }
}

function rulesOf({ manifest, attemptsBefore }: RunSession): RunnerOptions {
  const { options, runId } = manifest
  return {
    runId,
    maxCalls: options.maxCalls ?? undefined,
    giveUpAfterMs: options.giveUpAfter,
    attemptsBefore,
    ...turnRulesOf(options),
  }
}

/** Redis's own words; any other error is ours. */
const stopOfLost = (error: unknown): Stop =>
  error instanceof StoreError
    ? { kind: 'limiterLost', reason: `${error.message}; sending stopped` }
    : stopOfError(error)

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
  const stop = await carryOut(session, job, open, { events, begun }).catch(stopOfError)
  const endedAt = new Date(clock.wall()).toISOString()
  // A run whose first records the disk rejects can be resumed without them, like one that was killed there.
  const ended = begun.isRecorded ? { ...manifest, state: stateAfter(stop), endedAt } : manifest
  const unrecorded = lock.lost.aborted ? undefined : tryToRecord(folder, ended)
  return { folder, lock, manifest: ended, stop, unrecorded, events }
}

interface Watched {
  readonly events: EventSink
  /** Whether the journal holds the first records. */
  readonly begun: { isRecorded: boolean }
}

/** Throws if the journal cannot be written, and for faults of ours. */
async function carryOut(
  session: Session,
  job: Job,
  open: () => Sending,
  { events, begun }: Watched,
): Promise<Stop> {
  const { target, folder, lock, manifest, clock, number, opening } = session
  const { ports, signals } = job
  const sending = open()
  const own = endOfSession(lock.lost)
  const watch = createWatch(job.callEvents, events)
  events.emit(startedEvent(session))
  const showProgress = (): void => {
    const at = clock.wall()
    events.emit({ kind: 'progress', at, progress: sending.progress(at) })
  }
  const { origin, assistPath } = target.address
  const client = await ports.connect({
    origin,
    assistPath,
    key: target.key,
    timeoutMs: manifest.options.timeout,
    userAgent: `assist-harness/${VERSION}`,
    abandon: signals.abandon,
    now: clock.now,
  })
  const journal = openJournal(nextJournal(folder.journal), target.key, lock.check)
  const timer = setInterval(() => own.guard(showProgress), PROGRESS_MS).unref()
  try {
    const join = createTurnJoiner()
    const record: Wire['record'] = (one, thread) => {
      journal.append(one)
      const event = join(one)
      sending.count(event)
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
    const send: Wire['send'] = (request, { ended, failed }) => {
      const intent = journal.appended()
      client.send(request, { beforeSend: () => journal.flush(intent), ended, failed })
    }
    const stop = AbortSignal.any([signals.stop, own.signal])
    const stopped = await unlessStalled('sending', sending.send({ send, record, ...own }, stop)).catch(
      stopOfError,
    )
    const reason = own.reasonFor(stopped, signals.stop)
    record({ kind: 'end', at: clock.wall(), stop: reason })
    journal.flush()
    showProgress()
    return reason
  } finally {
    clearInterval(timer)
    try {
      await unlessStalled('closing connections', client.close())
    } finally {
      await journal.close()
    }
  }
}

/**
 * What ends one session alone: a lost lock or limiter, or a fault of ours outside of a call. `lost`: of its
 * lock.
 */
function endOfSession(lost: AbortSignal) {
  const ended = new AbortController()
  const end = (stop: Stop): void => ended.abort(stop)
  onAbort(lost, (reason) => end({ kind: 'storage', message: messageOf(reason) }))
  return {
    signal: ended.signal,
    end,
    guard: (act: () => void): void => {
      try {
        act()
      } catch (error) {
        end(stopOfError(error))
      }
    },
    /** `stop`: as the sender gives it; `all`: ends all sessions. */
    reasonFor: (stop: Stop, all: AbortSignal): Stop =>
      stop.kind === 'interrupted' && ended.signal.aborted && !all.aborted
        ? (ended.signal.reason as Stop)
        : stop,
  }
}

function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): void {
  if (signal?.aborted === true) act(signal.reason)
  else signal?.addEventListener('abort', () => act(signal.reason), { once: true })
}

/** Emits what happens, and names a policy of the endpoint the first time that it sets the pace. */
function createWatch(callEvents: boolean, { emit, note }: EventSink) {
  const read = createEventReader(callEvents)
  const policies = new Set<string>()
  return (event: JournalEvent, thread?: ThreadState): void => {
    if (event.kind === 'pace' && event.policy !== undefined && !policies.has(event.policy)) {
      policies.add(event.policy)
      note(`the endpoint allows ${event.policy}: this policy sets the pace, ${rateText(event.pace)}`)
    }
    const seen = read(event, thread)
    if (seen !== undefined) emit(seen)
  }
}

function paceRecord({ pace, policy, pause, cause, processes }: PaceChange, clock: Clock): JournalRecord {
  const [now, wall] = [clock.now(), clock.wall()]
  const isPaused = pause !== undefined && pause.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isPaused ? { pausedUntil: Math.round(wall + pause.until - now) } : {}),
    cause,
    ...(policy === undefined ? {} : { policy }),
    ...(processes === undefined ? {} : { processes }),
  }
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
    keyFingerprint: target.key.fingerprint,
    shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
  } as const
}
