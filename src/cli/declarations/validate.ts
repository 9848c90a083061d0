// What `validate` takes.
import { optionsOf, readCommandLine } from '../options/command-line.ts'
import { setsOf, type Declaration } from './declaration.ts'

export const validateDeclaration: Declaration = {
  options: [
    ...optionsOf(['format', 'no-header']),
    [
      'write',
      {
        kind: 'text',
        placeholder: 'FILE',
        describe: "Write the sets into one file, in the harness's own form",
        example: '--write questions.csv',
      },
    ],
    ['json', { kind: 'flag', describe: 'Print the figures as JSON on stdout', example: '--json' }],
  ],
  examples: [
    ['validate questions.csv', ''],
    ['validate promptfoo.csv --write questions.csv', "Migrate another tool's set"],
  ],
  act: async (typed) => {
    const { validate } = await import('../commands/validate.ts')
    return validate(setsOf(typed), readCommandLine(typed), typed['write'])
  },
}
