// `merge`: joins the shards of one run: checks their manifests, copies their journals, and judges the whole.
import { copyFileSync } from 'node:fs'
import { guard } from '../domain/storage-error.ts'
import { journalsOf, nthJournal } from '../journal/read.ts'
import { checkPaths, readOptions } from '../options/settings.ts'
import type { CommandOptions } from '../options/documented.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { readJudging, recordedJudging } from './judging.ts'
import { type Ports, realPorts } from './ports.ts'
import { withOptions } from '../store/recorded-options.ts'
import { foldJournalsOf } from './recorded-run.ts'
import { reviewsOf } from './reviews.ts'
import { concludeRun, type RunResult } from './conclude.ts'
import { mergeManifests, openShards, rejectOtherRun } from './shards.ts'
import { writeManifest } from '../store/manifest.ts'
import { defaultFolder, openNewFolder, rejectTaken } from '../store/folder.ts'
import { UsageError } from '../options/faults.ts'

export interface MergeOptions extends CommandOptions<'merge'> {
  /** Run folders of all shards, in any order. */
  readonly runs: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

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
      `the journals of the shards hold ${questions.length} of the ${whole} questions: ` +
        'resume each shard, or start again',
    )
  const manifest = withOptions(mergeManifests(first, runs, out), settings, out, ['judge'])
  const judged = { targets: [manifest.target.name], questions, recorded: recordedJudging(first) }
  const named = await readJudging(settings, judged, reading)
  const imported = [...(await reviewsOf(runs)), ...named]
  const { folder, lock } = await openNewFolder(out, note)
  try {
    const journals = runs.flatMap(({ folder: from }) => journalsOf(from.journal))
    for (const [index, journal] of journals.entries())
      guard(() => copyFileSync(journal, nthJournal(folder.journal, index + 1)))
    writeManifest(folder, manifest)
    const merged = await foldJournalsOf({ folder, manifest })
    return { ...(await concludeRun(merged, { settings, imported, ports })), notes }
  } finally {
    lock.release()
  }
}
