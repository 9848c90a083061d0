// Makes the reports of a search for the limit from its folder alone.
import { createSearchGatherer, type SearchManifest } from '../../analysis/limit/gather-search.ts'
import type { LimitReport } from '../../domain/load/limit-report.ts'
import { StorageError } from '../../domain/storage-error.ts'
import { renderLimitMarkdown } from '../../report/limit-markdown.ts'
import { isNarrow } from '../../runner/find-limit/narrow.ts'
import { writeWhole } from '../files.ts'
import { foldJournal } from '../load/fold-journal.ts'
import type { EndedAlone } from '../sit-alone.ts'

export interface EndedSearch extends EndedAlone {
  readonly manifest: SearchManifest
}

export interface LimitReports {
  readonly report: LimitReport
  /** Why the files could not be written; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
}

export async function writeLimitReports({ folder, manifest, stop }: EndedSearch): Promise<LimitReports> {
  const gatherer = createSearchGatherer(manifest, isNarrow)
  const report = gatherer.finish(await foldJournal(folder.journal, gatherer), stop)
  try {
    writeWhole(folder.limit, [`${JSON.stringify(report, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [renderLimitMarkdown(report)])
    return { report, unwritten: undefined }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { report, unwritten: error }
  }
}
