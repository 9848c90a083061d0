// `report --ledger`: reads the ledger, holds it against the attempts of the journal, keeps what was found.
import { createCallGatherer } from '../../analysis/ledger/account-calls.ts'
import { reconcile, type Reconciled } from '../../analysis/ledger/reconcile.ts'
import { readLedger } from '../../dataset/ledger/read.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { readJournal } from '../../journal/read.ts'
import { renderLedgerCsv } from '../../report/ledger/csv.ts'
import { writeWhole } from '../files.ts'
import { describeFaults } from '../question-sets.ts'
import type { RunFolder } from '../run-folder.ts'
import { UsageError } from '../usage-error.ts'
import type { LedgerSettings } from './read-options.ts'
import { noteSameRows } from './same-rows.ts'

/** `attempts`: how many were begun in all. Throws UsageError with every fault of the files; writes nothing. */
export async function reconcileRun(
  folder: RunFolder,
  manifest: Manifest,
  attempts: number,
  settings: LedgerSettings,
): Promise<Reconciled> {
  const calls = await gatherCalls(folder, manifest, attempts)
  const ledger = await readLedger(settings.paths, { ...settings, near: spanOf(calls) })
  if (ledger.faults.length > 0)
    throw new UsageError(describeFaults(ledger.faults, ledger.truncated, 'written'))
  return reconcile({
    runId: manifest.runId,
    partIds: partIdsOf(manifest),
    calls,
    entries: ledger.entries,
    files: ledger.files,
    rotatingIds: manifest.options.rotatingIds,
    toleranceMs: settings.toleranceMs,
    offsetMs: settings.offsetMs,
    notes: [...noteSameRows(ledger.entries, ledger.files), ...ledger.warnings],
  })
}

async function gatherCalls(folder: RunFolder, manifest: Manifest, attempts: number): Promise<AccountCall[]> {
  const { timeoutMs, countRejected } = manifest.options
  const gatherer = createCallGatherer({
    runId: manifest.runId,
    partIds: partIdsOf(manifest),
    timeoutMs,
    countRejected,
  })
  for await (const entry of readJournal(folder.journal))
    if (entry.kind === 'record') gatherer.add(entry.record)
  return gatherer.finish(attempts)
}

const partIdsOf = ({ merged }: Manifest): string[] => (merged?.parts ?? []).map(({ runId }) => runId)

function spanOf(calls: readonly AccountCall[]): { from: number; until: number } | undefined {
  if (calls.length === 0) return undefined
  return {
    from: calls.reduce((least, { from }) => Math.min(least, from), Infinity),
    until: calls.reduce((most, { until }) => Math.max(most, until), -Infinity),
  }
}

/** Throws StorageError where the disk does not take them. */
export function writeReconciliation(folder: RunFolder, { result, calls }: Reconciled): void {
  const files = result.files.map(({ name }) => name)
  writeWhole(folder.ledgerCsv, renderLedgerCsv(calls, files))
  writeWhole(folder.ledger, [`${JSON.stringify(result, null, 2)}\n`])
}
