// What is wrong with a command line, in one line for each word; values of options are never repeated.
import { COMMANDS } from './command-table.ts'
import { OPTIONS } from '../library/option-table.ts'
import { isFlag } from '../library/read-options.ts'
import type { Declaration } from './declarations.ts'
import { didYouMean } from '../library/suggest.ts'
import { UsageError } from '../library/usage-error.ts'

/** yargs's words for a place that is left empty, and for what no place takes. */
export const NOT_ENOUGH = 'Not enough non-option arguments'
export const UNKNOWN = 'Unknown argument'

/** yargs's message in our words. `declared`: of that command, or of all. */
export function explain(
  message: string,
  words: readonly string[],
  command: string,
  declared: readonly Declaration[],
): string {
  const [, unknown] = new RegExp(`^${UNKNOWN}s?: (.+)$`).exec(message) ?? []
  if (unknown !== undefined) return explainUnknown(unknown.split(', '), words, command, declared)
  const [, option] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (option !== undefined) return `--${option} needs a value`
  if (message.startsWith(NOT_ENOUGH)) {
    const need = COMMANDS.find(({ name }) => name === command)?.place?.need ?? 'more'
    return `${command} needs ${need}: see assist-harness ${command} --help`
  }
  return message
}

/** yargs takes `--json=maybe` for no; a flag is said, or said to be true or false. */
export function refuseOddFlags(words: readonly string[], declared: readonly Declaration[]): void {
  const options = declared.flatMap((one) => one.options)
  for (const word of words) {
    if (word === '--') return
    const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(word) ?? []
    const isAFlag = options.some((option) => option === name && isFlag(OPTIONS[option]))
    if (isAFlag && value !== 'true' && value !== 'false')
      throw new UsageError(`--${name} is a flag: say --${name}, or --${name}=false`)
  }
}

function explainUnknown(
  unknown: readonly string[],
  words: readonly string[],
  command: string,
  declared: readonly Declaration[],
): string {
  const names: readonly string[] = COMMANDS.map(({ name }) => name)
  if (command.trim() === '') return 'a command is missing; see assist-harness --help'
  if (!names.includes(command))
    return `unknown command ${command}${didYouMean(command, names) || `; there are ${names.join(', ')}`}`
  const known = declared.flatMap(({ options }) => options)
  const typed = words.flatMap((word) => /^--?([^-=][^=]*)/.exec(word)?.slice(1, 2) ?? [])
  // yargs names an option with dashes in camel case, too; that spelling was not typed.
  const lines = unknown.flatMap((word) => {
    if (typed.includes(word)) return [`unknown option --${word}${didYouMean(word, known, '--')}`]
    return words.includes(word) ? [`unknown argument ${word}`] : []
  })
  return lines.length === 0
    ? `the command line is wrong; see assist-harness ${command} --help`
    : lines.join('\n')
}
