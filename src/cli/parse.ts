// A command line through yargs: of the declared commands the one that is meant acts.
import yargs, { type Argv } from 'yargs'
import { usageOf, type Command, type Place } from './declarations/command-table.ts'
import type { Declaration, Typed } from './declarations/declaration.ts'
import { explain, NOT_ENOUGH, refuseOddFlags, UNKNOWN } from './explain.ts'
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
  const refuse = (complaint: string): UsageError =>
    new UsageError(explain(complaint, words, commandOf(words), declared))
  // It does not fill a place that is needed with what stands behind `--`: then it is looked at here.
  const isLeftToUs = words.includes('--')
  const parser = yargs([...words]).scriptName('assist-harness')
  for (const named of commands) {
    const place = named.place && { ...named.place, required: named.place.required && !isLeftToUs }
    const command = place === undefined ? named : { ...named, place }
    parser.command(
      usageOf(command),
      command.describe,
      (yargsOfIt) => declare(yargsOfIt, command, isHelpWanted),
      async (typed) => {
        code = await named.declaration.act(inPlace(typed, named, refuse))
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
      throw refuse(complaint)
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

/** All that was typed for the command's place under its name, behind `--`, too: there a name may begin with a dash. */
function inPlace(typed: Typed, { name, place }: Command, refuse: (complaint: string) => Error): Typed {
  if (place === undefined) return typed
  const { [place.name]: before = [], _: words } = typed
  const all = [before, (words as readonly unknown[]).slice(1)].flat().map(String)
  if (place.required && all.length === 0) throw refuse(NOT_ENOUGH)
  if (all.some((word) => word.trim() === ''))
    throw new UsageError(`${name} was given an empty word; it needs ${place.need}`)
  const [only, ...surplus] = all
  if (!place.many && surplus.length > 0) throw refuse(`${UNKNOWN}: ${surplus.join(', ')}`)
  return { ...typed, [place.name]: place.many ? all : only }
}

/** The word that stands where a command does. */
const commandOf = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? ''
