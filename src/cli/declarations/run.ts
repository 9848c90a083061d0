// What `run` takes.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { RUN_OPTION_NAMES } from '../options/run-options.ts'
import { setsOf, type Declaration } from './declaration.ts'

export const runDeclaration: Declaration = {
  options: optionsOf(RUN_OPTION_NAMES),
  examples: [['run datasets/quickstart.csv --sandbox', 'Try it: no key, no quota']],
  act: async (typed) => {
    const { run } = await import('../commands/run.ts')
    return run(setsOf(typed), readCommandLine(typed))
  },
}
