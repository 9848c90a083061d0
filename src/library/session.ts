// Ask: a session, which is one process's work on one run, from its manifest to the end of its journal. This step costs money.
import { resolve } from 'node:path'
import type { Review } from '../domain/review.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter } from '../analysis/verdict.ts'
import type { Stop } from '../domain/stop.ts'
import { createClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import { type Limiter, StoreError } from '../pace/limiter.ts'
import type { PaceChange } from '../pace/state.ts'
import { stopOfError } from '../runner/stops.ts'
import { turnsLeft, type ThreadState } from '../runner/thread-state.ts'
import type { AttemptPorts } from '../runner/turn.ts'
import { realClock } from './clock.ts'
import type { Ended } from './reports.ts'
import { createEventReader, createEventSink, type Progress, type EventSink } from './events.ts'
import { type RunJob, type Signals, watchSignals } from './job.ts'
import { createManifest } from './manifest.ts'
import { initialRecords, openThreads, type OpenedSet } from './question-sets.ts'
import { writeManifest } from './read-manifest.ts'
import { openNewFolder, type RunFolder } from './run-folder.ts'
import { VERSION } from './shipped.ts'
import { unlessStalled } from './stall.ts'
import { noteIgnoredProxy, type Opening, type Target } from './targets.ts'
import { UsageError } from './usage-error.ts'

export interface Session {
  readonly target: Target
  readonly folder: RunFolder
  readonly manifest: Manifest
  readonly threads: readonly ThreadState[]
  readonly limiter: Limiter
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
export interface SentSession extends Pick<Session, 'folder' | 'manifest' | 'imported'> {
  /** Set even if the journal could not record it. */
  readonly stop: Stop
}

/** A session for each target, side by side; then their results, in the order of the targets. */
export async function carryOut<Result extends Ended>(job: RunJob, steps: Steps<Result>): Promise<Result[]> {
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
        const result = await unlessStalled('writing the reports', steps.conclude(sent))
        const { folder, verdict, exitCode, reason } = result
        own.emit({ kind: 'ended', at: Date.now(), folder, verdict, exitCode, reason })
        results.push({ ...result, notes: [...events.notes, ...own.notes] })
      } catch (error) {
        // The other targets get their reports.
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
    return results
  } finally {
    signals.end()
    for (const close of closers.toReversed()) await close()
  }
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
  return Promise.all(
    sessions.map(async (session) => {
      const { folder, imported, target } = session
      const own = createEventSink((event) => job.onEvent(event, target.name))
      const ended = await runSession(session, ask(session), signals, own, job.wantsCalls)
      return { folder, imported, own, ...ended }
    }),
  )
}

/** The first session of a new run, in its new folder. `adapt` changes the manifest before it is written. */
export function openSession(
  path: string,
  opened: OpenedSet,
  { at, ...given }: Pick<Session, 'target' | 'limiter' | 'imported'> & { readonly at: Date },
  { onClose }: Opening,
  adapt = (manifest: Manifest): Manifest => manifest,
): Session {
  const manifest = adapt(createManifest(given.target, path, opened, at))
  const { folder, unlock } = openNewFolder(path)
  onClose(unlock)
  const { repeat } = manifest.options
  return {
    ...given,
    folder,
    manifest,
    threads: openThreads(opened.turns, repeat),
    number: 1,
    attemptsBefore: 0,
    opening: initialRecords(opened, repeat, at.getTime()),
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

/** Resolves once every call has returned and the journal is complete. Never rejects. `stop` is set even if the journal could not record it. */
export async function runSession(
  session: Session,
  work: Work,
  signals: Signals,
  { emit }: Pick<EventSink, 'emit'>,
  wantsCalls: boolean,
): Promise<{ readonly manifest: Manifest; readonly stop: Stop }> {
  const { folder, manifest } = session
  const read = createEventReader(wantsCalls)
  const progress = (): void => emit({ kind: 'progress', at: Date.now(), progress: work.progress(Date.now()) })
  emit(startedEvent(session))
  const timer = setInterval(progress, PROGRESS_MS).unref()
  const stop = await sendAll(session, work, signals, (record, thread) => {
    work.note(record)
    const event = read(record, thread)
    if (event !== undefined) emit(event)
  }).catch(stopOfError)
  clearInterval(timer)
  progress()
  const ended = { ...manifest, state: stateAfter(stop), endedAt: new Date(realClock.wall()).toISOString() }
  try {
    writeManifest(folder, ended)
  } catch {
    // A full disk has stopped the run already, or stops the reports.
  }
  return { manifest: ended, stop }
}

async function sendAll(
  { target, folder, manifest, limiter, number, opening }: Session,
  work: Work,
  signals: Signals,
  onRecord: Ports['record'],
): Promise<Stop> {
  writeManifest(folder, manifest)
  // The manifests of all targets are written before the first journal, so that a resume finds every run.
  await Promise.resolve()
  const journal = openJournal(nextJournal(folder.journal), target.key)
  const client = createClient({
    origin: target.address.origin,
    assistPath: target.address.assistPath,
    key: target.key,
    timeoutMs: manifest.options.timeout,
    userAgent: `assist-harness/${VERSION}`,
    abandon: signals.abandon,
    now: realClock.now,
  })
  const record: Ports['record'] = (one, thread) => {
    journal.append(one)
    onRecord(one, thread)
  }
  const stopListening = limiter.onChange((change) => record(paceRecord(change)))
  try {
    record({ kind: 'sitting', at: realClock.wall(), sitting: number, harnessVersion: VERSION })
    for (const one of opening) record(one)
    record({ kind: 'pace', at: realClock.wall(), pace: limiter.state().pace, cause: 'start' })
    journal.flush()
    /** The intent is in the journal before the request is sent; intents of one event-loop turn share a write. */
    const send: Ports['send'] = (request, { ended, failed }) => {
      const intent = journal.appended()
      client.send(request, { beforeSend: () => journal.flush(intent), ended, failed })
    }
    const sending = sendUntilLost(limiter, signals.stop, async (own) => work.send({ send, record }, own))
    const stop = await unlessStalled('sending', sending).catch(stopOfError)
    record({ kind: 'end', at: realClock.wall(), stop })
    journal.flush()
    return stop
  } finally {
    stopListening()
    await unlessStalled('closing connections', client.close())
    await journal.close()
  }
}

/** A lost limiter ends the session as an interruption does, with its own reason. */
async function sendUntilLost(
  { lost }: Limiter,
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<Stop>,
): Promise<Stop> {
  if (lost === undefined) return send(signal)
  const stop = await send(AbortSignal.any([signal, lost]))
  if (stop.kind !== 'interrupted' || !lost.aborted || signal.aborted) return stop
  const error: unknown = lost.reason
  return error instanceof StoreError
    ? { kind: 'limiterLost', reason: `${error.message}; sending stopped` }
    : stopOfError(error)
}

function paceRecord({ pace, closure, cause, processes }: PaceChange): JournalRecord {
  const [now, wall] = [realClock.now(), realClock.wall()]
  const isClosed = closure !== undefined && closure.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isClosed ? { pausedUntil: Math.round(wall + closure.until - now) } : {}),
    cause,
    ...(processes === undefined ? {} : { processes }),
  }
}

function startedEvent({ target, folder, manifest, threads, number }: Session) {
  const { runId, shard } = manifest
  return {
    kind: 'started',
    at: Date.now(),
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
