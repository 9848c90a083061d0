// The options and examples of each command, for help and the parser.
import { COMMAND_OPTIONS, type CommandName } from '../library/options.ts'
import type { OptionName } from '../library/option-table.ts'

export interface Declaration {
  readonly options: readonly OptionName[]
  /** Options that are accepted, and not shown. */
  readonly unshown?: readonly OptionName[]
  /** Arguments of `assist-harness`. */
  readonly examples: readonly string[]
}

/** In addition to the library's options. */
const SENT = ['target', 'sandbox', 'json', 'open', 'debug', 'config'] as const

/** Those of `run` that change what it costs. */
const COSTS: readonly OptionName[] = [
  ...(['format', 'tag', 'grep', 'sample', 'seed', 'shard'] as const),
  ...(['repeat', 'rate', 'share', 'concurrency', 'max-calls', 'on-ambiguous', 'rotating-ids'] as const),
  ...(['quota', 'target', 'config', 'json'] as const),
]

export const DECLARATIONS: Readonly<Record<CommandName, Declaration>> = {
  run: {
    options: [...COMMAND_OPTIONS.run, ...SENT],
    examples: ['run datasets/quickstart.csv --sandbox'],
  },
  estimate: {
    options: [...COMMAND_OPTIONS.estimate, ...SENT],
    unshown: [...COMMAND_OPTIONS.estimate, ...SENT].filter((name) => !COSTS.includes(name)),
    examples: ['estimate questions.csv --quota 10000 --rate 60/min'],
  },
  load: {
    options: [...COMMAND_OPTIONS.load, ...SENT],
    examples: [
      'load questions.csv --sandbox --arrival-rate 2/s --duration 30s',
      'load questions.csv --find-limit --max-calls 300',
    ],
  },
  validate: { options: [...COMMAND_OPTIONS.validate, 'json'], examples: ['validate questions.csv'] },
  report: {
    options: [...COMMAND_OPTIONS.report, 'json', 'open'],
    examples: ["report reports/nightly --threshold 'coverage>=80%'"],
  },
  merge: {
    options: [...COMMAND_OPTIONS.merge, 'json', 'open'],
    examples: ['merge reports/shard-1 reports/shard-2 --out reports/whole'],
  },
  compare: {
    options: [...COMMAND_OPTIONS.compare, 'json', 'open'],
    examples: [
      'compare reports/monday reports/tuesday',
      'compare reports/accepted reports/nightly --history reports',
    ],
  },
  history: {
    options: [...COMMAND_OPTIONS.history, 'json', 'open'],
    examples: ['history reports'],
  },
  sandbox: {
    options: [...COMMAND_OPTIONS.sandbox, 'config'],
    examples: ['sandbox --port 0 --kb articles'],
  },
}

export function shownOptions(command: CommandName): OptionName[] {
  const { options, unshown = [] } = DECLARATIONS[command]
  return options.filter((name) => !unshown.includes(name))
}
