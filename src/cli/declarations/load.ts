// What `load` takes.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { LOAD_OPTION_NAMES, SAID_IN_LOAD, SHARED_WITH_LOAD } from '../options/load-options.ts'
import { setsOf, type Declaration } from './declaration.ts'

export const loadDeclaration: Declaration = {
  options: optionsOf([...LOAD_OPTION_NAMES, ...SHARED_WITH_LOAD], SAID_IN_LOAD),
  examples: [
    ['load datasets/quickstart.csv --sandbox --arrival-rate 2/s --duration 30s', 'Try it'],
    [
      'load set.csv --stages 2m:10/s,10m:10/s --arrivals poisson --max-calls 20000',
      'Up to ten threads a second, then ten minutes of them',
    ],
    ['load set.csv --find-limit --max-calls 300', "Seek the organization's limit"],
  ],
  act: async (typed) => {
    const { load } = await import('../commands/load.ts')
    return load(setsOf(typed), readCommandLine(typed))
  },
}
