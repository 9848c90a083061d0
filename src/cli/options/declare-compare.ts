// The options of `compare`: those of a run that it shares, and what they mean to it.
import type { Argv } from 'yargs'
import { declareOptions } from './command-line.ts'

/** What counts as worse: `run` and `report` take these, too. */
export const WORSE = ['fail-on', 'alpha', 'margin', 'min-overlap', 'history'] as const

const TAKEN = [
  ...WORSE,
  'quota',
  'quota-period',
  'grounded-sources',
  'reviews',
  'seed',
  'out',
  'excel',
  'json',
] as const

export function declareCompareOptions(yargs: Argv): Argv {
  return declareOptions(yargs, TAKEN)
    .option('out', {
      describe:
        'Folder for the comparison [default: reports/<utc-time>-compare-<last run>]; e.g. --out reports/compared',
    })
    .option('seed', {
      describe: 'Seed of the draws that the intervals come from [default: 1]; e.g. --seed 7',
    })
    .option('excel', { describe: 'Write comparison.csv for a double click in Excel; e.g. --excel' })
    .option('json', { describe: 'Print comparison.json on stdout; e.g. --json' })
}
