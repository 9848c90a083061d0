// From the command line to the exit code: yargs parses it and prints help; the library checks the values.
import type { Argv } from 'yargs'
import { KEY_VARIABLE, realPorts, VERSION } from '../library/index.ts'
import { asTyped, describeIssue, UsageError } from '../options/faults.ts'
import { terminalText as visible } from '../report/escape.ts'
import { COMMANDS } from './command-table.ts'
import type { Surroundings } from './commands.ts'
import { EXIT, sayFailure, Screen } from './screen.ts'
import { ProcessSignals } from './process.ts'

export async function main(args: readonly string[]): Promise<void> {
  const ports = realPorts()
  const screen = new Screen(ports.secrets)
  /** Ends as our fault: Node would end with 1, which says that a gate failed. */
  const endAsFault = (error: unknown): never => process.exit(sayFailure(error, screen))
  process.on('uncaughtException', endAsFault)
  const onStall = (): never =>
    endAsFault(new Error('the command waited for something that can no longer happen'))
  process.on('beforeExit', onStall)
  process.exitCode = await program(args, { screen, ports })
  process.off('beforeExit', onStall)
}

/** Returns the exit code, and throws nothing. */
export async function program(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await parse(args, surroundings)
  } catch (error) {
    return explain(error, args, surroundings)
  }
}

const EXIT_CODES = `Exit codes: 0 passed; 1 a gate failed; 2 usage, config or question set is wrong;
3 key rejected; 4 incomplete; 5 fault of the harness; 130, 143 interrupted`

/** The help of the whole program. yargs is not loaded for it: that takes as long as Node takes to start. */
const HELP = [
  'assist-harness <command>',
  'Sends your questions to an Assist endpoint, and reports and judges the answers.',
  [
    'Commands (assist-harness <command> --help lists the options of one):',
    ...COMMANDS.map(({ usage, describe }) => `  ${usage}\n    ${describe}`),
    '  completion\n    Print a script that completes commands and options in bash and zsh',
  ].join('\n'),
  'Options:\n      --version  Show version number\n  -h, --help     Show help',
  EXIT_CODES,
].join('\n\n')

async function parse(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const isHelp = args.some((word) => /^(-h|--help)\b/.test(word))
  if (isHelp && !COMMANDS.some(({ name }) => args.includes(name))) {
    await surroundings.screen.print(HELP)
    return EXIT.ok
  }
  // yargs looks for its rules in plain objects, and fails on these.
  const inherited = args.find((word) => (/^--?([^=]+)/.exec(word)?.[1] ?? '') in Object.prototype)
  if (inherited !== undefined) throw new UsageError(`unknown option ${inherited}`)
  let code: number = EXIT.ok
  const { default: yargs } = await import('yargs')
  const parser = yargs([...args])
    .scriptName('assist-harness')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    })
    .detectLocale(false)
    .wrap(Math.min(MAX_COLUMNS, process.stdout.columns ?? MIN_COLUMNS))
    .strictCommands()
    .recommendCommands()
    .demandCommand(1, 'a command is missing; see assist-harness --help')
    .completion('completion', 'Print a script that completes commands and options in bash and zsh')
    .version(VERSION)
    .alias('h', 'help')
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      const command = COMMANDS.find(({ name }) => name === args[0])
      // Behind a command, yargs takes one argument too many for another command.
      const [, wrong] = /^(Not enough|Unknown command)/.exec(message ?? '') ?? []
      if (command !== undefined && wrong !== undefined)
        throw new UsageError(
          `too ${wrong === 'Not enough' ? 'few' : 'many'} arguments: assist-harness ${command.usage}` +
            (wrong === 'Not enough' ? '' : (command.forMore ?? '')),
        )
      throw error ?? new UsageError(message ?? '')
    })
  for (const command of COMMANDS)
    parser.command({
      command: command.usage,
      describe: command.describe,
      // Loaded late: the option table takes half of the time of `--help`.
      builder: async (options: Argv) => {
        const { declareOptions } = await import('./written.ts')
        const isShown = isHelp || args[0] === '--get-yargs-completions'
        const declared = declareOptions(options, command, isShown)
        if (isShown) return declared.epilogue(EXIT_CODES)
        // yargs lays out the help of a command that it runs, too: 10 ms for one line, 50 with its options.
        return declared
          .usage(null as never)
          .hide('help')
          .hide('version')
      },
      handler: async (parsed) => {
        const { readParsed } = await import('./written.ts')
        const { typed, paths } = readParsed(command, parsed)
        // A signal during the start says that nothing was sent; loading the command takes most of it.
        const sends = command.name === 'run' || command.name === 'load'
        const signals = sends ? new ProcessSignals(surroundings.screen) : undefined
        const { runCommand } = await import('./commands.ts')
        code = await runCommand(command, { typed, paths, ...surroundings, signals })
      },
    })
  await parser.parseAsync()
  return code
}

const [MIN_COLUMNS, MAX_COLUMNS] = [80, 110]

async function explain(error: unknown, args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { screen, ports } = surroundings
  if (error instanceof Error && error.name === 'YError')
    return explain(new UsageError(error.message), args, surroundings)
  if (error instanceof UsageError) {
    // An invalid line may contain the key, and no command has hidden it yet.
    const named = args.filter((_, index) => args[index - 1] === '--api-key-env')
    named.push(...args.flatMap((word) => /^--api-key-env=(.*)$/.exec(word)?.slice(1) ?? []))
    for (const variable of [KEY_VARIABLE, ...named]) ports.secrets.keepLong(ports.env[variable])
    const lines = error.issues.map((issue) => describeIssue(issue, asTyped))
    for (const line of lines.flatMap((text) => text.split('\n'))) screen.say(visible(line))
    const faults = error.issues.map(({ path, isFile }, index) => ({
      path,
      isFile,
      message: lines[index] ?? '',
    }))
    const { annotateFault } = await import('../report/annotations.ts')
    // Beside faults of files, the number of faults needs no annotation of its own.
    const placed = faults.filter(({ isFile }) => isFile)
    screen.annotate((placed.length > 0 ? placed : faults).map(annotateFault))
    return EXIT.usage
  }
  return sayFailure(error, screen)
}
