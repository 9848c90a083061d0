// Ask: a session, which is one process's work on one run, from its manifest to the end of its journal. This step costs money.
import { setMaxListeners } from 'node:events'
import { resolve } from 'node:path'
import type { ReviewFile } from '../analysis/reviews/book.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { stateAfter } from '../analysis/verdict.ts'
import type { Stop } from '../domain/stop.ts'
import { createClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { openJournal } from '../journal/write.ts'
import type { Limiter } from '../pace/limiter.ts'
import type { PaceChange } from '../pace/state.ts'
import type { AttemptPorts } from '../runner/attempt.ts'
import type { RunnerSignals } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { turnsLeft, type PlannedTurn, type ThreadState } from '../runner/thread-state.ts'
import { realClock } from './clock.ts'
import { createEventReader, type Progress, type RunEvent, type EventSink } from './events.ts'
import { createManifest } from './manifest.ts'
import { checkObject, checkPaths, readOptions, type RunSettings } from './options.ts'
import { initialRecords, openThreads, type OpenedSet } from './question-sets.ts'
import { openNewFolder, writeManifest, type RunFolder } from './run-folder.ts'
import { readSandbox, type SandboxOptions } from './sandbox.ts'
import type { Environment } from './secrets.ts'
import { VERSION } from './shipped.ts'
import type { Cleanups, NamedTarget, Target } from './targets.ts'
import { optionError } from './usage-error.ts'

/** What `run` and `load` take in addition to their options. */
export interface SendingOptions extends StopSignals {
  /** Question sets (CSV files). */
  readonly datasets?: readonly string[] | undefined
  /** The key. Without it, the environment variable of `apiKeyEnv` is read. */
  readonly apiKey?: string | undefined
  /** Starts a sandbox in this process and sends there instead of to `baseUrl`; a config sets its limits, latency and faults. */
  readonly sandbox?: boolean | SandboxOptions | undefined
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface Job extends StopSignals {
  readonly datasets: readonly string[]
  /** Options for all targets: the choice of questions, how they are judged, the folder. */
  readonly settings: RunSettings
  /** Instead of targets. */
  readonly sandbox: boolean | SandboxConfig
  readonly apiKey?: string | undefined
  readonly environment: Environment
  readonly onEvent: (event: RunEvent, target: string) => void
}

/** One run for each target. */
export interface RunJob extends Job {
  readonly targets: readonly NamedTarget[]
  /** For a resume: base URLs of the config file's targets, by name. */
  readonly baseUrls?: ReadonlyMap<string, string>
}

/** Checks the types, too: callers may be plain JavaScript. Throws UsageError. */
export function readJob(command: 'run' | 'load', options: SendingOptions): Job {
  checkObject(options, `${command}({ datasets: ['questions.csv'] })`)
  const { datasets = [], apiKey, sandbox = false, signal, abandon, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  if (apiKey !== undefined && typeof apiKey !== 'string') throw optionError('apiKey', 'must be a string')
  if (onEvent !== undefined && typeof onEvent !== 'function')
    throw optionError('onEvent', 'must be a function')
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw optionError('signal', 'must be an AbortSignal')
  const settings = readOptions(command, written)
  if (sandbox !== false && settings.baseUrl !== undefined)
    throw optionError('sandbox', 'cannot be used with --base-url; give one of them')
  return {
    datasets,
    settings,
    apiKey,
    signal,
    abandon,
    sandbox: readSandbox(sandbox),
    environment: process.env,
    onEvent: onEvent ?? (() => undefined),
  }
}

export interface Session {
  readonly target: Target
  readonly folder: RunFolder
  readonly manifest: Manifest
  /** In the order of the set. */
  readonly turns: readonly PlannedTurn[]
  readonly threads: readonly ThreadState[]
  readonly limiter: Limiter
  /** Which session of the run, from 1. */
  readonly number: number
  /** Attempts of earlier sessions. */
  readonly attemptsBefore: number
  /** Records that the journal must hold before the first attempt. */
  readonly opening: readonly JournalRecord[]
  /** What a load test or a search is about to send, in sentences. */
  readonly plan?: readonly string[]
  /** The recorded state of a run that is resumed. */
  readonly stateBefore?: Manifest['state']
}

/** A run before its first call. */
export interface Plan {
  readonly sessions: readonly Session[]
  /** Reviews of `--reviews` files and question sets. */
  readonly imported: readonly ReviewFile[] | undefined
}

export type { Cleanups }

/** Runs `act`, then closes what it opened, the latest first. */
export async function withCleanups<T>(
  job: StopSignals,
  act: (signals: RunnerSignals, cleanups: Cleanups) => Promise<T>,
): Promise<T> {
  const cleanups: Cleanups = []
  const signals = watchSignals(job)
  try {
    return await act(signals, cleanups)
  } finally {
    signals.end()
    for (const close of cleanups.toReversed()) await close()
  }
}

/** The first session of a new run, in its new folder. `adapt` changes the manifest before it is written. */
export function openSession(
  path: string,
  opened: OpenedSet,
  { target, limiter, at }: Pick<Session, 'target' | 'limiter'> & { readonly at: Date },
  cleanups: Cleanups,
  adapt = (manifest: Manifest): Manifest => manifest,
): Session {
  const manifest = adapt(createManifest(target, path, opened, at))
  const { folder, unlock } = openNewFolder(path)
  cleanups.push(unlock)
  const { repeat } = manifest.options
  return {
    target,
    folder,
    manifest,
    turns: opened.questions.turns,
    threads: openThreads(opened.questions, repeat),
    limiter,
    number: 1,
    attemptsBefore: 0,
    opening: initialRecords(opened, repeat, at.getTime()),
  }
}

/** How a session sends: a run at the limiter's pace, a load test by its timetable. */
export interface Work {
  readonly send: (ports: Ports, signals: RunnerSignals) => Promise<Stop>
  readonly note: (record: JournalRecord) => void
  readonly progress: (now: number) => Progress
}

export type Ports = Pick<AttemptPorts, 'send' | 'record'>

const PROGRESS_MS = 200

/** Resolves once every call has returned and the journal is complete. Never rejects. `stop`: also where the journal could not record it. */
export async function runSession(
  session: Session,
  work: Work,
  signals: RunnerSignals,
  { emit }: Pick<EventSink, 'emit'>,
): Promise<{ readonly manifest: Manifest; readonly stop: Stop }> {
  const { folder, manifest } = session
  const read = createEventReader()
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
  signals: RunnerSignals,
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
    const send: Ports['send'] = (request, signal, { ended, failed }) => {
      const intent = journal.appended()
      client.send(request, signal, { beforeSend: () => journal.flush(intent), ended, failed })
    }
    const stop = await sendUntilLost(limiter, signals, async (own) => work.send({ send, record }, own))
    record({ kind: 'end', at: realClock.wall(), stop })
    journal.flush()
    return stop
  } finally {
    stopListening()
    await client.close()
    await journal.close()
  }
}

/** A lost limiter ends the session as an interruption does, with its own reason. */
async function sendUntilLost(
  { lost }: Limiter,
  signals: RunnerSignals,
  send: (signals: RunnerSignals) => Promise<Stop>,
): Promise<Stop> {
  if (lost === undefined) return send(signals)
  const stop = await send({ ...signals, stop: AbortSignal.any([signals.stop, lost]) })
  const isLost = stop.kind === 'interrupted' && lost.aborted && !signals.stop.aborted
  return isLost ? { kind: 'limiterLost', reason: String(lost.reason) } : stop
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

function startedEvent({ target, folder, manifest, threads, stateBefore, plan = [] }: Session) {
  const { runId, shard } = manifest
  return {
    kind: 'started',
    at: Date.now(),
    folder: resolve(folder.path),
    runId,
    isResumed: stateBefore !== undefined,
    turns: threads.reduce((sum, thread) => sum + turnsLeft(thread), 0),
    threads: threads.filter((thread) => turnsLeft(thread) > 0).length,
    target: target.name,
    baseUrl: target.address.baseUrl,
    isSandbox: target.sandbox,
    keyFingerprint: target.key.fingerprint,
    shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
    plan,
  } as const
}

/** How long calls in flight may take to return; a supervisor that sends SIGTERM usually kills after ten seconds. */
const GRACE_MS = { patient: 30_000, short: 8000 }

export interface StopSignals {
  /** Stops sending; calls in flight have 30 s to return (8 s where the reason is SIGTERM or SIGHUP). */
  readonly signal?: AbortSignal | undefined
  /** Gives up calls in flight as well; they are recorded as ambiguous. */
  readonly abandon?: AbortSignal | undefined
}

/** The signals of a session. `end` removes the listeners from the caller's signals. */
function watchSignals({ signal, abandon }: StopSignals): RunnerSignals & { readonly end: () => void } {
  const [stop, giveUp] = [new AbortController(), new AbortController()]
  // Every call in flight adds a listener.
  setMaxListeners(0, stop.signal, giveUp.signal)
  let timer: NodeJS.Timeout | undefined
  const onStop = (): void => {
    if (stop.signal.aborted) return
    const reason: unknown = signal?.reason
    stop.abort(typeof reason === 'string' && reason.startsWith('SIG') ? reason : 'caller')
    const isShort = reason === 'SIGTERM' || reason === 'SIGHUP'
    timer = setTimeout(() => giveUp.abort(), isShort ? GRACE_MS.short : GRACE_MS.patient).unref()
  }
  const onAbandon = (): void => giveUp.abort()
  signal?.addEventListener('abort', onStop)
  abandon?.addEventListener('abort', onAbandon)
  if (signal?.aborted === true) onStop()
  return {
    stop: stop.signal,
    abandon: giveUp.signal,
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onStop)
      abandon?.removeEventListener('abort', onAbandon)
    },
  }
}
