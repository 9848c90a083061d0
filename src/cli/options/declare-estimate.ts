// The options of `estimate` as yargs sees them, and as they were typed.
import type { Argv } from 'yargs'
import { declareOptions, declareSpecs, readTyped } from './command-line.ts'
import {
  ESTIMATED_OPTIONS,
  estimateOptions,
  REFUSED_OPTIONS,
  type EstimateSettings,
} from './estimate-options.ts'
import { RUN_OPTION_NAMES } from './run-options.ts'

const specs = Object.entries(estimateOptions)

export function declareEstimateOptions(yargs: Argv): Argv {
  const taken = RUN_OPTION_NAMES.filter((name) => !REFUSED_OPTIONS.includes(name))
  const declared = declareSpecs(declareOptions(yargs, taken), specs)
  for (const name of taken) if (!ESTIMATED_OPTIONS.includes(name)) declared.hide(name)
  return declared
    .option('json', { describe: 'Print the estimate on stdout (an array with several targets); e.g. --json' })
    .example('$0 estimate datasets/quickstart.csv', 'Calls, worst case and time; no key is needed')
    .example(
      '$0 estimate questions.csv --quota 10000 --rate 60/min --answer-time 3s',
      'Share of the allowance, and the time at a known pace',
    )
    .example('$0 estimate questions.csv --from reports/nightly', 'Pace and answer times as a run found them')
    .example(
      '$0 estimate questions.csv --quota 10000 --users 500 --questions-per-user 2',
      'The day on which an audience ends the quota',
    )
}

export const readEstimateCommandLine = (typed: Readonly<Record<string, unknown>>): EstimateSettings =>
  readTyped(typed, specs)
