// What each command takes on its line: help and the parser read the same declaration.
import { COMMAND_OPTIONS, type CommandName } from '../library/options.ts'
import type { OptionName } from '../library/option-table.ts'

export interface Declaration {
  readonly options: readonly OptionName[]
  /** Options that are taken, and not shown. */
  readonly unshown?: readonly OptionName[]
  /** Words behind `assist-harness`, and what they are good for. */
  readonly examples: readonly (readonly [words: string, why: string])[]
}

/** Beside those of the library: whom the config file names, and how the command talks. */
const SENT = ['target', 'sandbox', 'json', 'open', 'debug', 'config'] as const

/** Those of `run` that change what it costs. */
const COSTS: readonly OptionName[] = [
  ...(['format', 'tag', 'grep', 'sample', 'seed', 'shard'] as const),
  ...(['repeat', 'rate', 'share', 'concurrency', 'max-calls', 'on-ambiguous', 'rotating-ids'] as const),
  ...(['quota', 'target', 'config', 'json', 'answer-time'] as const),
]

export const DECLARATIONS: Readonly<Record<CommandName, Declaration>> = {
  run: {
    options: [...COMMAND_OPTIONS.run, ...SENT],
    examples: [['run datasets/quickstart.csv --sandbox', 'Try it: no key, no quota']],
  },
  estimate: {
    options: [...COMMAND_OPTIONS.estimate, ...SENT],
    unshown: [...COMMAND_OPTIONS.estimate, ...SENT].filter((name) => !COSTS.includes(name)),
    examples: [
      ['estimate datasets/quickstart.csv', 'Calls, worst case and time; no key is needed'],
      ['estimate questions.csv --quota 10000 --rate 60/min', 'Share of the allowance, and the time'],
    ],
  },
  load: {
    options: [...COMMAND_OPTIONS.load, ...SENT],
    examples: [
      ['load datasets/quickstart.csv --sandbox --arrival-rate 2/s --duration 30s', 'Try it'],
      ['load set.csv --stages 2m:10/s,10m:10/s --max-calls 20000', 'Up to ten a second, then ten minutes'],
      ['load set.csv --find-limit --max-calls 300', "Look for the organization's limit"],
    ],
  },
  validate: { options: [...COMMAND_OPTIONS.validate, 'json'], examples: [['validate questions.csv', '']] },
  report: {
    options: [...COMMAND_OPTIONS.report, 'json', 'open'],
    examples: [
      ['report reports/nightly --ledger usage.csv', "Does the organization's own count agree?"],
      ['report reports/nightly', ''],
    ],
  },
  merge: {
    options: [...COMMAND_OPTIONS.merge, 'json', 'open'],
    examples: [['merge reports/shard-1 reports/shard-2 reports/shard-3 --out reports/nightly', '']],
  },
  compare: {
    options: [...COMMAND_OPTIONS.compare, 'json', 'open'],
    examples: [
      ['compare reports/monday reports/tuesday', ''],
      ['compare reports/accepted reports/nightly --history reports', 'Which of them changed before'],
    ],
  },
  history: {
    options: [...COMMAND_OPTIONS.history, 'json', 'open'],
    examples: [
      ['history reports', 'Is it getting better?'],
      ['history reports --since 2026-10-01 --target production --out public', 'A quarter of one target'],
    ],
  },
  sandbox: {
    options: [...COMMAND_OPTIONS.sandbox, 'config'],
    examples: [['sandbox --port 0 --kb articles', 'Answer from your own articles']],
  },
}
