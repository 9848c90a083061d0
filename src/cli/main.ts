#!/usr/bin/env node
// A map of the commands; each opens in `commands/`. Decides the exit code, and nothing else does.
import yargs, { type Argv } from 'yargs'
import { EXIT } from './exit-codes.ts'
import { declareOptions, readCommandLine } from './options/command-line.ts'
import { declareSandboxOptions } from './options/sandbox-options.ts'
import { say, survivePipes } from './output.ts'
import { explain, refuseOddFlags } from './explain.ts'
import { UsageError } from './usage-error.ts'
import { VERSION } from './version.ts'

async function main(words: readonly string[]): Promise<number> {
  let code: number = EXIT.ok
  refuseOddFlags(words)
  const commands = yargs([...words])
    .scriptName('assist-harness')
    .usage('$0 <command>\n\nAsks an Assist endpoint your questions, and accounts for the answers.')
    .command(
      'run [dataset..]',
      'Ask every question of one or more CSV files, record, summarise, gate',
      (command) =>
        declareOptions(datasets(command)).example(
          '$0 run datasets/quickstart.csv --sandbox',
          'Try it: no key, no quota',
        ),
      async (typed) => {
        const { run } = await import('./commands/run.ts')
        code = await run(datasetsOf(typed), readCommandLine(typed))
      },
    )
    .command(
      'validate [dataset..]',
      'Say everything that is wrong with a question set, with file and line',
      (command) => datasets(command).option('json', jsonOption).example('$0 validate questions.csv', ''),
      async (typed) => {
        const { validate } = await import('./commands/validate.ts')
        code = await validate(datasetsOf(typed), typed['json'] === true)
      },
    )
    .command(
      'report <run>',
      'Write the reports of a recorded run again',
      (command) =>
        command
          .positional('run', { type: 'string', demandOption: true, describe: 'The run folder' })
          .option('json', jsonOption)
          .example('$0 report reports/nightly', ''),
      async (typed) => {
        const { report } = await import('./commands/report.ts')
        code = await report(typed.run, typed['json'] === true)
      },
    )
    .command(
      'sandbox',
      'A local Assist endpoint that keeps the whole contract, for trying, testing and demos',
      declareSandboxOptions,
      async (typed) => {
        const { sandbox } = await import('./commands/sandbox.ts')
        code = await sandbox(typed)
      },
    )
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
    .help()
    .alias('h', 'help')
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // yargs's own complaints come as strings or as its YError; every other error is ours.
      if (error !== undefined && error.name !== 'YError') throw error
      throw new UsageError(
        explain(error?.message ?? message ?? 'the command line is wrong', commandOf(words)),
      )
    })
  if (words.length === 0) say(await commands.getHelp())
  await commands.parseAsync()
  return code
}

const jsonOption = { type: 'boolean', describe: 'Print the figures as JSON on stdout; e.g. --json' } as const

function datasets(command: Argv): Argv {
  return command.positional('dataset', {
    type: 'string',
    array: true,
    describe: 'Question sets (CSV files)',
  })
}

/** Those in their place, and those behind `--`: there a name may begin with a dash. */
const datasetsOf = (typed: Readonly<Record<string, unknown>>): string[] =>
  [...((typed['dataset'] as unknown[] | undefined) ?? []), ...((typed['_'] as unknown[]) ?? []).slice(1)].map(
    String,
  )

/** The word that stands where a command does. */
const commandOf = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? ''

survivePipes()
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    say(error.message)
    process.exitCode = EXIT.usage
  } else {
    say(
      `A fault of the harness itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    process.exitCode = EXIT.fault
  }
}
