// What a run is going to do: questions and targets become sittings, each with its folder, manifest and limiter.
import { randomBytes } from 'node:crypto'
import { basename, join, relative, sep } from 'node:path'
import type { QuestionSet } from '../dataset/read.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Limiter } from '../pace/limiter.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'
import { maskText, maskValue } from '../domain/secret.ts'
import { realClock } from './clock.ts'
import { recordBaseline } from './comparing/baseline.ts'
import { gateOptions } from './gates.ts'
import { hashKeyFingerprint } from './end-user-refs.ts'
import type { Environment } from './environment.ts'
import type { PlannedQuestions } from './planned-questions.ts'
import { quotaFrom } from './quota.ts'
import { defaultFolder, makeFolder, refuseTaken } from './run-folder.ts'
import { asShard, type WholeSet } from './shard.ts'
import { setRecord } from './set-record.ts'
import type { Sitting } from './sitting.ts'
import type { Target } from './targets.ts'
import { VERSION } from './version.ts'

export interface SittingsPlan {
  readonly targets: readonly Target[]
  readonly datasets: readonly string[]
  readonly set: Omit<QuestionSet, 'threads'>
  readonly questions: PlannedQuestions
  readonly limiters: ReadonlyMap<string, Limiter>
  readonly environment: Environment
  readonly out: string | undefined
  /** Of `--shard`: what the whole is of which these questions are a part. */
  readonly shard?: WholeSet | undefined
  /** Takes the lock of a folder that has just been made. */
  readonly lock: (path: string) => void
}

/** A sitting for each target; the folders are made, and a taken one, or a written key, refused before any is. */
export function planSittings(plan: SittingsPlan): Sitting[] {
  const { targets, datasets, set, questions, limiters, environment, out, lock, shard } = plan
  const startedAt = new Date(realClock.wall())
  const root = out ?? defaultFolder(datasets, startedAt)
  refuseTaken(root)
  const planned = targets.map((target) => {
    const path = targets.length > 1 ? join(root, target.name) : root
    const whole = createManifest(target, path, set, questions.turns, startedAt, environment)
    const masked = targets.reduce((manifest, { key }) => maskValue(manifest, key) as Manifest, whole)
    return { target, path, manifest: asShard(masked, shard) }
  })
  return planned.map(({ target, path, manifest }) => {
    const limiter = limiters.get(target.organization)
    if (limiter === undefined) throw new Error(`organization ${target.organization} has no limiter`)
    const folder = makeFolder(path)
    lock(folder.path)
    // Another process may have begun, and even ended, a run here just before.
    refuseTaken(folder.path)
    return {
      target,
      folder,
      manifest,
      turns: questions.turns,
      threads: questions.openThreads(manifest.options.repeat),
      repeats: manifest.options.repeat,
      limiter,
      isResumed: false,
      attemptsBefore: 0,
      number: 1,
      opening: recordSet(questions.turns, manifest),
    }
  })
}

/** The questions, and that they are all. */
function* recordSet(turns: Iterable<PlannedTurn>, { datasets, options }: Manifest): Generator<JournalRecord> {
  for (const { index, question } of turns) yield { kind: 'question', index, question }
  const digests = datasets.map(({ digest }) => digest)
  yield setRecord(turns, digests, options.repeat)
}

/** The way from a run folder to a file, the same on every system. */
const sourceOf = (folder: string, path: string): string => relative(folder, path).split(sep).join('/')

/** The files of a set as the manifest has them. */
export function datasetsOf(
  { files }: Pick<QuestionSet, 'files'>,
  turns: Iterable<PlannedTurn>,
  folder: string,
): Manifest['datasets'] {
  const counts = new Map<number, number>()
  for (const { question } of turns) counts.set(question.file, (counts.get(question.file) ?? 0) + 1)
  return files.map(({ path, digest, delimiter }, file) => ({
    path: basename(path),
    source: sourceOf(folder, path),
    digest,
    delimiter,
    turns: counts.get(file) ?? 0,
  }))
}

function createManifest(
  target: Target,
  folder: string,
  set: Omit<QuestionSet, 'threads'>,
  turns: Iterable<PlannedTurn>,
  startedAt: Date,
  environment: Environment,
): Manifest {
  const { settings, address, key, organization, apiKeyEnv, name, sandbox, knowledgeBase } = target
  return {
    formatVersion: 1,
    harnessVersion: VERSION,
    runId: randomBytes(6).toString('hex'),
    target: {
      name,
      baseUrl: address.baseUrl,
      organization,
      apiKeyEnv,
      keyFingerprint: key.fingerprint,
      sandbox,
      ...(knowledgeBase === undefined ? {} : { knowledgeBase: sourceOf(folder, knowledgeBase) }),
    },
    datasets: datasetsOf(set, turns, folder),
    columns: [...set.columns],
    options: {
      rate: settings.rate ?? 'auto',
      share: settings.share ?? 1,
      concurrency: settings.concurrency ?? 'auto',
      limiter: settings.limiter ?? 'local',
      maxCalls: settings.maxCalls ?? null,
      giveUpAfterMs: settings.giveUpAfter ?? 30 * 60_000,
      timeoutMs: settings.timeout ?? 120_000,
      onAmbiguous: settings.onAmbiguous ?? 'restart',
      format: settings.format ?? null,
      repeat: settings.repeat ?? 1,
      gates: gateOptions(settings),
      quota: quotaFrom(settings),
      comparison: recordBaseline(null, settings, folder, name),
      rotatingIds: settings.rotatingIds ?? false,
      hashEndUserRefs: settings.hashEndUserRefs ?? false,
      ...(settings.hashEndUserRefs === true ? { hashKey: hashKeyFingerprint(environment) } : {}),
      groundedSources: settings.groundedSources ?? ['KNOWLEDGE_BASE'],
      selection: {
        tags: settings.tag ?? [],
        grep: settings.grep ?? null,
        sample: settings.sample ?? null,
        seed: settings.seed ?? 1,
      },
    },
    load: null,
    startedAt: startedAt.toISOString(),
    endedAt: null,
    state: 'running',
    // They may repeat what stands in a row.
    warnings: set.warnings.map((warning) => maskText(warning, key)),
  }
}
