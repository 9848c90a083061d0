// What `validate` takes.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { setsOf, type Declaration } from './declaration.ts'

export const validateDeclaration: Declaration = {
  options: [
    ...optionsOf(['format']),
    ['json', { kind: 'flag', describe: 'Print the figures as JSON on stdout', example: '--json' }],
  ],
  examples: [['validate questions.csv', '']],
  act: async (typed) => {
    const { validate } = await import('../commands/validate.ts')
    return validate(setsOf(typed), readCommandLine(typed))
  },
}
