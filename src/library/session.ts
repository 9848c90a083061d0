// A session: one process's work on one run. It sends by a schedule, records all of it, and ends once.
import { randomBytes } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { stateAfter } from '../analysis/judging/verdict.ts'
import type { AssistRequest } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import { createTurnJoiner, type JournalEvent, type JournalRecord } from '../domain/journal.ts'
import { type Mask, maskText, maskValue } from '../domain/secret.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { AssistClient } from '../endpoint/client.ts'
import { nextJournal } from '../journal/read.ts'
import { type Journal, openJournal } from '../journal/write.ts'
import { messageOf, UsageError } from '../options/faults.ts'
import { FORMAT_VERSION, type Manifest, type RunManifest } from '../options/manifest.ts'
import { createWatch, type EventSink, type Progress } from '../runner/events.ts'
import { stopOfError } from '../runner/stops.ts'
import { type AttemptPorts, type Caller, openThreads, type ThreadState, turnsLeft } from '../runner/thread.ts'
import { openNewFolder, relativePath, type RunFolder } from '../store/folder.ts'
import type { Lock } from '../store/lock.ts'
import { recordOptions, withBudget, writeManifest } from '../store/manifest.ts'
import { type Job, onAbort } from './job.ts'
import { VERSION } from './ports.ts'
import { initialRecords, type OpenedSet } from './question-sets.ts'
import type { Ended } from './reports.ts'
import type { Target } from './targets.ts'

export type Recording = ReturnType<typeof inFolder>

export const inFolder = (folder: RunFolder, lock: Lock, mask: Mask) => ({
  path: folder.path,
  lost: lock.lost,
  check: lock.check,
  openJournal: () => openJournal(nextJournal(folder.journal), mask, lock.check),
  writeManifest: (manifest: Manifest) => writeManifest(folder, manifest),
})

export interface SessionPlan<M extends Manifest = Manifest> {
  readonly target: Target
  readonly recording: Recording
  readonly manifest: M
  readonly threads: readonly ThreadState[]
  readonly clock: Clock
  /** Counts from 1; a resume opens the next. */
  readonly number: number
  readonly attemptsBefore: number
  readonly opening: readonly JournalRecord[]
}

/** Decides what a session sends when: at the pace of a limiter, by a timetable, or to find the limit. */
export interface Schedule {
  readonly pace: number | null
  readonly count: (event: JournalEvent) => void
  readonly progress: (now: number) => Progress
  /** Sends until nothing is left or `stop` aborts. Resolves when no call is in flight. */
  readonly send: (ports: AttemptPorts, stop: AbortSignal) => Promise<Stop>
}

const PROGRESS_MS = 200

export class Session<M extends Manifest = Manifest> {
  /** Loses threads and first records once it has ended: reports need the memory. */
  plan: SessionPlan<M>
  readonly events: EventSink
  /** Says how it ended, also if the journal could not record it. */
  stop: Stop | undefined
  #unrecorded: string | undefined
  readonly #job: Job
  readonly #ended = new AbortController()
  readonly #join = createTurnJoiner()
  #watchers: ((event: JournalEvent, thread?: ThreadState) => void)[] = []
  #journal: Journal | undefined
  #client: AssistClient | undefined
  #isBegun = false

  constructor(plan: SessionPlan<M>, job: Job) {
    this.plan = plan
    this.events = job.eventsOf(plan.target.name)
    this.#job = job
    onAbort(plan.recording.lost, (reason) => this.end({ kind: 'storage', message: messageOf(reason) }))
  }

  /**
   * Writes the manifest, for every session before the first journal, so that a resume finds all runs. Throws
   * UsageError if the disk rejects it: nothing was sent.
   */
  open(): void {
    const fault = this.#writeManifest()
    if (fault !== undefined)
      throw new UsageError(`${this.plan.recording.path} cannot be written (${fault}); nothing was sent`)
  }

  /** Resolves when every call has returned and the journal is complete. Never rejects: `stop` says why. */
  async send(schedule: Schedule): Promise<void> {
    const { recording, manifest, clock } = this.plan
    this.stop = await this.#carryOut(schedule).catch(stopOfError)
    // What they close over is 100 MB of 100,000 turns.
    this.#watchers = []
    this.#client = undefined
    // A run whose first records the disk rejects can be resumed without them, like one that was killed there.
    const endedAt = manifest.endedAt ?? new Date(clock.wall()).toISOString()
    const ended = this.#isBegun ? { state: stateAfter(this.stop), endedAt } : {}
    this.plan = { ...this.plan, manifest: { ...manifest, ...ended }, threads: [], opening: [] }
    if (!recording.lost.aborted) this.#unrecorded = this.#writeManifest()
  }

  /**
   * Lets `write` judge and write, then writes what `run.json` could not record. Throws StorageError for a
   * table that cannot be read any more: calls were sent, so it is no UsageError.
   */
  async conclude<Result extends Ended>(write: () => Promise<Result>): Promise<Result> {
    const { recording } = this.plan
    const { clock } = this.#job.ports
    this.events.emit({ kind: 'reporting', at: clock.wall(), folder: recording.path })
    try {
      recording.check()
      let result = await write()
      const fault = this.#unrecorded && this.#writeManifest()
      if (fault !== undefined && result.unwritten === null) {
        const { withoutFiles } = await import('./reports.ts')
        result = { ...result, ...withoutFiles(result.exitCode, `run.json: ${fault}`) }
      }
      const { verdict, exitCode, reason, folder } = result
      this.events.emit({ kind: 'ended', at: clock.wall(), folder, verdict, exitCode, reason })
      return { ...result, notes: [...new Set([...this.#job.notes, ...this.events.notes])] }
    } catch (error) {
      throw error instanceof UsageError ? new StorageError(error, recording.path) : error
    }
  }

  /** Returns why it cannot be written: a report reads the end in the journal, too. */
  #writeManifest(): string | undefined {
    const { recording, manifest } = this.plan
    try {
      recording.writeManifest(manifest)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Appends to the journal, and tells who counts. Throws if the journal cannot be written. */
  readonly record = (record: JournalRecord, thread?: ThreadState): void => {
    this.#journal?.append(record)
    const event = this.#join(record)
    for (const watch of this.#watchers) watch(event, thread)
  }

  flush(): void {
    this.#journal?.flush()
  }

  /** Ends this session alone: a lost lock or limiter, or a fault of ours outside of a call. */
  end(stop: Stop): void {
    this.#ended.abort(stop)
  }

  /** Runs what a timer calls: an error there would end the process, and with it the other sessions. */
  guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.end(stopOfError(error))
    }
  }

  async #carryOut(schedule: Schedule): Promise<Stop> {
    const { target, recording, clock, number, attemptsBefore, opening, manifest } = this.plan
    const { ports, signals, callEvents, metrics } = this.#job
    const showProgress = (): void => {
      const at = clock.wall()
      this.events.emit({ kind: 'progress', at, progress: schedule.progress(at) })
    }
    const { name, organization } = manifest.target
    const meter = metrics?.meter({ target: name, organization }, manifest.options.maxCalls, attemptsBefore)
    if (manifest.kind === 'run')
      meter?.watch(() => {
        const now = schedule.progress(clock.wall())
        return now.of === 'run' ? now.total - now.done : 0
      })
    this.#watchers = [schedule.count, ...(meter ? [meter.add] : []), createWatch(callEvents, this.events)]
    this.#announce()
    const journal = (this.#journal = recording.openJournal())
    const timer = setInterval(() => this.guard(showProgress), PROGRESS_MS).unref()
    try {
      this.#client = await ports.connect({
        ...target.access,
        timeoutMs: manifest.options.timeout,
        userAgent: `assist-harness/${VERSION}`,
        abandon: signals.abandon,
        now: () => clock.now(),
      })
      this.record({ kind: 'session', at: clock.wall(), session: number, harnessVersion: VERSION })
      for (const record of opening) this.record(record)
      this.record({ kind: 'pace', at: clock.wall(), pace: schedule.pace, cause: 'start' })
      journal.flush()
      this.#isBegun = true
      const stop = AbortSignal.any([signals.stop, this.#ended.signal])
      const attemptPorts = { send: this.#request, record: this.record, clock }
      const stopped = await schedule.send(attemptPorts, stop).catch(stopOfError)
      const isOwn = stopped.kind === 'interrupted' && this.#ended.signal.aborted && !signals.stop.aborted
      const reason = isOwn ? (this.#ended.signal.reason as Stop) : stopped
      this.record({ kind: 'end', at: clock.wall(), stop: reason })
      journal.flush()
      showProgress()
      return reason
    } finally {
      clearInterval(timer)
      await this.#client?.close()
      await journal.close()
    }
  }

  /** Sends once the intent is in the journal; intents of one event-loop turn share a write. */
  readonly #request = (request: AssistRequest, { ended, failed }: Caller): void => {
    const intent = this.#journal?.appended()
    this.#client?.send(request, { beforeSend: () => this.#journal?.flush(intent), ended, failed })
  }

  #announce(): void {
    const { target, recording, manifest, threads, clock, number } = this.plan
    const { runId, shard } = manifest
    this.events.emit({
      kind: 'started',
      at: clock.wall(),
      folder: resolve(recording.path),
      runId,
      isResumed: number > 1,
      turns: threads.reduce((sum, thread) => sum + turnsLeft(thread), 0),
      threads: threads.filter((thread) => turnsLeft(thread) > 0).length,
      target: target.name,
      baseUrl: target.address.baseUrl,
      isSandbox: target.sandbox,
      keyFingerprint: target.access.key.fingerprint,
      shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
    })
  }
}

export function createManifest(
  target: Target,
  folder: string,
  { set, turns, shard }: OpenedSet,
  at: number,
): RunManifest {
  const { settings, access, knowledgeBase } = target
  const manifest: RunManifest = {
    kind: 'run',
    formatVersion: FORMAT_VERSION,
    harnessVersion: VERSION,
    runId: randomBytes(6).toString('hex'),
    target: {
      name: target.name,
      baseUrl: target.address.baseUrl,
      organization: target.organization,
      apiKeyEnv: target.apiKeyEnv,
      keyFingerprint: access.key.fingerprint,
      sandbox: target.sandbox,
      ...(knowledgeBase === undefined ? {} : { knowledgeBase: relativePath(folder, knowledgeBase) }),
    },
    datasets: set.files.map(({ path, digest }, file) => ({
      path: basename(path),
      source: relativePath(folder, path),
      digest,
      turns: turns.filter(({ question }) => question.file === file).length,
    })),
    columns: [...set.columns],
    options: recordOptions(settings, folder, target.name),
    ...(shard === undefined ? {} : { shard }),
    startedAt: new Date(at).toISOString(),
    endedAt: null,
    state: 'running',
    // They may quote a cell.
    warnings: set.warnings.map((warning) => maskText(warning, access.mask)),
  }
  return maskValue(withBudget(manifest, settings.maxCalls ?? null), access.mask) as RunManifest
}

export async function planSession(
  path: string,
  target: Target,
  opened: OpenedSet,
  clock: Clock,
  { note, onClose }: Job,
): Promise<SessionPlan<RunManifest>> {
  const manifest = createManifest(target, path, opened, clock.wall())
  const { folder, lock } = await openNewFolder(path, note)
  onClose(lock.release)
  const { repeat } = manifest.options
  return {
    target,
    manifest,
    clock,
    recording: inFolder(folder, lock, target.access.mask),
    threads: openThreads(opened.turns, repeat),
    number: 1,
    attemptsBefore: 0,
    opening: initialRecords(opened, repeat, clock.wall()),
  }
}
