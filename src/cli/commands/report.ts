// `report`: write the reports of a recorded run again, from its folder alone.
import { sayReports } from '../conclude.ts'
import { holderOf } from '../folder-lock.ts'
import { indexJournal, isBegun, refuseLostJournal } from '../index-journal.ts'
import { printForPrograms } from '../output.ts'
import { readManifest, runFolder } from '../run-folder.ts'
import { UsageError } from '../usage-error.ts'
import { writeReports } from '../write-reports.ts'

/** Returns the exit code of the run's verdict. Throws UsageError where the folder holds no run. */
export async function report(path: string, json: boolean): Promise<number> {
  const folder = runFolder(path)
  const holder = holderOf(path)
  if (holder !== undefined)
    throw new UsageError(`${holder} is still writing this run; wait for it, or stop it`)
  const manifest = readManifest(folder)
  const journal = await indexJournal(folder, manifest)
  refuseLostJournal(folder, manifest, journal.index)
  if (!isBegun(journal.index))
    throw new UsageError(
      `${path} holds nothing to report: no question was asked; run --resume ${path} begins it`,
    )
  const reports = await writeReports(folder, manifest, journal)
  const summary = sayReports(folder, manifest, reports)
  if (json) await printForPrograms(JSON.stringify(summary, null, 2))
  return summary.exitCode
}
