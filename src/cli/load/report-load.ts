// `report` of a load test: its reports again, from its folder alone.
import type { Manifest } from '../../domain/manifest.ts'
import { openLedger } from '../ledger.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { quotaFrom } from '../quota.ts'
import type { RunFolder } from '../run-folder.ts'
import { journalFault } from '../journal-fault.ts'
import { UsageError } from '../../library/usage-error.ts'
import { concludeLoad } from './conclude-load.ts'
import { checkLoadThresholds } from './load-thresholds.ts'

/** What grades answers or compares them: a load test does neither. */
const NOT_HERE = {
  baseline: '--baseline',
  reviews: '--reviews',
  excel: '--excel',
  passPolicy: '--pass-policy',
} as const satisfies Partial<Record<keyof RunSettings, string>>

/** Returns the exit code of the verdict. Throws UsageError where the folder has no journal, or for what a load test has not. */
export async function reportLoad(
  folder: RunFolder,
  recorded: Manifest,
  settings: RunSettings,
  ledgers: readonly string[],
): Promise<number> {
  const odd = Object.entries(NOT_HERE).find(([name]) => settings[name as keyof RunSettings] !== undefined)
  if (odd !== undefined)
    throw new UsageError(
      `${odd[1]} goes with a run; ${folder.path} holds a load test, whose answers are not graded`,
    )
  const fault = await journalFault(folder.journal)
  if (fault !== undefined)
    throw new UsageError(`${folder.journal} ${fault}: put it back, or start a new load test`)
  const { options } = recorded
  const manifest: Manifest = {
    ...recorded,
    options: {
      ...options,
      groundedSources: settings.groundedSources ?? options.groundedSources,
      quota: quotaFrom(settings, options.quota),
      gates: {
        ...options.gates,
        thresholds: settings.threshold ?? options.gates.thresholds,
      },
    },
  }
  checkLoadThresholds(manifest.options.gates.thresholds)
  // A ledger with faults must be rejected before anything is written.
  const ledger = await openLedger(ledgers, folder, recorded)
  return concludeLoad({ folder, manifest, ledger }, settings.json ?? false)
}
