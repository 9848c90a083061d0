// A session: one process's work on one run, from its manifest to the end of its journal. Opening it sends
// nothing.
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { Decider } from '../analysis/gates/so-far.ts'
import type { Clock } from '../domain/clock.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Review } from '../domain/review.ts'
import { maskText, maskValue } from '../domain/secret.ts'
import { messageOf, UsageError } from '../options/faults.ts'
import {
  FORMAT_VERSION,
  type LoadManifest,
  type Manifest,
  type RunManifest,
  type SearchManifest,
} from '../options/manifest.ts'
import type { Limiter } from '../pace/limiter.ts'
import { openThreads, type ThreadState } from '../runner/thread-state.ts'
import { openNewFolder, relativePath, type RunFolder } from '../store/folder.ts'
import type { Lock } from '../store/lock.ts'
import { writeManifest } from '../store/manifest.ts'
import { recordOptions, withBudget, withOptions } from '../store/recorded-options.ts'
import type { Job } from './job.ts'
import { initialRecords, type OpenedSet } from './question-sets.ts'
import { VERSION } from './shipped.ts'
import type { Target } from './targets.ts'

/** What a run and a load test have in common. */
export interface Session<M extends Manifest = Manifest> {
  readonly target: Target
  readonly folder: RunFolder
  readonly lock: Lock
  readonly manifest: M
  readonly threads: readonly ThreadState[]
  readonly clock: Clock
  readonly number: number
  /** Records that the journal must hold before the first attempt. */
  readonly opening: readonly JournalRecord[]
}

export interface RunSession extends Session<RunManifest> {
  readonly limiter: Limiter
  /** Attempts of earlier sessions. */
  readonly attemptsBefore: number
  readonly imported: readonly Review[]
  readonly decider: Decider | undefined
}

export type LoadSession = Session<LoadManifest | SearchManifest>

type NewManifest = Omit<RunManifest, 'merged'>

/**
 * Common to the manifests of all kinds. `folder`: the run folder; paths in the manifest are relative to it.
 */
export function createManifest(
  target: Target,
  folder: string,
  { set, turns, shard }: Pick<OpenedSet, 'set' | 'turns' | 'shard'>,
  at: number,
): NewManifest {
  const { settings, address, access, organization, apiKeyEnv, name, sandbox, knowledgeBase } = target
  const manifest: NewManifest = {
    kind: 'run',
    formatVersion: FORMAT_VERSION,
    harnessVersion: VERSION,
    runId: randomBytes(6).toString('hex'),
    target: {
      name,
      baseUrl: address.baseUrl,
      organization,
      apiKeyEnv,
      keyFingerprint: access.key.fingerprint,
      sandbox,
      ...(knowledgeBase === undefined ? {} : { knowledgeBase: relativePath(folder, knowledgeBase) }),
    },
    datasets: set.files.map(({ path, digest }, file) => ({
      path: basename(path),
      source: relativePath(folder, path),
      digest,
      turns: turns.filter(({ question }) => question.file === file).length,
    })),
    columns: [...set.columns],
    options: recordOptions(settings, folder, name),
    ...(shard === undefined ? {} : { shard }),
    startedAt: new Date(at).toISOString(),
    endedAt: null,
    state: 'running',
    // They may quote a cell.
    warnings: set.warnings.map((warning) => maskText(warning, access.mask)),
  }
  return maskValue(withBudget(manifest, settings.maxCalls ?? null), access.mask) as NewManifest
}

/** The manifest of a run that is resumed, with the options for pace and judging that are given now. */
export function resumedManifest(
  recorded: RunManifest,
  { settings, access, address, apiKeyEnv }: Target,
  folder: string,
): RunManifest {
  const manifest = withOptions(recorded, settings, folder, ['pace', 'judge'])
  const { target } = manifest
  return {
    ...manifest,
    state: 'running',
    endedAt: null,
    target: {
      ...target,
      baseUrl: address.baseUrl,
      organization: settings.organization ?? target.organization,
      apiKeyEnv,
      keyFingerprint: access.key.fingerprint,
    },
  }
}

/** The first session of a new run or load test. Makes its folder and takes the lock. */
export async function openSession<M extends Manifest>(
  path: string,
  target: Target,
  manifest: M,
  opened: OpenedSet,
  clock: Clock,
  { note, onClose }: Job,
): Promise<Session<M>> {
  const { folder, lock } = await openNewFolder(path, note)
  onClose(lock.release)
  const { repeat } = manifest.options
  return {
    target,
    folder,
    lock,
    manifest,
    clock,
    threads: openThreads(opened.turns, repeat),
    number: 1,
    opening: initialRecords(opened, repeat, clock.wall()),
  }
}

/**
 * Writes the manifests of all targets before the first journal, so that a resume finds every run. Throws
 * UsageError if the disk rejects one: nothing was sent.
 */
export function recordStart<S extends Session>(sessions: readonly S[]): readonly S[] {
  for (const { folder, manifest } of sessions) {
    const fault = tryToRecord(folder, manifest)
    if (fault !== undefined)
      throw new UsageError(`${folder.path} cannot be written (${fault}); nothing was sent`)
  }
  return sessions
}

/** Writes the manifest. Returns why the disk rejects it. */
export function tryToRecord(folder: RunFolder, manifest: Manifest): string | undefined {
  try {
    writeManifest(folder, manifest)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
