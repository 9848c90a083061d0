// The first session of a new run or load test: its manifest, its folder, its lock.
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '../domain/clock.ts'
import { maskText, maskValue } from '../domain/secret.ts'
import { FORMAT_VERSION, type Manifest, type RunManifest } from '../options/manifest.ts'
import { openThreads } from '../runner/thread-state.ts'
import { openNewFolder, relativePath } from '../store/folder.ts'
import { recordOptions, withBudget } from '../store/manifest.ts'
import type { Job } from './job.ts'
import { initialRecords, type OpenedSet } from './question-sets.ts'
import { inFolder, type SessionPlan } from './session.ts'
import { VERSION } from './shipped.ts'
import type { Target } from './targets.ts'

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

export async function planSession<M extends Manifest>(
  path: string,
  target: Target,
  manifest: M,
  opened: OpenedSet,
  clock: Clock,
  { note, onClose }: Job,
): Promise<SessionPlan<M>> {
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
