// Makes every report of a load test from its folder alone: what `load` does at its end and `report` does again.
import { createLoadGatherer } from '../../analysis/load/gather.ts'
import type { LoadReport } from '../../domain/load/load-report.ts'
import { StorageError } from '../../domain/storage-error.ts'
import type { LedgerResult } from '../../domain/ledger.ts'
import { describeLedger } from '../../report/ledger.ts'
import { renderLoadMarkdown } from '../../report/load-markdown.ts'
import { renderLoadPrometheus } from '../../report/load-prometheus.ts'
import { renderLoadOverview } from '../../report/page/load/overview.ts'
import { renderOverviewPage } from '../../report/page/page.ts'
import { writeWhole } from '../files.ts'
import type { LedgerCheck } from '../ledger.ts'
import { pageAssets } from '../page-assets.ts'
import { nameOfRun } from '../run-page.ts'
import type { EndedAlone } from '../sit-alone.ts'
import { foldJournal } from './fold-journal.ts'
import { judgeReach } from './unreachable.ts'

export interface EndedLoad extends EndedAlone {
  /** What a usage export says of the account. */
  readonly ledger?: LedgerCheck | undefined
}

export interface LoadReports {
  readonly report: LoadReport
  readonly ledger: LedgerResult | undefined
  /** Why the files could not be written; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
}

/** One pass over the journal, a line in memory at a time. */
async function readLoadReport({ folder, manifest, stop }: EndedLoad): Promise<LoadReport> {
  const gatherer = createLoadGatherer(manifest)
  return judgeReach(await gatherer.finish(await foldJournal(folder.journal, gatherer), stop))
}

export async function writeLoadReports(ended: EndedLoad): Promise<LoadReports> {
  const { folder, manifest } = ended
  const report = await readLoadReport(ended)
  const ledger = ended.ledger?.(report.quota)
  try {
    writeWhole(folder.load, [`${JSON.stringify(report, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [
      renderLoadMarkdown(report),
      ...(ledger === undefined ? [] : [`\nLedger: ${describeLedger(ledger)}\n`]),
    ])
    writeWhole(
      folder.page,
      renderOverviewPage({
        title: nameOfRun(manifest),
        overview: renderLoadOverview(report),
        assets: pageAssets(),
      }),
    )
    // A collector may read it at any moment: the rename makes it whole or not there.
    writeWhole(folder.prometheus, [renderLoadPrometheus(report)])
    return { report, ledger, unwritten: undefined }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { report, ledger, unwritten: error }
  }
}
