// Joins the journals of the shards of one run, and judges the whole.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { stateAfter, worstStop } from '../analysis/judging/verdict.ts'
import { describeShard, type Shard } from '../domain/shard.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { joinJournals } from '../journal/join.ts'
import { UsageError } from '../options/faults.ts'
import { differencesBetween, type RunManifest, sentOptions } from '../options/manifest.ts'
import { checkPaths, readOptions } from '../options/settings.ts'
import { defaultFolder, openNewFolder, rejectTaken, relativePath } from '../store/folder.ts'
import { writeManifest, mapPaths, withOptions } from '../store/manifest.ts'
import { writeNewRun, type RunResult } from './write-run.ts'
import { readJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { openRun, type RecordedRun, type ReadingOptions, startReading } from './recorded-run.ts'
import { reviewsOf } from './reviews.ts'

export interface MergeOptions extends ReadingOptions<'merge'> {
  readonly runs: readonly string[]
}

export async function merge(options: MergeOptions, ports: Ports = realPorts()): Promise<RunResult> {
  const { runs: paths, onEvent, ...written } = options
  checkPaths('runs', paths)
  const settings = readOptions('merge', written)
  const reading = startReading(ports, onEvent)
  const { note, notes } = reading
  const opened: Part[] = []
  for (const path of paths)
    opened.push(asPart(await openRun(path, 'merge joins the shards of a run', reading)))
  const shards = inOrder(opened)
  const [first] = shards
  const { whole } = first.shard
  const sets = first.manifest.datasets.map(({ path }) => path)
  const out = settings.out ?? defaultFolder(sets, new Date(ports.clock.wall()))
  rejectTaken(out)
  const questions = shards.flatMap(({ model }) => model.questions.flatMap((question) => question ?? []))
  if (questions.length !== whole.questions)
    throw new UsageError(
      `the journals of the shards hold ${questions.length} of the ${whole.questions} questions: ` +
        'resume each shard, or start again',
    )
  const manifest = withOptions(mergeManifests(shards, out), settings, out, ['judge'])
  const judged = { targets: [manifest.target.name], questions, recorded: first }
  const named = await readJudging(settings, judged, reading)
  const imported = [...(await reviewsOf(shards.map(({ path }) => path))), ...named]
  const { folder, lock } = await openNewFolder(out, note)
  try {
    const stop = worstStop(shards.map(({ model }) => model.stop))
    const at = Math.max(...shards.map(({ model }) => model.lastAt ?? 0))
    const end = stop && ({ kind: 'end', at, stop } as const)
    const journals = shards.map((shard) => shard.folder.journal)
    await joinJournals(journals, folder.journal, openingOf(shards), end)
    writeManifest(folder, manifest)
    return { ...(await writeNewRun(folder, manifest, { settings, imported, reading })), notes }
  } finally {
    lock.release()
  }
}

/** Needs no new numbers: all shards number questions as in the whole set. */
function openingOf(shards: Parts): JournalRecord[] {
  const sets = shards.flatMap(({ model }) => model.set ?? [])
  const ranges = sets.flatMap((set) => set.ranges).toSorted(([from], [other]) => from - other)
  return [
    ...shards.flatMap(({ model }) =>
      model.questions.flatMap((question, index) =>
        question === undefined ? [] : [{ kind: 'question' as const, index, question }],
      ),
    ),
    ...sets.slice(0, 1).map((set) => ({ ...set, ranges })),
  ]
}

interface Part extends RecordedRun {
  readonly shard: Shard
}
type Parts = readonly [Part, ...Part[]]

function asPart(run: RecordedRun): Part {
  const { shard, state } = run.manifest
  if (shard === undefined) throw new UsageError(`${run.path} is a whole run, not a shard: leave it out`)
  if (state === 'running')
    throw new UsageError(`${run.path} is not finished: finish it with run --resume ${run.path}`)
  return { ...run, shard }
}

function inOrder(shards: readonly Part[]): Parts {
  const of = shards[0]?.shard.of ?? 0
  const [first, ...others] = Array.from({ length: of }, (_, before) => {
    const index = before + 1
    const [found, twice] = shards.filter(({ shard }) => shard.index === index)
    if (found === undefined)
      throw new UsageError(
        `${describeShard({ index, of })} is missing: add its run folder; ` +
          `it is sent with --shard ${index}/${of}`,
      )
    if (twice !== undefined)
      throw new UsageError(
        `${found.path} and ${twice.path} are both ${describeShard(found.shard)}: name one of them`,
      )
    return found
  })
  if (first === undefined) throw new UsageError('merge needs the run folders of all shards of one run')
  for (const other of others) {
    const differences = differencesBetween(describeSent(first), describeSent(other))
    if (differences.length === 0) continue
    const lines = differences.map(({ name, before, now }) => `  ${name}: ${before}, and ${now}`)
    const what = `${first.path} and ${other.path} are not shards of one run; they differ in`
    throw new UsageError([what, ...lines].join('\n'))
  }
  return [first, ...others]
}

function describeSent({ manifest, shard: { of, whole } }: Part): Readonly<Record<string, unknown>> {
  const { target, columns } = manifest
  return {
    ...sentOptions(manifest),
    'the number of shards': of,
    // The parsed questions: line ends and encodings of the files may differ.
    'the question sets': whole.content,
    'the columns of the sets': columns,
    'the target': target.name,
    // Each shard that starts a sandbox has one of its own.
    '--base-url': target.sandbox ? 'the sandbox' : target.baseUrl,
  }
}

function mergeManifests(shards: Parts, out: string): RunManifest {
  const [first] = shards
  const { shard: _shard, ...common } = first.manifest
  const manifests = shards.map(({ manifest }) => manifest)
  const moved = (path: string): string => relativePath(out, join(first.path, path))
  const { knowledgeBase } = common.target
  const shares = manifests.flatMap(({ options }) => options.maxCalls ?? [])
  const ends = manifests.flatMap(({ endedAt }) => endedAt ?? [])
  const ids = manifests.map(({ runId }) => runId)
  return {
    ...common,
    runId: createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 12),
    merged: { parts: ids.map((runId) => ({ runId })) },
    target: { ...common.target, ...(knowledgeBase && { knowledgeBase: moved(knowledgeBase) }) },
    datasets: common.datasets.map((dataset, file) => ({
      ...dataset,
      source: moved(dataset.source),
      turns: first.shard.whole.turns[file] ?? 0,
    })),
    options: {
      ...mapPaths(common.options, moved),
      // No limit, unless every shard has one.
      maxCalls: shares.length < shards.length ? null : shares.reduce((sum, share) => sum + share, 0),
    },
    startedAt: manifests.map(({ startedAt }) => startedAt).toSorted()[0] ?? common.startedAt,
    endedAt: ends.length < shards.length ? null : (ends.toSorted().at(-1) ?? null),
    state: stateAfter(worstStop(shards.map(({ model }) => model.stop))),
    warnings: [...new Set(manifests.flatMap(({ warnings }) => warnings))],
  }
}
