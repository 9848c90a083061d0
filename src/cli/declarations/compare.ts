// What `compare` takes: options of a run that it shares, and what they mean to it.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { SAID_IN_COMPARE, WORSE } from '../options/compare-options.ts'
import { wordsOf, type Declaration } from './declaration.ts'

const TAKEN = [
  ...WORSE,
  ...(['history', 'quota', 'grounded-sources', 'reviews', 'seed', 'out', 'excel', 'json'] as const),
]

export const compareDeclaration: Declaration = {
  options: optionsOf(TAKEN, SAID_IN_COMPARE),
  examples: [
    ['compare reports/monday reports/tuesday', ''],
    ['compare reports/accepted reports/nightly --history reports', 'Which of them changed before'],
  ],
  act: async (typed) => {
    const { compare } = await import('../commands/compare.ts')
    return compare(wordsOf(typed, 'runs'), readCommandLine(typed))
  },
}
