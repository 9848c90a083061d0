#!/usr/bin/env node
// A map of the commands; each opens in `commands/`. Decides the exit code, and nothing else does.
import yargs, { type Argv } from 'yargs'
import { EXIT } from './exit-codes.ts'
import { declareLedgerOptions, readLedgerSettings } from './ledger/options.ts'
import { declareOptions, readCommandLine } from './options/command-line.ts'
import { declareCompareOptions, WORSE } from './options/declare-compare.ts'
import { declareEstimateOptions, readEstimateCommandLine } from './options/declare-estimate.ts'
import { LOAD_OPTION_NAMES, SAID_IN_LOAD, SHARED_WITH_LOAD } from './options/load-options.ts'
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
        code = await run(wordsOf(typed, 'dataset'), readCommandLine(typed))
      },
    )
    .command(
      'estimate [dataset..]',
      'Calls, worst case, time and share of the quota, before the first call and without a key',
      (command) => declareEstimateOptions(datasets(command)),
      async (typed) => {
        const { estimate } = await import('./commands/estimate.ts')
        code = await estimate(
          wordsOf(typed, 'dataset'),
          readCommandLine(typed),
          readEstimateCommandLine(typed),
        )
      },
    )
    .command(
      'load [dataset..]',
      'Offer a chosen arrival rate of threads, and report what the endpoint did',
      (command) =>
        declareOptions(datasets(command), LOAD_OPTIONS, SAID_IN_LOAD)
          .example('$0 load datasets/quickstart.csv --sandbox --arrival-rate 2/s --duration 30s', 'Try it')
          .example(
            '$0 load set.csv --stage 2m:10/s --stage 10m:10/s --arrivals poisson --max-calls 20000',
            'Up to ten threads a second, then ten minutes of them',
          )
          .example('$0 load set.csv --find-limit --max-calls 300', "Seek the organization's limit"),
      async (typed) => {
        const { load } = await import('./commands/load.ts')
        code = await load(wordsOf(typed, 'dataset'), readCommandLine(typed))
      },
    )
    .command(
      'validate [dataset..]',
      'Say everything that is wrong with a question set, with file and line',
      (command) =>
        declareOptions(datasets(command), ['format', 'no-header'])
          .option('write', writeOption)
          .option('json', jsonOption)
          .example('$0 validate questions.csv', '')
          .example('$0 validate promptfoo.csv --write questions.csv', "Migrate another tool's set"),
      async (typed) => {
        const { validate } = await import('./commands/validate.ts')
        code = await validate(wordsOf(typed, 'dataset'), readCommandLine(typed), typed['write'])
      },
    )
    .command(
      'report <run>',
      'Write the reports of a recorded run again',
      (command) =>
        declareLedgerOptions(
          declareOptions(
            command.positional('run', { type: 'string', demandOption: true, describe: 'The run folder' }),
            REPORT_OPTIONS,
          ),
        )
          .option('dataset', datasetOption)
          .example('$0 report reports/nightly', '')
          .example(
            '$0 report reports/nightly --dataset questions.csv',
            'Grade old answers by new expectations',
          ),
      async (typed) => {
        const { report } = await import('./commands/report.ts')
        const ledger = readLedgerSettings(typed)
        code = await report(String(typed['run']), readCommandLine(typed), typed['dataset'] ?? [], ledger)
      },
    )
    .command(
      'compare <runs..>',
      'What changed between recorded runs, the baseline first, and whether it is more than noise',
      (command) =>
        declareCompareOptions(
          command.positional('runs', {
            type: 'string',
            array: true,
            demandOption: true,
            describe:
              "Run folders: the baseline (or another tool's export of results), then one candidate or more",
          }),
        )
          .example('$0 compare reports/monday reports/tuesday', '')
          .example('$0 compare reports/accepted reports/nightly --history reports', 'Know what is flaky'),
      async (typed) => {
        const { compare } = await import('./commands/compare.ts')
        code = await compare(wordsOf(typed, 'runs'), readCommandLine(typed))
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
    // Half a screen in the reader's language and half in ours helps nobody; and our own words are read out of yargs's.
    .detectLocale(false)
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

const REPORT_OPTIONS = [
  ...([
    'threshold',
    'allow-errors',
    'pass-policy',
    'grounded-sources',
    'success-status',
    'baseline',
  ] as const),
  ...WORSE,
  ...(['quota', 'quota-period', 'reviews', 'excel', 'json'] as const),
] as const

const LOAD_OPTIONS = [...LOAD_OPTION_NAMES, ...SHARED_WITH_LOAD]

const writeOption = {
  type: 'string',
  requiresArg: true,
  describe: "Write the sets into one file, in the harness's own form; e.g. --write questions.csv",
} as const

const datasetOption = {
  type: 'string',
  array: true,
  nargs: 1,
  requiresArg: true,
  describe:
    'Grade by what this question set expects now; repeat it for several; e.g. --dataset questions.csv',
} as const

const jsonOption = { type: 'boolean', describe: 'Print the figures as JSON on stdout; e.g. --json' } as const

function datasets(command: Argv): Argv {
  return command.positional('dataset', {
    type: 'string',
    array: true,
    describe: 'Question sets (CSV files)',
  })
}

/** Those in their place, and those behind `--`: there a name may begin with a dash. */
const wordsOf = (typed: Readonly<Record<string, unknown>>, place: 'dataset' | 'runs'): string[] =>
  [...((typed[place] as unknown[] | undefined) ?? []), ...((typed['_'] as unknown[]) ?? []).slice(1)].map(
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
