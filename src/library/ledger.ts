// Compares an organization's own usage export with the account of a run.
import { basename } from 'node:path'
import { createTraceGatherer, holdAgainst } from '../analysis/ledger.ts'
import { readLedger } from '../dataset/ledger.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { Manifest } from '../domain/manifest.ts'
import { foldJournals } from './fold.ts'
import { faultsError } from './question-sets.ts'
import type { RunFolder } from './run-folder.ts'

/** Compares an account with the export. */
export type LedgerCheck = (account: UsageRange) => LedgerResult

/** Undefined without files. Throws UsageError with every fault of the files. */
export async function openLedger(
  paths: readonly string[] | undefined,
  folder: RunFolder,
  { runId, merged }: Manifest,
): Promise<LedgerCheck | undefined> {
  if (paths === undefined) return undefined
  const readings = await Promise.all(paths.map(async (path) => readLedger(path)))
  const faults = readings.flatMap((one) => one.faults)
  if (faults.length > 0) throw faultsError(faults, 0, 'written')
  const traces = createTraceGatherer([runId, ...(merged?.parts ?? []).map((part) => part.runId)])
  await foldJournals(folder, { add: (record) => traces.add(record), addLostIntent: () => undefined })
  const entries = readings.flatMap((one) => one.entries)
  const names = paths.map((path) => basename(path))
  return (account) => holdAgainst(entries, traces.finish(), account, names)
}
