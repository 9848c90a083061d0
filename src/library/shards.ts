// The shards of one run or one load test: opens them, checks that they belong together, and joins their
// manifests.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createAccount } from '../analysis/account.ts'
import { stateAfter, worstStop } from '../analysis/verdict.ts'
import type { LoadModel } from '../domain/load.ts'
import { describeShard, type Shard } from '../domain/shard.ts'
import type { Stop } from '../domain/stop.ts'
import { UsageError } from '../options/faults.ts'
import { differencesBetween, type LoadManifest, type RunManifest, sentOptions } from '../options/manifest.ts'
import { relativePath, type RunFolder, runFolder } from '../store/folder.ts'
import {
  foldJournals,
  openManifest,
  openRun,
  type ReadPorts,
  type RecordedRun,
  rejectLostJournal,
} from './recorded-run.ts'

/** One shard in its folder. */
export interface OpenedShard<M extends RunManifest | LoadManifest = RunManifest | LoadManifest> {
  readonly folder: RunFolder
  readonly manifest: M
  readonly shard: Shard
  /** How its last session ended; undefined if the process died. */
  readonly stop: Stop | undefined
}
export interface RunShard extends OpenedShard<RunManifest>, Pick<RecordedRun, 'model' | 'notes'> {}
export type LoadShard = OpenedShard<LoadManifest>

/** All shards of one test, in their order. */
export type All<One> = readonly [One, ...One[]]
type Opened =
  | { readonly kind: 'run'; readonly shards: All<RunShard> }
  | { readonly kind: 'load'; readonly shards: All<LoadShard> }

/**
 * Throws UsageError for a folder that is not a shard, for shards of runs and of load tests together, and for
 * a shard that is missing, given twice, or of another run.
 */
export async function openShards(paths: readonly string[], reading: ReadPorts): Promise<Opened> {
  const [runs, loads]: [RunShard[], LoadShard[]] = [[], []]
  for (const path of paths) {
    const manifest = await openManifest(path, reading)
    if (manifest.kind === 'search')
      throw new UsageError(`${path} holds a search for the organization's limit: it has no shards`)
    if (manifest.kind === 'run') runs.push(await openRunShard(path, reading))
    else loads.push(await openLoadShard(path, manifest))
  }
  const [run, load] = [runs[0], loads[0]]
  if (run !== undefined && load !== undefined)
    throw new UsageError(
      `${run.folder.path} is a shard of a run, and ${load.folder.path} one of a load test: ` +
        'merge joins the shards of one of them',
    )
  return load === undefined
    ? { kind: 'run', shards: togetherOf(runs) }
    : { kind: 'load', shards: togetherOf(loads) }
}

async function openRunShard(path: string, reading: ReadPorts): Promise<RunShard> {
  const run = await openRun(path, 'it has no answers to grade', reading)
  const { manifest, model } = run
  const shard = requireShard(path, manifest)
  if (manifest.state === 'running')
    throw new UsageError(`${path} is not finished: finish it with run --resume ${path}`)
  return { ...run, shard, stop: model.stop }
}

/** One whose process died counts as stopped early: a load test cannot be resumed. */
async function openLoadShard(path: string, manifest: LoadManifest): Promise<LoadShard> {
  const shard = requireShard(path, manifest)
  const folder = runFolder(path)
  const account = createAccount()
  await foldJournals(folder, account)
  rejectLostJournal(folder, account.totals().sessions > 0)
  return { folder, manifest, shard, stop: account.totals().stop }
}

function requireShard(path: string, { kind, shard }: RunManifest | LoadManifest): Shard {
  if (shard !== undefined) return shard
  const what = kind === 'run' ? 'run' : 'load test'
  throw new UsageError(`${path} is a whole ${what}, sent without --shard: it needs no merge`)
}

/** In their order. */
function togetherOf<One extends OpenedShard>(shards: readonly One[]): All<One> {
  const of = shards[0]?.shard.of ?? 0
  const ordered = Array.from({ length: of }, (_, before) => {
    const index = before + 1
    const [one, other] = shards.filter(({ shard }) => shard.index === index)
    if (one === undefined)
      throw new UsageError(
        `${describeShard({ index, of })} is missing: add its run folder; ` +
          `it is sent with --shard ${index}/${of}`,
      )
    if (other !== undefined)
      throw new UsageError(
        `${one.folder.path} and ${other.folder.path} are both ${describeShard(one.shard)}: name one of them`,
      )
    return one
  })
  const [first, ...others] = ordered
  if (first === undefined) throw new UsageError('merge needs the run folders of all shards of one run')
  for (const other of others) rejectOther(first, other)
  return [first, ...others]
}

/** What is sent must be the same in all shards. */
function describeSent({ manifest, shard: { of, whole } }: OpenedShard): Readonly<Record<string, unknown>> {
  const { target, columns, datasets } = manifest
  return {
    ...sentOptions(manifest),
    ...(manifest.kind === 'load' ? describePlan(manifest) : {}),
    'the number of shards': of,
    // The parsed questions: line ends and encodings of the files may differ.
    'the question sets': whole?.content ?? datasets.map(({ path, digest }) => `${path} ${digest}`),
    'the columns of the sets': columns,
    'the target': target.name,
    // Each shard that starts a sandbox has one of its own.
    '--base-url': target.sandbox ? 'the sandbox' : target.baseUrl,
  }
}

const describePlan = ({ load }: LoadManifest): Readonly<Record<string, unknown>> => ({
  'the load': describeModel(load.model),
  '--think-time': load.thinkTime,
  '--max-in-flight': load.maxInFlight,
})

/** Exact, unlike what reports round. */
const describeModel = (model: LoadModel): string =>
  model.kind === 'closed'
    ? `${model.users} users for ${model.durationMs} ms`
    : model.stages.map(({ durationMs, from, to }) => `${from}/s to ${to}/s in ${durationMs} ms`).join(', ')

/** Throws UsageError with every difference between a shard and the first. */
function rejectOther(first: OpenedShard, other: OpenedShard): void {
  const differences = differencesBetween(describeSent(first), describeSent(other))
  if (differences.length > 0)
    throw new UsageError(
      [
        `${first.folder.path} and ${other.folder.path} are not shards of one ` +
          `${first.manifest.kind === 'run' ? 'run' : 'load test'}; they differ in`,
        ...differences.map((each) => `  ${each.name}: ${each.one}, and ${each.other}`),
      ].join('\n'),
    )
}

/** What the shards have in common, and the times and calls of all of them. */
export function mergeManifests(shards: All<RunShard>, out: string): RunManifest {
  const parts = shards.map(({ manifest: { runId } }) => ({ runId }))
  return { ...shards[0].manifest, ...mergedFields(shards, out), merged: { parts } }
}

/** As `mergeManifests`. The plan of each shard is that of the whole. */
export function mergeLoadManifests(shards: All<LoadShard>, out: string): LoadManifest {
  const parts = shards.map(({ manifest: { runId, startedAt } }) => ({ runId, startedAt }))
  return { ...shards[0].manifest, ...mergedFields(shards, out), merged: { parts } }
}

function mergedFields(shards: All<OpenedShard>, out: string) {
  const [first] = shards
  const { shard, ...common } = first.manifest
  const manifests = shards.map(({ manifest }) => manifest)
  const wayTo = (path: string): string => relativePath(out, join(first.folder.path, path))
  const wayToAny = (path: string | null): string | null => (path === null ? null : wayTo(path))
  const { knowledgeBase } = common.target
  const { articles, baseline, clientCert, clientKey } = common.options
  const shares = manifests.flatMap(({ options }) => options.maxCalls ?? [])
  const ends = manifests.flatMap(({ endedAt }) => endedAt ?? [])
  return {
    shard: undefined,
    runId: createHash('sha256')
      .update(JSON.stringify(manifests.map(({ runId }) => runId)))
      .digest('hex')
      .slice(0, 12),
    target: {
      ...common.target,
      ...(knowledgeBase === undefined ? {} : { knowledgeBase: wayTo(knowledgeBase) }),
    },
    datasets: common.datasets.map((dataset, file) => ({
      ...dataset,
      ...(dataset.source === undefined ? {} : { source: wayTo(dataset.source) }),
      turns:
        shard?.whole?.turns[file] ??
        manifests.reduce((sum, { datasets }) => sum + (datasets[file]?.turns ?? 0), 0),
    })),
    options: {
      ...common.options,
      // No limit, unless every shard has one.
      maxCalls: shares.length < shards.length ? null : shares.reduce((sum, share) => sum + share, 0),
      articles: wayToAny(articles),
      baseline: wayToAny(baseline),
      clientCert: wayToAny(clientCert),
      clientKey: wayToAny(clientKey),
    },
    startedAt: manifests.map(({ startedAt }) => startedAt).toSorted()[0] ?? common.startedAt,
    endedAt: ends.length < shards.length ? null : (ends.toSorted().at(-1) ?? null),
    state: stateAfter(worstStop(shards.map(({ stop }) => stop))),
    warnings: [...new Set(manifests.flatMap(({ warnings }) => warnings))],
  }
}
