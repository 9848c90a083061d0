// `merge`: join the parts of one run into a run folder, as one process would have written it, and judge the whole.
import {
  checkBaseline,
  recordedBaseline,
  refuseLonely,
  noteMissingBaseline,
  withBaselineThere,
} from '../comparing/baseline.ts'
import { sayReports } from '../conclude.ts'
import { goingOnOfRecorded } from '../going-on.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { lockFolder } from '../folder-lock.ts'
import { checkThresholds } from '../gates.ts'
import { watchInterruption, type Interruptible } from '../interruption.ts'
import { noteOddities, refuseOtherRuns } from '../merging/agree.ts'
import { indexParts } from '../merging/index-parts.ts'
import { joinJournals } from '../merging/join-journals.ts'
import { budgetOf, joinManifests } from '../merging/join-manifests.ts'
import { joinStops } from '../merging/join-stops.ts'
import { makeJoinedFolder, unfinishedOf } from '../merging/make-folder.ts'
import { missingOf, openParts } from '../merging/parts.ts'
import { reviewsOfParts } from '../merging/reviews.ts'
import { refuseUnfinished, takeAway } from '../merging/unfinished.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { printForPrograms, say } from '../output.ts'
import { regate } from '../regate.ts'
import { defaultFolder, refuseTaken, writeManifest } from '../run-folder.ts'
import { rangesOf } from '../set-record.ts'
import { UsageError } from '../../library/usage-error.ts'
import { writeReports } from '../write-reports.ts'
import { plural } from '../../domain/digits.ts'
import { describeParts } from '../../domain/shard.ts'
import { visible } from '../../report/visible.ts'

/** Returns the exit code of the whole run's verdict. Throws UsageError where the folders are not the parts of one run. */
export async function merge(paths: readonly string[], settings: RunSettings): Promise<number> {
  noteMissingBaseline(settings.baseline)
  hideKey(KEY_VARIABLE)
  const watch = watchInterruption(() => 'the parts were not joined, and nothing was written')
  try {
    return await joinParts(paths, withBaselineThere(settings), watch)
  } finally {
    watch.end()
  }
}

async function joinParts(
  paths: readonly string[],
  settings: RunSettings,
  watch: Interruptible,
): Promise<number> {
  const opened = openParts(paths)
  refuseOtherRuns(opened, settings)
  const missing = missingOf(opened)
  if (missing.length > 0) throw new UsageError(describeMissing(missing, opened[0].shard.of))
  const sets = opened[0].manifest.datasets.map(({ path }) => path)
  const out = settings.out ?? defaultFolder(sets, new Date())
  refuseUnfinished(out)
  refuseTaken(out)
  const { parts, numbers, tags, notes } = await indexParts(opened)
  const stop = joinStops(parts, {
    attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    maxCalls: budgetOf(parts),
  })
  const joined = joinManifests(parts, out, stop, [...noteOddities(opened), ...notes])
  const manifest = regate(joined, settings, out)
  const { gates, comparison, repeat } = manifest.options
  checkThresholds(gates.thresholds, () => tags)
  refuseLonely(settings, settings.baseline ?? joined.options.comparison?.baseline)
  const baseline = comparison === null ? undefined : recordedBaseline(out, comparison).path
  if (baseline !== undefined)
    await checkBaseline({ ...settings, baseline }, [manifest.target.name], undefined)
  const reviews = await reviewsOfParts(parts, settings.reviews, out)

  say(`Joining ${plural(parts.length, 'part')} of ${opened[0].shard.of}: ${visible(out)}`)
  const digests = manifest.datasets.map(({ digest }) => digest)
  const set = { digests, ranges: rangesOf(numbers.map((index) => ({ index }))), repeats: repeat }
  watch.meanwhile(() => takeAway(unfinishedOf(out)))
  const folder = await makeJoinedFolder(out, async (temporary) => {
    await joinJournals(temporary.journal, { parts, set, stop })
    // Not before its reports are there is it more than a run whose process died.
    writeManifest(temporary, { ...manifest, state: 'running' })
  })
  watch.meanwhile(() => takeAway(folder.path))
  const unlock = lockFolder(folder.path)
  try {
    const reports = await writeReports(folder, manifest, {
      excel: settings.excel ?? false,
      brought: reviews.files,
    })
    // Where the disk took no reports either, that is said instead.
    if (reports.unwritten === undefined) writeManifest(folder, manifest)
    watch.end()
    const reviewNotes = [...reviews.notes, ...reports.reviewNotes]
    const goOn = await goingOnOfRecorded(folder, manifest)
    const summary = sayReports(folder, manifest, { ...reports, reviewNotes }, goOn)
    if (settings.json === true) await printForPrograms(JSON.stringify(summary, null, 2))
    return summary.exitCode
  } finally {
    unlock()
  }
}

function describeMissing(missing: readonly number[], of: number): string {
  const one = missing.length === 1
  const what = `${describeParts(missing, of)} ${one ? 'is' : 'are'} missing`
  const shards = missing.map((index) => `--shard ${index}/${of}`).join(', ')
  return `${what} (${shards}): name ${one ? 'its run folder' : 'their run folders'}, too; nothing was written`
}
