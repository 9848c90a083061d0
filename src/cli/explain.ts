// What is wrong with a command line, in words that say the mend; values are never repeated.
import { LEDGER_OPTIONS } from './ledger/options.ts'
import { estimateOptions } from './options/estimate-options.ts'
import { INSTEAD_IN_LOAD } from './options/load-options.ts'
import { everyOption } from './options/run-options.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

const COMMANDS = ['run', 'load', 'estimate', 'validate', 'report', 'compare', 'sandbox']

/** Beside those of `run` and `load`. */
const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  estimate: Object.keys(estimateOptions),
  validate: ['write'],
  report: ['dataset', ...Object.keys(LEDGER_OPTIONS)],
}

/** What a command cannot do without. */
const NEEDS: Readonly<Record<string, string>> = {
  report: 'the folder of a recorded run',
  compare: 'the folders of two recorded runs at least, the baseline first',
}

/** yargs's message made better: what is unknown, and what was probably meant. */
export function explain(message: string, command: string): string {
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? []
  if (unknown !== undefined) return explainUnknown(unknown.split(', '), command)
  const [, option] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (option !== undefined) return `--${option} needs a value${exampleOf(option)}`
  if (message.startsWith('Not enough non-option arguments'))
    return `${command} needs ${NEEDS[command] ?? 'more'}: see assist-harness ${command} --help`
  return message
}

/** yargs takes `--json=maybe` for no; a flag is said, or said to be true or false. */
export function refuseOddFlags(words: readonly string[]): void {
  for (const word of words) {
    if (word === '--') return
    const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(word) ?? []
    const isFlag = Object.entries(everyOption).some(
      ([option, { kind }]) => option === name && kind === 'flag',
    )
    if (isFlag && value !== 'true' && value !== 'false')
      throw new UsageError(`--${name} is a flag: say --${name}, or --${name}=false`)
  }
}

function explainUnknown(words: readonly string[], command: string): string {
  if (!COMMANDS.includes(command))
    return `unknown command ${command}${didYouMean(command, COMMANDS) || `; there are ${COMMANDS.join(', ')}`}`
  // yargs names an option in both of its spellings.
  const options = [
    ...new Set(words.map((word) => word.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`))),
  ]
  const known = [...Object.keys(everyOption), ...(COMMAND_OPTIONS[command] ?? [])]
  return options
    .map((word) =>
      known.includes(word) || instead(word, command) !== undefined
        ? `--${word} is no option of ${command}: ${insteadOf(word, command)}`
        : `unknown option --${word}${didYouMean(word, known, '--')}`,
    )
    .join('\n')
}

function insteadOf(option: string, command: string): string {
  return instead(option, command) ?? `see assist-harness ${command} --help`
}

const instead = (option: string, command: string): string | undefined =>
  command === 'load' && Object.hasOwn(INSTEAD_IN_LOAD, option) ? INSTEAD_IN_LOAD[option] : undefined

function exampleOf(option: string): string {
  const example = Object.entries({ ...everyOption, ...estimateOptions }).find(
    ([name]) => name === option,
  )?.[1].example
  return example === undefined ? '' : `, like ${example}`
}
