// What is wrong with a command line, in words that say the mend; values are never repeated.
import { runOptions } from './options/run-options.ts'
import { didYouMean } from './suggest.ts'

const COMMANDS = ['run', 'validate', 'report', 'sandbox']

/** yargs's message made better: what is unknown, and what was probably meant. */
export function explain(message: string, command: string): string {
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? []
  if (unknown !== undefined) return explainUnknown(unknown.split(', '), command)
  const [, option] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (option !== undefined) return `--${option} needs a value${exampleOf(option)}`
  if (message.startsWith('Not enough non-option arguments'))
    return `${command} needs more: see assist-harness ${command} --help`
  return message
}

function explainUnknown(words: readonly string[], command: string): string {
  if (!COMMANDS.includes(command))
    return `unknown command ${command}${didYouMean(command, COMMANDS) || `; there are ${COMMANDS.join(', ')}`}`
  // yargs names an option in both of its spellings.
  const options = [
    ...new Set(words.map((word) => word.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`))),
  ]
  return options
    .map((word) => `unknown option --${word}${didYouMean(word, Object.keys(runOptions), '--')}`)
    .join('\n')
}

function exampleOf(option: string): string {
  const example = Object.entries(runOptions).find(([name]) => name === option)?.[1].example
  return example === undefined ? '' : `, like ${example}`
}
