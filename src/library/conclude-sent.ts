// The end of every command that sends: reports of what was recorded, whatever happened meanwhile.
import { StorageError } from '../domain/storage-error.ts'
import { UsageError } from '../options/faults.ts'
import { concludeRun, type RunResult } from './conclude.ts'
import type { Job } from './job.ts'
import { foldJournalsOf } from './recorded-run.ts'
import { type Ended, withoutFiles } from './reports.ts'
import type { Sent, SentRun } from './send.ts'
import { tryToRecord } from './session.ts'
import { unlessStalled } from './signals.ts'

/**
 * The runs of all targets, one after the other: one whose reports cannot be written does not stop the next.
 */
export async function concludeAll(
  sent: readonly SentRun[],
  job: Job,
): Promise<PromiseSettledResult<RunResult>[]> {
  const results: PromiseSettledResult<RunResult>[] = []
  for (const one of sent) {
    const concluded = concludeSent(one, job, async () =>
      concludeRun(await foldJournalsOf(one), {
        settings: job.settings,
        imported: one.imported,
        ports: job.ports,
      }),
    )
    results.push(...(await Promise.allSettled([concluded])))
  }
  return results
}

/**
 * Folds, renders and concludes; then writes what `run.json` could not record at the session's end. Throws
 * StorageError for a table in the folder that cannot be read any more: calls were sent, so it is no
 * UsageError.
 */
export async function concludeSent<Result extends Ended>(
  { folder, lock, manifest, unrecorded, events }: Sent,
  { notes }: Pick<Job, 'notes'>,
  conclude: () => Promise<Result>,
): Promise<Result> {
  events.emit({ kind: 'reporting', at: Date.now(), folder: folder.path })
  try {
    lock.check()
    const concluded = await unlessStalled('writing the reports', conclude())
    const fault = unrecorded === undefined ? undefined : tryToRecord(folder, manifest)
    const result =
      fault === undefined ? concluded : { ...concluded, ...withoutFiles(concluded, `run.json: ${fault}`) }
    const { verdict, exitCode, reason } = result
    events.emit({ kind: 'ended', at: Date.now(), folder: result.folder, verdict, exitCode, reason })
    return { ...result, notes: [...notes, ...events.notes] }
  } catch (error) {
    throw error instanceof UsageError ? new StorageError(error, folder.path) : error
  }
}
