// `report`: write the reports of a recorded run again, from its folder alone.
import type { Question } from '../../domain/question.ts'
import { stateAfter } from '../../domain/stop.ts'
import { checkBaseline, noteMissingBaseline, refuseLonely, withBaselineThere } from '../comparing/baseline.ts'
import { refuseMoreThanOneRun } from '../runs-within.ts'
import { sayReports } from '../conclude.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { goingOnOfRecorded } from '../going-on.ts'
import { holderOf, lockFolder } from '../folder-lock.ts'
import { checkThresholds } from '../gates.ts'
import { watchInterruption, type Interruptible } from '../interruption.ts'
import { indexJournal, isBegun, refuseLostJournal } from '../index-journal.ts'
import { openLedger } from '../ledger.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { printForPrograms } from '../output.ts'
import { regate } from '../regate.ts'
import { loadReviews } from '../reviews/load.ts'
import { readManifest, runFolder, writeManifest, type RunFolder } from '../run-folder.ts'
import { removeOwnTemporaries } from '../stale-temporaries.ts'
import { UsageError } from '../../library/usage-error.ts'
import { visible } from '../../report/visible.ts'
import { writeReports } from '../write-reports.ts'

/** Returns the exit code of the verdict. Throws UsageError where the folder holds no run. */
export async function report(path: string, said: RunSettings): Promise<number> {
  const { ledger: ledgers = [] } = said
  noteMissingBaseline(said.baseline)
  const settings = withBaselineThere(said)
  const watch = watchInterruption(() => 'nothing was written')
  try {
    return await write(path, settings, ledgers, watch)
  } finally {
    watch.end()
  }
}

async function write(
  path: string,
  settings: RunSettings,
  ledgers: readonly string[],
  watch: Interruptible,
): Promise<number> {
  hideKey(KEY_VARIABLE)
  const folder = runFolder(path)
  const holder = holderOf(path)
  if (holder !== undefined)
    throw new UsageError(`${holder} is still writing this run; wait for it, or stop it`)
  refuseMoreThanOneRun(path)
  const recorded = readManifest(folder)
  if (recorded.load !== null) {
    const { reportLoad } = await import('../load/report-load.ts')
    watch.meanwhile(() => leaveUnwritten(folder))
    return reportLoad(folder, recorded, settings, ledgers)
  }
  if (recorded.findLimit !== undefined) {
    if (ledgers.length > 0)
      throw new UsageError(
        `--ledger goes with a run or a load test; ${path} holds a search for the organization's limit, whose calls are not held against a ledger`,
      )
    const { reportLimit } = await import('../find-limit/report-limit.ts')
    watch.meanwhile(() => leaveUnwritten(folder))
    return reportLimit(folder, { ...recorded, findLimit: recorded.findLimit }, settings)
  }
  const journal = await indexJournal(folder)
  await refuseLostJournal(folder, recorded, journal.index)
  if (!isBegun(journal.index))
    throw new UsageError(
      `${path} holds nothing to report: no question was asked; run --resume ${path} begins it`,
    )
  const brought = await loadReviews(settings.reviews, 'written')
  await checkBaseline(settings, [recorded.target.name], undefined)
  refuseLonely(settings, settings.baseline ?? recorded.options.comparison?.baseline)
  const manifest = regate(recorded, settings, path)
  checkThresholds(manifest.options.gates.thresholds, () => tagsOf(journal.index.questions))
  const ledger = await openLedger(ledgers, folder, recorded)
  watch.meanwhile(() => leaveUnwritten(folder))
  const reports = await writeReports(folder, manifest, {
    excel: settings.excel ?? false,
    brought,
    ledger,
    journal,
  })
  const { stop } = journal.index
  // Its merge was killed before it could say so.
  if (
    recorded.merged !== undefined &&
    recorded.state === 'running' &&
    stop !== undefined &&
    reports.unwritten === undefined
  ) {
    writeManifest(folder, { ...recorded, state: stateAfter(stop) })
    // Taken from the dead and given back, or it would lie there for ever.
    lockFolder(path)()
  }
  watch.end()
  const goOn = await goingOnOfRecorded(folder, manifest, journal.index)
  const summary = sayReports(folder, manifest, reports, goOn)
  if (settings.json === true) await printForPrograms(JSON.stringify(summary, null, 2))
  return summary.exitCode
}

/** For the words of a signal. */
function leaveUnwritten({ path }: RunFolder): string {
  removeOwnTemporaries(path)
  return `the reports of ${visible(path)} are not all written; the same command writes them, and what was recorded is as it was`
}

function tagsOf(questions: Iterable<Question | undefined>): Set<string> {
  const tags = new Set<string>()
  for (const question of questions) for (const tag of question?.tags ?? []) tags.add(tag)
  return tags
}
