// The shards of one run: opens them, checks that they belong together, and joins their manifests.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { stateAfter, worstStop } from '../analysis/verdict.ts'
import { describeShard, type Shard } from '../domain/shard.ts'
import { UsageError } from '../options/faults.ts'
import { differencesBetween, type RunManifest, sentOptions } from '../options/manifest.ts'
import { relativePath } from '../store/folder.ts'
import { openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'

export type ShardRun = RecordedRun & { readonly shard: Shard }

/**
 * In the order of the shards. Throws UsageError for a folder that is not a shard, and for a shard that is
 * missing or given twice.
 */
export async function openShards(paths: readonly string[], reading: ReadPorts): Promise<ShardRun[]> {
  const shards: ShardRun[] = []
  for (const path of paths) {
    const run = await openRun(path, 'load tests are not merged; each has its own report', reading)
    const { shard, state } = run.manifest
    if (shard === undefined)
      throw new UsageError(`${path} is a whole run, sent without --shard: it needs no merge`)
    if (state === 'running')
      throw new UsageError(`${path} is not finished: finish it with run --resume ${path}`)
    shards.push({ ...run, shard })
  }
  const of = shards[0]?.shard.of ?? 0
  return Array.from({ length: of }, (_, before) => {
    const index = before + 1
    const found = shards.filter(({ shard }) => shard.index === index)
    const [one, other] = found
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
}

/** What is sent must be the same in all shards. */
function describeSent({ manifest, shard: { of, whole } }: ShardRun): Readonly<Record<string, unknown>> {
  const { target, columns, datasets } = manifest
  return {
    ...sentOptions(manifest),
    'the number of shards': of,
    // The parsed questions: line ends and encodings of the files may differ.
    'the question sets': whole?.content ?? datasets.map(({ path, digest }) => `${path} ${digest}`),
    'the columns of the sets': columns,
    'the target': target.name,
    // Each shard that starts a sandbox has one of its own.
    '--base-url': target.sandbox ? 'the sandbox' : target.baseUrl,
  }
}

/** Throws UsageError with every difference between a shard and the first. */
export function rejectOtherRun(first: ShardRun, other: ShardRun): void {
  const differences = differencesBetween(describeSent(first), describeSent(other))
  if (differences.length > 0)
    throw new UsageError(
      [
        `${first.folder.path} and ${other.folder.path} are not shards of one run; they differ in`,
        ...differences.map((each) => `  ${each.name}: ${each.one}, and ${each.other}`),
      ].join('\n'),
    )
}

/** What the shards have in common, and the times and calls of all of them. */
export function mergeManifests(first: ShardRun, runs: readonly ShardRun[], out: string): RunManifest {
  const { shard, ...common } = first.manifest
  const manifests = runs.map(({ manifest }) => manifest)
  const wayTo = (path: string): string => relativePath(out, join(first.folder.path, path))
  const { knowledgeBase } = common.target
  const { articles, baseline } = common.options
  const shares = manifests.flatMap(({ options }) => options.maxCalls ?? [])
  const ends = manifests.flatMap(({ endedAt }) => endedAt ?? [])
  return {
    ...common,
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
      maxCalls: shares.length < runs.length ? null : shares.reduce((sum, share) => sum + share, 0),
      articles: articles === null ? null : wayTo(articles),
      baseline: baseline === null ? null : wayTo(baseline),
    },
    merged: { parts: manifests.map(({ runId }) => ({ runId })) },
    startedAt: manifests.map(({ startedAt }) => startedAt).toSorted()[0] ?? common.startedAt,
    endedAt: ends.length < runs.length ? null : (ends.toSorted().at(-1) ?? null),
    state: stateAfter(worstStop(runs.map(({ model }) => model.stop))),
    warnings: [...new Set(manifests.flatMap(({ warnings }) => warnings))],
  }
}
