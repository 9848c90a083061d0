// What `report` takes.
import { LEDGER_OPTIONS } from '../ledger/options.ts'
import { optionsOf, readCommandLine, type SaidOtherwise } from '../options/command-line.ts'
import { WORSE } from '../options/compare-options.ts'
import type { Declaration } from './declaration.ts'

/** Options of a run that decide what its reports say. */
export const OF_A_RUN = [
  ...(['threshold', 'allow-errors', 'pass-policy'] as const),
  ...(['grounded-sources', 'success-status', 'baseline'] as const),
  ...WORSE,
  ...(['quota', 'quota-period', 'reviews', 'excel', 'json'] as const),
]

/** What is said of them where there is one run, and so one target. */
export const SAID_OF_ONE_RUN: SaidOtherwise = {
  json: { describe: 'Print summary.json on stdout; words for people stay on stderr' },
}

export const reportDeclaration: Declaration = {
  options: [...optionsOf(OF_A_RUN, SAID_OF_ONE_RUN), ...Object.entries(LEDGER_OPTIONS)],
  examples: [
    ['report reports/nightly --ledger usage.csv', 'What the endpoint counted, call by call'],
    [
      'report reports/nightly --ledger usage.csv --ledger-columns time=Day+Hour,count=Calls --ledger-zone Europe/Berlin',
      'Totals by the hour, in local time',
    ],
    ['report reports/nightly', ''],
  ],
  act: async (typed) => {
    const { readLedgerSettings } = await import('../ledger/read-options.ts')
    const { report } = await import('../commands/report.ts')
    return report(String(typed['run']), readCommandLine(typed), readLedgerSettings(typed))
  },
}
