// `merge`: joins the shards of one run: checks their manifests, copies their journals, and judges the whole.
import { createHash } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Review } from '../domain/review.ts'
import { differencesBetween, type RunManifest, sentOptions } from '../options/manifest.ts'
import { describeShard, type Shard } from '../domain/shard.ts'
import { guard } from '../domain/storage-error.ts'
import { stateAfter, worstStop } from '../analysis/verdict.ts'
import { journalsOf, nthJournal } from '../journal/read.ts'
import { checkPaths, readOptions } from '../options/settings.ts'
import type { CommandOptions } from '../options/documented.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { readJudging, recordedJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { withOptions } from '../store/recorded-options.ts'
import { foldJournalsOf, openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { readFolderReviews } from './reviews.ts'
import { concludeRun, type RunResult } from './conclude.ts'
import { writeManifest } from '../store/manifest.ts'
import { defaultFolder, openNewFolder, rejectTaken, relativePath } from '../store/folder.ts'
import { UsageError } from '../options/faults.ts'

export interface MergeOptions extends CommandOptions<'merge'> {
  /** Run folders of all shards, in any order. */
  readonly runs: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

type ShardRun = RecordedRun & { readonly shard: Shard }

/** Rejects with UsageError, and writes nothing, if the folders are not the shards of one run. */
export async function merge(
  { runs: paths, onEvent, ...written }: MergeOptions,
  ports: Ports = realPorts(),
): Promise<RunResult> {
  checkPaths('runs', paths)
  const settings = readOptions('merge', written)
  const { note, notes } = createEventSink(onEvent)
  const reading = { note, ports }
  const [first, ...others] = await openShards(paths, reading)
  if (first === undefined) throw new UsageError('merge needs the run folders of all shards of one run')
  for (const other of others) rejectOtherRun(first, other)
  const sets = first.manifest.datasets.map(({ path }) => path)
  const out = settings.out ?? defaultFolder(sets, new Date())
  rejectTaken(out)
  const runs = [first, ...others]
  const questions = runs.flatMap(({ model }) => model.questions.flatMap((question) => question ?? []))
  const whole = first.shard.whole?.questions ?? questions.length
  if (questions.length !== whole)
    throw new UsageError(
      `the journals of the shards hold ${questions.length} of the ${whole} questions: resume each shard, or start again`,
    )
  const manifest = withOptions(mergeManifests(first, runs, out), settings, out, ['judge'])
  const judged = { targets: [manifest.target.name], questions, recorded: recordedJudging(first) }
  const named = await readJudging(settings, judged, 'written', reading)
  const imported = [...(await reviewsOf(runs)), ...named]
  const { folder, lock } = await openNewFolder(out, note)
  try {
    const journals = runs.flatMap(({ folder: from }) => journalsOf(from.journal))
    for (const [place, journal] of journals.entries())
      guard(() => copyFileSync(journal, nthJournal(folder.journal, place + 1)))
    writeManifest(folder, manifest)
    const merged = await foldJournalsOf({ folder, manifest })
    return { ...(await concludeRun(merged, { settings, imported, ports })), notes }
  } finally {
    lock.release()
  }
}

/**
 * In the order of the shards. Throws UsageError for a folder that is not a shard, and for a shard that is
 * missing or given twice.
 */
async function openShards(paths: readonly string[], reading: ReadPorts): Promise<ShardRun[]> {
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
  return Array.from({ length: of }, (_, place) => {
    const found = shards.filter(({ shard }) => shard.index === place + 1)
    const [one, other] = found
    if (one === undefined)
      throw new UsageError(
        `${describeShard({ index: place + 1, of })} is missing: add its run folder; it is sent with --shard ${place + 1}/${of}`,
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
function rejectOtherRun(first: ShardRun, other: ShardRun): void {
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
function mergeManifests(first: ShardRun, runs: readonly ShardRun[], out: string): RunManifest {
  const { shard, ...common } = first.manifest
  const manifests = runs.map(({ manifest }) => manifest)
  const wayTo = (path: string): string => relativePath(out, join(first.folder.path, path))
  const { knowledgeBase } = common.target
  const { baseline } = common.options
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
      baseline: baseline === null ? null : wayTo(baseline),
    },
    merged: { parts: manifests.map(({ runId }) => ({ runId })) },
    startedAt: manifests.map(({ startedAt }) => startedAt).toSorted()[0] ?? common.startedAt,
    endedAt: ends.length < runs.length ? null : (ends.toSorted().at(-1) ?? null),
    state: stateAfter(worstStop(runs.map(({ model }) => model.stop))),
    warnings: [...new Set(manifests.flatMap(({ warnings }) => warnings))],
  }
}

/** Reviews from the folders of the shards. */
async function reviewsOf(runs: readonly ShardRun[]): Promise<readonly Review[]> {
  const logs: (readonly Review[])[] = []
  for (const { folder } of runs) logs.push((await readFolderReviews(folder.path))?.log ?? [])
  return logs.flat()
}
