// What is wrong with a command line, in words that say the mend; values of options are never repeated.
import { Parser } from 'yargs/helpers'
import { COMMANDS } from './declarations/command-table.ts'
import type { Declaration } from './declarations/declaration.ts'
import { INSTEAD_IN_LOAD } from './options/load-options.ts'
import type { NamedOption } from './options/option-spec.ts'
import { optionEntries } from './options/run-options.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** yargs's words for a place that is left empty, and for what no place takes. */
export const NOT_ENOUGH = 'Not enough non-option arguments'
export const UNKNOWN = 'Unknown argument'

/** yargs's message made better: what is unknown, and what was probably meant. `declared`: of that command, or of all. */
export function explain(
  message: string,
  words: readonly string[],
  command: string,
  declared: readonly Declaration[],
): string {
  // Those of `run` and `load` are known everywhere: what one takes may be said to another.
  const options = [...optionEntries, ...declared.flatMap((one) => one.options)]
  const [, unknown] = new RegExp(`^${UNKNOWN}s?: (.+)$`).exec(message) ?? []
  if (unknown !== undefined) return explainUnknown(unknown.split(', '), words, command, options)
  const [, option] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (option !== undefined) return `--${option} needs a value${exampleOf(option, options)}`
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
    const isFlag = options.some(([option, { kind }]) => option === name && kind === 'flag')
    if (isFlag && value !== 'true' && value !== 'false')
      throw new UsageError(`--${name} is a flag: say --${name}, or --${name}=false`)
  }
}

function explainUnknown(
  unknown: readonly string[],
  words: readonly string[],
  command: string,
  options: readonly NamedOption[],
): string {
  const names = COMMANDS.map(({ name }) => name)
  if (!names.includes(command))
    return `${command.trim() === '' ? 'an empty word is no command' : `unknown command ${command}`}${didYouMean(command, names) || `; there are ${names.join(', ')}`}`
  const typed = optionsTyped(words)
  // yargs calls surplus words unknown, too.
  const surplus = unknown.filter((word) => !typed.has(word))
  return [
    ...(surplus.length === 0 ? [] : [tooMuch(surplus, command)]),
    ...explainOptions(
      unknown.flatMap((word) => typed.get(word) ?? []),
      command,
      options,
    ),
  ].join('\n')
}

const dashed = (word: string): string => word.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)

/** Names of options on the command line, as they are typed, by each of the spellings in which yargs names them. */
function optionsTyped(words: readonly string[]): ReadonlyMap<string, string> {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  const names = before.flatMap((word) => /^--?([^-=][^=]*)/.exec(word)?.slice(1, 2) ?? [])
  return new Map(
    names.flatMap((name) => [name, dashed(name), Parser.camelCase(name)].map((one) => [one, name])),
  )
}

function tooMuch(surplus: readonly string[], command: string): string {
  const takes = COMMANDS.find(({ name }) => name === command)?.place?.single ?? 'options alone'
  return `${command} takes ${takes}; ${surplus.join(', ')} ${surplus.length === 1 ? 'is' : 'are'} too much`
}

function explainOptions(
  unknown: readonly string[],
  command: string,
  options: readonly NamedOption[],
): string[] {
  const known = options.map(([name]) => name)
  const lines = unknown.map((word) => {
    const option = dashed(word)
    return known.includes(option) || instead(option, command) !== undefined
      ? `--${option} is no option of ${command}: ${insteadOf(option, command)}`
      : `unknown option --${word}${didYouMean(word, known, '--')}`
  })
  return [...new Set(lines)]
}

function insteadOf(option: string, command: string): string {
  return instead(option, command) ?? `see assist-harness ${command} --help`
}

const instead = (option: string, command: string): string | undefined =>
  command === 'load' && Object.hasOwn(INSTEAD_IN_LOAD, option) ? INSTEAD_IN_LOAD[option] : undefined

function exampleOf(option: string, options: readonly NamedOption[]): string {
  const example = options.findLast(([name]) => name === option)?.[1].example
  return example === undefined ? '' : `, like ${example}`
}
