// Parses a command line with yargs, and runs the command.
import yargs, { type Argv } from 'yargs'
import { type Option, OPTIONS } from '../library/option-table.ts'
import { isFlag, toCamelCase } from '../library/options.ts'
import { VERSION } from '../library/shipped.ts'
import { didYouMean, UsageError } from '../library/usage-error.ts'
import { type Command, COMMANDS, usageOf } from './command-table.ts'
import { HANDLERS } from './commands.ts'
import { type Declaration, DECLARATIONS } from './declarations.ts'

/** Returns the exit code. Throws UsageError for an invalid line. */
export async function parseAndRun(words: readonly string[]): Promise<number> {
  let code = 0
  // Without a command in front, the parser needs all of them to explain what is wrong.
  const named = COMMANDS.filter(({ name }) => name === words[0])
  const commands = named.length > 0 ? named : COMMANDS
  const declared = commands.map(({ name }) => DECLARATIONS[name])
  rejectOddFlags(words, declared)
  const reject = (complaint: string): UsageError =>
    new UsageError(explain(complaint, words, findCommand(words), declared))
  // yargs does not count arguments after `--` as the required ones: then they are checked here.
  const checksPositionals = words.includes('--')
  const parser = yargs([...words]).scriptName('assist-harness')
  for (const one of commands) {
    const place = one.place && { ...one.place, required: one.place.required && !checksPositionals }
    const command = place === undefined ? one : { ...one, place }
    parser.command(
      usageOf(command),
      command.describe,
      (yargsOfIt) => declare(yargsOfIt, command),
      async (line) => {
        const places = readPositionals(line, one, reject)
        code = await HANDLERS[one.name](readTyped(line, DECLARATIONS[one.name]), places)
      },
    )
  }
  await parser
    .demandCommand(1, 'a command is missing; see assist-harness --help')
    .strict()
    .parserConfiguration({
      'parse-positional-numbers': false,
      'parse-numbers': false,
      'dot-notation': false,
      'boolean-negation': false,
      'short-option-groups': false,
    })
    .version(VERSION)
    // yargs's messages are matched below, so they must be English.
    .detectLocale(false)
    .help(false)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // yargs's own complaints come as strings or as its YError; every other error is ours.
      if (error !== undefined && error.name !== 'YError') throw error
      const complaint = error?.message ?? message ?? 'the command line is invalid'
      throw reject(complaint)
    })
    .parseAsync()
  return code
}

/** yargs gets no texts: `help.ts` writes them, and a command starts faster without them. */
function declare(yargsOfIt: Argv, { name, place }: Command): Argv {
  if (place !== undefined) {
    const { many, required } = place
    yargsOfIt.positional(place.name, {
      type: 'string',
      ...(many ? { array: true } : {}),
      ...(required ? { demandOption: true } : {}),
    })
  }
  for (const option of DECLARATIONS[name].options) yargsOfIt.option(option, toYargs(OPTIONS[option]))
  return yargsOfIt
}

/** Only text, flags and lists; values get their meaning later. */
function toYargs(option: Option) {
  if (isFlag(option)) return { type: 'boolean' as const }
  const list = option.isList === true ? { array: true, nargs: 1 } : {}
  return { type: 'string' as const, requiresArg: true, ...list }
}

type Line = Readonly<Record<string, unknown>>

/** The options on the line, by their names in camelCase. */
function readTyped(line: Line, { options }: Declaration): Line {
  const typed: Record<string, unknown> = {}
  for (const name of options) {
    const given = line[name]
    if (given === undefined) continue
    if (!('isList' in OPTIONS[name]) && Array.isArray(given))
      throw new UsageError(`--${name} is given twice; give it once`)
    typed[toCamelCase(name)] = given
  }
  return typed
}

/** The command's positional arguments, also those after `--`, which may begin with a dash. */
function readPositionals(
  line: Line,
  { name, place }: Command,
  reject: (complaint: string) => Error,
): string[] {
  if (place === undefined) return []
  const { [place.name]: before = [], _: words } = line
  const all = [before, (words as readonly unknown[]).slice(1)].flat().map(String)
  if (place.required && all.length === 0) throw reject(NOT_ENOUGH)
  if (all.some((word) => word.trim() === ''))
    throw new UsageError(`${name} got an empty argument; it needs ${place.need}`)
  if (!place.many && all.length > 1) throw reject(`${UNKNOWN}: ${all.slice(1).join(', ')}`)
  return all
}

/** The first argument that is not an option. */
const findCommand = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? ''

/** yargs's messages for a missing and for a surplus argument. */
const NOT_ENOUGH = 'Not enough non-option arguments'
const UNKNOWN = 'Unknown argument'

/** Rewords yargs's message. `declared`: of that command, or of all. */
function explain(
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

/** yargs reads `--json=maybe` as false; a flag has no value, or true or false. */
function rejectOddFlags(words: readonly string[], declared: readonly Declaration[]): void {
  const options = declared.flatMap((one) => one.options)
  for (const word of words) {
    if (word === '--') return
    const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(word) ?? []
    const isAFlag = options.some((option) => option === name && isFlag(OPTIONS[option]))
    if (isAFlag && value !== 'true' && value !== 'false')
      throw new UsageError(`--${name} is a flag: write --${name} or --${name}=false`)
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
    return `unknown command ${command}${didYouMean(command, names) || `; commands are ${names.join(', ')}`}`
  const known = declared.flatMap(({ options }) => options)
  const typed = words.flatMap((word) => /^--?([^-=][^=]*)/.exec(word)?.slice(1, 2) ?? [])
  // yargs names an option with dashes in camel case, too; that spelling was not typed.
  const help = `; see assist-harness ${command} --help`
  const lines = unknown.flatMap((word) => {
    if (typed.includes(word)) return [`unknown option --${word}${didYouMean(word, known, '--') || help}`]
    return words.includes(word) ? [`unknown argument ${word}${help}`] : []
  })
  return lines.length === 0 ? `the command line is invalid${help}` : lines.join('\n')
}
