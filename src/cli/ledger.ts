// `report --ledger`: reads the usage export, and holds it against the journal of the run.
import { basename } from 'node:path'
import { createTraceGatherer, holdAgainst, type RunTraces } from '../analysis/ledger.ts'
import { readLedger } from '../dataset/ledger.ts'
import type { LedgerResult } from '../domain/ledger.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { UsageRange } from '../domain/usage.ts'
import { readJournal } from '../journal/read.ts'
import { describeFaults } from './question-sets.ts'
import type { RunFolder } from './run-folder.ts'
import { UsageError } from '../library/usage-error.ts'

/** Holds an account against what was read. */
export type LedgerCheck = (account: UsageRange) => LedgerResult

/** Undefined where no file is named. Throws UsageError with every fault of the files. */
export async function openLedger(
  paths: readonly string[],
  folder: RunFolder,
  manifest: Manifest,
): Promise<LedgerCheck | undefined> {
  if (paths.length === 0) return undefined
  const readings = await Promise.all(paths.map(async (path) => readLedger(path)))
  const faults = readings.flatMap((one) => one.faults)
  if (faults.length > 0) throw new UsageError(describeFaults(faults, 0, 'written'))
  const traces = await tracesOf(folder, manifest)
  const entries = readings.flatMap((one) => one.entries)
  const names = paths.map((path) => basename(path))
  return (account) => holdAgainst(entries, traces, account, names)
}

async function tracesOf(folder: RunFolder, { runId, merged }: Manifest): Promise<RunTraces> {
  const gatherer = createTraceGatherer([runId, ...(merged?.parts ?? []).map((part) => part.runId)])
  for await (const entry of readJournal(folder.journal))
    if (entry.kind === 'record') gatherer.add(entry.record)
  return gatherer.finish()
}
