// Ask: a session, which is one process's work on one run, from its manifest to the end of its journal. This step costs money.
import { resolve } from 'node:path'
import type { Review } from '../domain/review.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../options/manifest.ts'
import { stateAfter } from '../analysis/verdict.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Clock } from '../domain/clock.ts'
import type { Stop } from '../domain/stop.ts'
import { createClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import type { Limiter } from '../pace/limiter.ts'
import type { PaceChange } from '../pace/state.ts'
import { stopOfError } from '../runner/stops.ts'
import { turnsLeft, type ThreadState } from '../runner/thread-state.ts'
import type { AttemptPorts } from '../runner/turn.ts'
import { type Ended, withoutFiles } from './reports.ts'
import { createEnding, type Ending } from './ending.ts'
import { createEventReader, createEventSink, type Progress, type EventSink } from './events.ts'
import { type RunJob, type Signals, watchSignals } from './job.ts'
import { formatPace } from './limiters.ts'
import type { Lock } from '../store/lock.ts'
import { createManifest } from './manifest.ts'
import { initialRecords, openThreads, type OpenedSet } from './question-sets.ts'
import { writeManifest } from '../store/manifest.ts'
import { openNewFolder, type RunFolder } from '../store/folder.ts'
import { VERSION } from './shipped.ts'
import { unlessStalled } from './stall.ts'
import { noteIgnoredProxy, type Opening, type Target } from './targets.ts'
import { messageOf, UsageError } from '../options/faults.ts'

export interface Session {
  readonly target: Target
  readonly folder: RunFolder
  readonly lock: Lock
  readonly manifest: Manifest
  readonly threads: readonly ThreadState[]
  readonly limiter: Limiter
  readonly clock: Clock
  /** Which session of the run, from 1. */
  readonly number: number
  /** Attempts of earlier sessions. */
  readonly attemptsBefore: number
  /** Records that the journal must hold before the first attempt. */
  readonly opening: readonly JournalRecord[]
  /** Reviews of `--reviews` files and question sets. */
  readonly imported: readonly Review[]
}

/** The steps that differ between `run`, `run --resume` and `load`. */
export interface Steps<Result> {
  /** Finds everything that can be wrong before it makes a folder. */
  readonly open: (job: RunJob, opening: Opening) => Promise<readonly Session[]>
  readonly ask: (session: Session) => Work
  /** Folds, renders and concludes. */
  readonly conclude: (sent: SentSession) => Promise<Result>
}

/** A session whose calls have all returned. */
export interface SentSession extends Pick<Session, 'folder' | 'lock' | 'manifest' | 'imported'> {
  /** Set even if the journal could not record it. */
  readonly stop: Stop
  /** Why `run.json` does not say yet that the session has ended. */
  readonly unrecorded: string | undefined
}

/** `faults`: errors of targets that have no result; the others have theirs. */
export interface CarriedOut<Result> {
  readonly results: readonly Result[]
  readonly faults: readonly unknown[]
}

/** A session for each target, side by side; then their results, in the order of the targets. */
export async function carryOut<Result extends Ended>(
  job: RunJob,
  steps: Steps<Result>,
): Promise<CarriedOut<Result>> {
  if (job.signal?.aborted === true) throw new UsageError('the signal was aborted before the run started')
  const events = createEventSink((event) => job.onEvent(event, job.targets[0]?.name ?? ''))
  const closers: (() => Promise<void> | void)[] = []
  const opening: Opening = { note: events.note, onClose: (close) => void closers.push(close) }
  const signals = watchSignals(job)
  try {
    const results: Result[] = []
    const faults: unknown[] = []
    for (const { own, ...sent } of await openAndSend(job, steps, signals, opening)) {
      own.emit({ kind: 'reporting', at: Date.now(), folder: sent.folder.path })
      try {
        sent.lock.check()
        const concluded = await unlessStalled('writing the reports', steps.conclude(sent))
        const result = recordAgain(concluded, sent)
        const { folder, verdict, exitCode, reason } = result
        own.emit({ kind: 'ended', at: Date.now(), folder, verdict, exitCode, reason })
        results.push({ ...result, notes: [...events.notes, ...own.notes] })
      } catch (error) {
        // Such as a table in the folder that cannot be read any more. It is not 2: calls were sent.
        faults.push(error instanceof UsageError ? new StorageError(error, sent.folder.path) : error)
      }
    }
    return { results, faults }
  } finally {
    signals.end()
    for (const close of closers.toReversed()) await close()
  }
}

/** Of a job with one target. */
export function onlyResult<Result>({ results: [result], faults }: CarriedOut<Result>): Result {
  if (result === undefined) throw faults[0]
  return result
}

/** A function of its own, so that the plan can be collected before the reports need the memory; they read from the journal. */
async function openAndSend(
  job: RunJob,
  { open, ask }: Pick<Steps<unknown>, 'open' | 'ask'>,
  signals: Signals,
  opening: Opening,
): Promise<(SentSession & { readonly own: EventSink })[]> {
  const sessions = await unlessStalled('opening the run', open(job, opening))
  noteIgnoredProxy(
    sessions.map(({ target }) => target),
    opening.note,
  )
  // The manifests of all targets are written before the first journal, so that a resume finds every run.
  for (const { folder, manifest } of sessions) {
    const fault = tryToRecord(folder, manifest)
    if (fault !== undefined)
      throw new UsageError(`${folder.path} cannot be written (${fault}); nothing was sent`)
  }
  return Promise.all(
    sessions.map(async (session) => {
      const { folder, lock, imported, target } = session
      const own = createEventSink((event) => job.onEvent(event, target.name))
      const ended = await runSession(session, ask, signals, own, job.wantsCalls)
      return { folder, lock, imported, own, ...ended }
    }),
  )
}

/** Writes the manifest. Returns why it cannot be written. */
function tryToRecord(folder: RunFolder, manifest: Manifest): string | undefined {
  try {
    writeManifest(folder, manifest)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Writes with the reports what the session could not record at its end. */
function recordAgain<Result extends Ended>(
  result: Result,
  { folder, manifest, unrecorded }: SentSession,
): Result {
  const fault = unrecorded === undefined ? undefined : tryToRecord(folder, manifest)
  return fault === undefined ? result : { ...result, ...withoutFiles(result, `run.json: ${fault}`) }
}

/** The first session of a new run, in its new folder. `adapt` changes the manifest before it is written. */
export async function openSession(
  path: string,
  opened: OpenedSet,
  given: Pick<Session, 'target' | 'limiter' | 'clock' | 'imported'>,
  { note, onClose }: Opening,
  adapt = (manifest: Manifest): Manifest => manifest,
): Promise<Session> {
  const at = given.clock.wall()
  const manifest = adapt(createManifest(given.target, path, opened, new Date(at)))
  const { folder, lock } = await openNewFolder(path, note)
  onClose(lock.release)
  const { repeat } = manifest.options
  return {
    ...given,
    folder,
    lock,
    manifest,
    threads: openThreads(opened.turns, repeat),
    number: 1,
    attemptsBefore: 0,
    opening: initialRecords(opened, repeat, at),
  }
}

/** How a session sends: a run at the limiter's pace, a load test by its timetable. */
export interface Work {
  readonly send: (ports: Ports, stop: AbortSignal) => Promise<Stop>
  readonly note: (record: JournalRecord) => void
  readonly progress: (now: number) => Progress
}

export type Ports = Pick<AttemptPorts, 'send' | 'record'>

const PROGRESS_MS = 200

/**
 * Resolves once every call has returned and the journal is complete. Never rejects: the sessions of other targets
 * go on.
 */
export async function runSession(
  session: Session,
  ask: Steps<unknown>['ask'],
  signals: Signals,
  { emit, note }: Pick<EventSink, 'emit' | 'note'>,
  wantsCalls: boolean,
): Promise<Pick<SentSession, 'manifest' | 'stop' | 'unrecorded'>> {
  const { folder, manifest, lock, clock } = session
  let hasBegun = false
  const onBegun = (): void => {
    hasBegun = true
  }
  const shown = { emit, note, wantsCalls, onBegun }
  const stop = await showAndSend(session, ask, signals, shown).catch(stopOfError)
  const endedAt = new Date(clock.wall()).toISOString()
  // A run whose first records the disk rejects can be resumed without them, like one that was killed there.
  const ended = hasBegun ? { ...manifest, state: stateAfter(stop), endedAt } : manifest
  const unrecorded = lock.lost.aborted ? undefined : tryToRecord(folder, ended)
  return { manifest: ended, stop, unrecorded }
}

interface Shown extends Pick<EventSink, 'emit' | 'note'> {
  readonly wantsCalls: boolean
  /** Called once the journal holds the first records. */
  readonly onBegun: () => void
}

async function showAndSend(
  session: Session,
  ask: Steps<unknown>['ask'],
  signals: Signals,
  { emit, note, wantsCalls, onBegun }: Shown,
): Promise<Stop> {
  const work = ask(session)
  const read = createEventReader(wantsCalls)
  const ending = createEnding(session.limiter, session.lock)
  const progress = (): void => {
    const at = session.clock.wall()
    emit({ kind: 'progress', at, progress: work.progress(at) })
  }
  emit(startedEvent(session))
  const timer = setInterval(() => ending.guard(progress), PROGRESS_MS).unref()
  const policies = new Set<string>()
  try {
    const record: Ports['record'] = (one, thread) => {
      work.note(one)
      if (one.kind === 'pace' && one.policy !== undefined && !policies.has(one.policy)) {
        policies.add(one.policy)
        note(`the endpoint allows ${one.policy}: this policy sets the pace, ${formatPace(one.pace)}`)
      }
      const event = read(one, thread)
      if (event !== undefined) emit(event)
    }
    const stop = await sendAll(session, work, signals, { ending, record, onBegun })
    progress()
    return stop
  } finally {
    clearInterval(timer)
  }
}

async function sendAll(
  { target, folder, lock, manifest, limiter, clock, number, opening }: Session,
  work: Work,
  signals: Signals,
  {
    ending,
    record: onRecord,
    onBegun,
  }: Pick<Shown, 'onBegun'> & Pick<Ports, 'record'> & { readonly ending: Ending },
): Promise<Stop> {
  const journal = openJournal(nextJournal(folder.journal), target.key, lock.check)
  const client = createClient({
    origin: target.address.origin,
    assistPath: target.address.assistPath,
    key: target.key,
    timeoutMs: manifest.options.timeout,
    userAgent: `assist-harness/${VERSION}`,
    abandon: signals.abandon,
    now: clock.now,
  })
  const record: Ports['record'] = (one, thread) => {
    journal.append(one)
    onRecord(one, thread)
  }
  const stopListening = limiter.onChange((change) => ending.guard(() => record(paceRecord(change, clock))))
  try {
    record({ kind: 'sitting', at: clock.wall(), sitting: number, harnessVersion: VERSION })
    for (const one of opening) record(one)
    record({ kind: 'pace', at: clock.wall(), pace: limiter.state().pace, cause: 'start' })
    journal.flush()
    onBegun()
    /** The intent is in the journal before the request is sent; intents of one event-loop turn share a write. */
    const send: Ports['send'] = (request, { ended, failed }) => {
      const intent = journal.appended()
      client.send(request, { beforeSend: () => journal.flush(intent), ended, failed })
    }
    const sending = work.send({ send, record }, AbortSignal.any([signals.stop, ending.signal]))
    const sent = await unlessStalled('sending', sending).catch(stopOfError)
    const stop = ending.stopOf(sent, signals.stop)
    record({ kind: 'end', at: clock.wall(), stop })
    journal.flush()
    return stop
  } finally {
    stopListening()
    await unlessStalled('closing connections', client.close())
    await journal.close()
  }
}

function paceRecord({ pace, policy, closure, cause, processes }: PaceChange, clock: Clock): JournalRecord {
  const [now, wall] = [clock.now(), clock.wall()]
  const isClosed = closure !== undefined && closure.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isClosed ? { pausedUntil: Math.round(wall + closure.until - now) } : {}),
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
