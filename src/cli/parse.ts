// Parses a command line, and runs the command.
import { Parser } from 'yargs/helpers'
import { OPTIONS } from '../library/option-table.ts'
import { isFlag, toCamelCase } from '../library/options.ts'
import { didYouMean, UsageError } from '../library/usage-error.ts'
import { type Command, COMMANDS } from './command-table.ts'
import { HANDLERS, type Typed } from './commands.ts'
import { DECLARATIONS } from './declarations.ts'

/** Returns the exit code. Throws UsageError for an invalid line. */
export async function parseAndRun([name = '', ...words]: readonly string[]): Promise<number> {
  const command = COMMANDS.find((one) => one.name === name)
  if (command !== undefined) {
    const { typed, places } = readLine(command, words)
    return HANDLERS[command.name](typed, places)
  }
  if (name.trim() === '' || name.startsWith('-'))
    throw new UsageError('a command is missing; see assist-harness --help')
  const names = COMMANDS.map((one) => one.name)
  throw new UsageError(
    `unknown command ${name}${didYouMean(name, names) || `; commands are ${names.join(', ')}`}`,
  )
}

/** Texts, flags and lists stay as typed; `readOptions` parses them. */
const CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const

/** Options by their names in camelCase, and arguments. Throws UsageError with every fault. */
function readLine(command: Command, words: readonly string[]): { typed: Typed; places: string[] } {
  const taken = DECLARATIONS[command.name].options
  const [flags, texts] = [
    taken.filter((name) => isFlag(OPTIONS[name])),
    taken.filter((name) => !isFlag(OPTIONS[name])),
  ]
  // Only the parser of yargs: the messages of its commands would have to be reworded.
  const { argv, error } = Parser.detailed([...words], {
    boolean: flags,
    string: [...texts, '_'],
    array: texts.filter((name) => 'isList' in OPTIONS[name]),
    narg: Object.fromEntries(texts.map((name) => [name, 1])),
    configuration: CONFIGURATION,
  })
  const { _: arguments_, ...given } = argv
  const places = arguments_.map(String)
  const typed: Record<string, unknown> = {}
  const faults = error === null ? [] : [`--${error.message.replace(/^.*: /, '')} needs a value`]
  for (const [name, value] of Object.entries(given)) {
    const option = taken.find((one) => one === name)
    const isGivenTwice = Array.isArray(value) && option !== undefined && !('isList' in OPTIONS[option])
    if (option === undefined)
      faults.push(`unknown option --${name}${didYouMean(name, taken, '--') || seeHelp(command)}`)
    else if (isGivenTwice) faults.push(`--${name} is given twice; give it once`)
    else typed[toCamelCase(name)] = value
  }
  faults.push(...faultsOfFlags(flags, words), ...faultsOf(command, places))
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return { typed, places }
}

/** yargs reads `--json=maybe` as false. */
function faultsOfFlags(flags: readonly string[], words: readonly string[]): string[] {
  return flags
    .filter((name) => words.some((word) => word.startsWith(`--${name}=`) && !/=(?:true|false)$/.test(word)))
    .map((name) => `--${name} is a flag: write --${name} or --${name}=false`)
}

const seeHelp = ({ name }: Command): string => `; see assist-harness ${name} --help`

/** What is wrong with the arguments. */
function faultsOf(command: Command, places: readonly string[]): string[] {
  const { name, place } = command
  const surplus = place === undefined ? places : place.many ? [] : places.slice(1)
  if (surplus.length > 0) return surplus.map((word) => `unknown argument ${word}${seeHelp(command)}`)
  if (place?.required === true && places.length === 0)
    return [`${name} needs ${place.need}${seeHelp(command)}`]
  return places.some((word) => word.trim() === '')
    ? [`${name} got an empty argument; it needs ${place?.need}`]
    : []
}
