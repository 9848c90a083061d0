// What `compare` takes: options of a run that it shares, and what they mean to it.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { WORSE } from '../options/compare-options.ts'
import { wordsOf, type Declaration } from './declaration.ts'

const TAKEN = [
  ...WORSE,
  ...(['quota', 'quota-period', 'grounded-sources', 'reviews', 'seed', 'out', 'excel', 'json'] as const),
]

export const compareDeclaration: Declaration = {
  options: optionsOf(TAKEN, {
    out: {
      describe: 'Folder for the comparison',
      default: 'reports/<utc-time>-compare-<last run>',
      example: '--out reports/compared',
    },
    seed: { describe: 'Seed of the draws that the intervals come from', example: '--seed 7' },
    excel: { describe: 'Write comparison.csv for a double click in Excel' },
    json: { describe: 'Print comparison.json on stdout' },
  }),
  examples: [
    ['compare reports/monday reports/tuesday', ''],
    ['compare reports/accepted reports/nightly --history reports', 'Know what is flaky'],
  ],
  act: async (typed) => {
    const { compare } = await import('../commands/compare.ts')
    return compare(wordsOf(typed, 'runs'), readCommandLine(typed))
  },
}
