// What `report` takes.
import { LEDGER_OPTION } from '../ledger.ts'
import { optionsOf, readCommandLine, type SaidOtherwise } from '../options/command-line.ts'
import { WORSE } from '../options/compare-options.ts'
import type { Declaration } from './declaration.ts'

/** Options of a run that decide what its reports say. */
export const OF_A_RUN = [
  ...(['threshold', 'pass-policy'] as const),
  ...(['grounded-sources', 'baseline'] as const),
  ...WORSE,
  ...(['quota', 'reviews', 'excel', 'json'] as const),
]

/** What is said of them where there is one run, and so one target. */
export const SAID_OF_ONE_RUN: SaidOtherwise = {
  json: { describe: 'Print summary.json on stdout; words for people stay on stderr' },
}

export const reportDeclaration: Declaration = {
  options: [...optionsOf(OF_A_RUN, SAID_OF_ONE_RUN), ['ledger', LEDGER_OPTION]],
  examples: [
    ['report reports/nightly --ledger usage.csv', "Does the organization's own count agree?"],
    ['report reports/nightly', ''],
  ],
  act: async (typed) => {
    const { report } = await import('../commands/report.ts')
    const ledgers = ((typed['ledger'] as readonly unknown[] | undefined) ?? []).map(String)
    return report(String(typed['run']), readCommandLine(typed), ledgers)
  },
}
