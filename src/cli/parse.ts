// A command line through yargs: of the declared commands the one that is meant acts.
import yargs, { type Argv } from 'yargs'
import { usageOf, type Command, type Place } from './declarations/command-table.ts'
import type { Declaration } from './declarations/declaration.ts'
import { explain, refuseOddFlags } from './explain.ts'
import type { OptionHelp } from './options/option-spec.ts'
import { UsageError } from './usage-error.ts'
import { VERSION } from './version.ts'

export type DeclaredCommand = Command & { readonly declaration: Declaration }

/** Returns the exit code. Throws UsageError for a line that no command understands. */
export async function parseAndAct(
  words: readonly string[],
  commands: readonly DeclaredCommand[],
): Promise<number> {
  let code = 0
  const declared = commands.map(({ declaration }) => declaration)
  refuseOddFlags(words, declared)
  const isHelpWanted = words.some((word) => word === '--help' || word === '-h')
  const parser = yargs(inPlace(words, commands)).scriptName('assist-harness')
  for (const command of commands)
    parser.command(
      usageOf(command),
      command.describe,
      (yargsOfIt) => declare(yargsOfIt, command, isHelpWanted),
      async (typed) => {
        code = await command.declaration.act(typed)
      },
    )
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
    // Half a screen in the reader's language and half in ours helps nobody; and our own words are read out of yargs's.
    .detectLocale(false)
    .help()
    .alias('h', 'help')
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // yargs's own complaints come as strings or as its YError; every other error is ours.
      if (error !== undefined && error.name !== 'YError') throw error
      const complaint = error?.message ?? message ?? 'the command line is wrong'
      throw new UsageError(explain(complaint, words, commandOf(words), declared))
    })
    .parseAsync()
  return code
}

function declare(yargsOfIt: Argv, { place, declaration }: DeclaredCommand, isHelpWanted: boolean): Argv {
  const { options, unshown = [], examples } = declaration
  if (place !== undefined) declarePlace(yargsOfIt, place)
  for (const [name, help] of options)
    // yargs lays the help out for each command that it runs; nobody sees it then, and it takes a tenth of a second.
    yargsOfIt.option(name, { ...toYargs(help), hidden: !isHelpWanted || unshown.includes(name) })
  for (const [words, why] of examples) yargsOfIt.example(`$0 ${words}`, why)
  return yargsOfIt
}

/** Nothing but text, flags and lists; values get their meaning later. */
function toYargs({ kind, describe, default: byDefault, example, group }: OptionHelp) {
  return {
    describe: `${describe}${byDefault === undefined ? '' : ` [default: ${byDefault}]`}; e.g. ${example}`,
    ...(group === undefined ? {} : { group }),
    ...(kind === 'flag'
      ? { type: 'boolean' as const }
      : {
          type: 'string' as const,
          requiresArg: true,
          ...(kind === 'list' ? { array: true, nargs: 1 } : {}),
        }),
  }
}

const declarePlace = (yargsOfIt: Argv, { name, many, required, describe }: Place): Argv =>
  yargsOfIt.positional(name, {
    type: 'string',
    describe,
    ...(many ? { array: true } : {}),
    ...(required ? { demandOption: true } : {}),
  })

/**
 * yargs does not fill a place that is needed with what stands behind `--`: it is put there, and a path that begins with a
 * dash is written so that it is no option.
 */
function inPlace(words: readonly string[], commands: readonly DeclaredCommand[]): string[] {
  const [first = '', ...rest] = words
  const end = rest.indexOf('--')
  const isNeeded = commands.some(({ name, place }) => name === first && place?.required === true)
  if (end === -1 || !isNeeded) return [...words]
  const behind = rest.slice(end + 1).map((word) => (word.startsWith('-') ? `./${word}` : word))
  return [first, ...rest.slice(0, end), ...behind]
}

/** The word that stands where a command does. */
const commandOf = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? ''
