// What `estimate` takes: what `run` does, so that one may be exchanged for the other, and its own.
import { optionsOf, readCommandLine, readTyped } from '../options/command-line.ts'
import {
  ESTIMATED_OPTIONS,
  estimateOptions,
  REFUSED_OPTIONS,
  type EstimateSettings,
} from '../options/estimate-options.ts'
import { RUN_OPTION_NAMES } from '../options/run-options.ts'
import { setsOf, type Declaration } from './declaration.ts'

const taken = RUN_OPTION_NAMES.filter((name) => !REFUSED_OPTIONS.includes(name))
const own = Object.entries(estimateOptions)

export const estimateDeclaration: Declaration = {
  options: [
    ...optionsOf(taken, {
      json: {
        describe: 'Print the estimate on stdout (an array with several targets)',
        example: '--json',
      },
    }),
    ...own,
  ],
  unshown: taken.filter((name) => !ESTIMATED_OPTIONS.includes(name)),
  examples: [
    ['estimate datasets/quickstart.csv', 'Calls, worst case and time; no key is needed'],
    [
      'estimate questions.csv --quota 10000 --rate 60/min --answer-time 3s',
      'Share of the allowance, and the time at a known pace',
    ],
  ],
  act: async (typed) => {
    const { estimate } = await import('../commands/estimate.ts')
    const settings: EstimateSettings = readTyped(typed, own)
    return estimate(setsOf(typed), readCommandLine(typed), settings)
  },
}
