// What `merge` takes.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { OF_A_RUN, SAID_OF_ONE_RUN } from './report.ts'
import { wordsOf, type Declaration } from './declaration.ts'

export const mergeDeclaration: Declaration = {
  options: [
    ...optionsOf([...OF_A_RUN, 'out'], {
      ...SAID_OF_ONE_RUN,
      out: { describe: 'The run folder of the whole', example: '--out reports/nightly' },
    }),
  ],
  examples: [['merge reports/part-1 reports/part-2 reports/part-3 --out reports/nightly', '']],
  act: async (typed) => {
    const { merge } = await import('../commands/merge.ts')
    return merge(wordsOf(typed, 'runs'), readCommandLine(typed))
  },
}
