// `merge`: joins the shards of one run, or of one load test: checks their manifests, copies their journals,
// and judges the whole.
import { copyFileSync } from 'node:fs'
import { guard } from '../domain/storage-error.ts'
import { journalsOf, nthJournal } from '../journal/read.ts'
import { UsageError } from '../options/faults.ts'
import type { LoadManifest, RunManifest } from '../options/manifest.ts'
import { checkPaths, type CommandOptions, readOptions, type RunSettings } from '../options/settings.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { defaultFolder, openNewFolder, rejectTaken, type RunFolder } from '../store/folder.ts'
import { writeManifest } from '../store/manifest.ts'
import { withOptions } from '../store/recorded-options.ts'
import { concludeTest, type LoadResult, rejectOfRuns } from './conclude-load.ts'
import { concludeRun, type RunResult } from './conclude.ts'
import { checkThresholds, readJudging, recordedJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { foldJournalsOf } from './recorded-run.ts'
import { reviewsOf } from './reviews.ts'
import {
  type All,
  type LoadShard,
  mergeLoadManifests,
  mergeManifests,
  type OpenedShard,
  openShards,
  type RunShard,
} from './shards.ts'

export interface MergeOptions extends CommandOptions<'merge'> {
  /** Run folders of all shards, in any order. */
  readonly runs: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

interface Reading {
  readonly note: (text: string) => void
  readonly ports: Ports
}

export async function merge(
  options: MergeOptions,
  ports: Ports = realPorts(),
): Promise<RunResult | LoadResult> {
  const { runs: paths, onEvent, ...written } = options
  checkPaths('runs', paths)
  const settings = readOptions('merge', written)
  const { note, notes } = createEventSink(onEvent)
  const reading = { note, ports }
  const opened = await openShards(paths, reading)
  const sets = opened.shards[0].manifest.datasets.map(({ path }) => path)
  const out = settings.out ?? defaultFolder(sets, new Date())
  rejectTaken(out)
  const result =
    opened.kind === 'run'
      ? await mergeRun(opened.shards, out, settings, reading)
      : await mergeLoad(opened.shards, out, settings, reading)
  return { ...result, notes }
}

async function mergeRun(
  shards: All<RunShard>,
  out: string,
  settings: RunSettings,
  reading: Reading,
): Promise<RunResult> {
  const [first] = shards
  const questions = shards.flatMap(({ model }) => model.questions.flatMap((question) => question ?? []))
  const whole = first.shard.whole?.questions ?? questions.length
  if (questions.length !== whole)
    throw new UsageError(
      `the journals of the shards hold ${questions.length} of the ${whole} questions: ` +
        'resume each shard, or start again',
    )
  const manifest = withOptions(mergeManifests(shards, out), settings, out, ['judge'])
  const judged = { targets: [manifest.target.name], questions, recorded: recordedJudging(first) }
  const named = await readJudging(settings, judged, reading)
  const imported = [...(await reviewsOf(shards)), ...named]
  return inNewFolder(shards, manifest, out, reading, async (folder) =>
    concludeRun(await foldJournalsOf({ folder, manifest }), { settings, imported, ports: reading.ports }),
  )
}

async function mergeLoad(
  shards: All<LoadShard>,
  out: string,
  settings: RunSettings,
  reading: Reading,
): Promise<LoadResult> {
  rejectOfRuns(settings, shards[0].folder.path)
  const manifest = withOptions(mergeLoadManifests(shards, out), settings, out, ['judge'])
  checkThresholds(manifest.options.threshold, 'load')
  return inNewFolder(shards, manifest, out, reading, async (folder) => concludeTest({ folder, manifest }))
}

/** Concludes in a new folder that has the journals of all shards, in their order. */
async function inNewFolder<Result>(
  shards: All<OpenedShard>,
  manifest: RunManifest | LoadManifest,
  out: string,
  { note }: Reading,
  conclude: (folder: RunFolder) => Promise<Result>,
): Promise<Result> {
  const { folder, lock } = await openNewFolder(out, note)
  try {
    const journals = shards.flatMap(({ folder: from }) => journalsOf(from.journal))
    for (const [index, journal] of journals.entries())
      guard(() => copyFileSync(journal, nthJournal(folder.journal, index + 1)))
    writeManifest(folder, manifest)
    return await conclude(folder)
  } finally {
    lock.release()
  }
}
