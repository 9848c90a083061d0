// What each command takes on its line, and what it does: help and the parser read the same declaration.
import { OPTIONS, type OptionName } from '../library/option-table.ts'
import { readOption, toCamelCase, type RunSettings } from '../library/read-options.ts'
import { UsageError } from '../library/usage-error.ts'
import type { CommandName } from './command-table.ts'
import { say } from './output.ts'
import { orShipped } from './shipped.ts'

/** What was typed, by the names of options and places; nothing of it is read yet. */
export type Typed = Readonly<Record<string, unknown>>

export interface Declaration {
  readonly options: readonly OptionName[]
  /** Options that are taken, and not shown. */
  readonly unshown?: readonly OptionName[]
  /** Words behind `assist-harness`, and what they are good for. */
  readonly examples: readonly (readonly [words: string, why: string])[]
  /** Returns the exit code. Throws UsageError for what cannot be done as typed. */
  readonly act: (settings: RunSettings, typed: Typed) => Promise<number>
}

const TARGET = ['base-url', 'api-key-env', 'target', 'sandbox', 'kb', 'organization', 'allow-http'] as const
const CHOICE = ['format', 'tag', 'grep', 'sample', 'seed', 'shard'] as const
const COMPARED = ['fail-on', 'alpha', 'margin', 'min-overlap'] as const
const JUDGED = [
  ...(['threshold', 'pass-policy', 'grounded-sources', 'baseline'] as const),
  ...COMPARED,
  ...(['quota', 'reviews', 'excel', 'json'] as const),
]
/** Of `run` and `load`. */
const ASKED = [
  ...TARGET,
  ...(['max-calls', 'give-up-after', 'timeout', 'quota'] as const),
  ...CHOICE,
  ...(['grounded-sources', 'rotating-ids', 'threshold', 'hash-end-user-refs'] as const),
  ...(['out', 'json', 'debug', 'config'] as const),
]
/** What `run` takes to begin; `estimate` takes it, too, so that one may be exchanged for the other. */
const RUN = [
  ...ASKED,
  ...(['rate', 'share', 'concurrency', 'limiter', 'on-ambiguous', 'repeat', 'reviews'] as const),
  ...(['pass-policy', 'baseline', 'excel'] as const),
  ...COMPARED,
]
/** Those of `run` that change what it costs. */
const COSTS: readonly OptionName[] = [
  ...CHOICE,
  ...(['repeat', 'rate', 'share', 'concurrency', 'max-calls', 'on-ambiguous', 'rotating-ids'] as const),
  ...(['quota', 'target', 'config', 'json', 'answer-time'] as const),
]

export const DECLARATIONS: Readonly<Record<CommandName, Declaration>> = {
  run: {
    options: [...RUN, 'resume', 'retry-errors'],
    examples: [['run datasets/quickstart.csv --sandbox', 'Try it: no key, no quota']],
    act: async (settings, typed) => (await import('./commands/run.ts')).run(setsOf(typed), settings),
  },
  estimate: {
    options: [...RUN, 'answer-time'],
    unshown: RUN.filter((name) => !COSTS.includes(name)),
    examples: [
      ['estimate datasets/quickstart.csv', 'Calls, worst case and time; no key is needed'],
      ['estimate questions.csv --quota 10000 --rate 60/min', 'Share of the allowance, and the time'],
    ],
    act: async (settings, typed) =>
      (await import('./commands/estimate.ts')).estimate(setsOf(typed), settings),
  },
  load: {
    options: [
      ...(['arrival-rate', 'stages', 'arrivals', 'duration', 'think-time', 'max-in-flight'] as const),
      ...(['users', 'find-limit', 'max-rate'] as const),
      ...ASKED,
    ],
    examples: [
      ['load datasets/quickstart.csv --sandbox --arrival-rate 2/s --duration 30s', 'Try it'],
      ['load set.csv --stages 2m:10/s,10m:10/s --max-calls 20000', 'Up to ten a second, then ten minutes'],
      ['load set.csv --find-limit --max-calls 300', "Look for the organization's limit"],
    ],
    act: async (settings, typed) => (await import('./commands/load.ts')).load(setsOf(typed), settings),
  },
  validate: {
    options: ['format', 'json'],
    examples: [['validate questions.csv', '']],
    act: async (settings, typed) =>
      (await import('./commands/validate.ts')).validate(setsOf(typed), settings),
  },
  report: {
    options: [...JUDGED, 'ledger'],
    examples: [
      ['report reports/nightly --ledger usage.csv', "Does the organization's own count agree?"],
      ['report reports/nightly', ''],
    ],
    act: async (settings, typed) =>
      (await import('./commands/report.ts')).report(String(typed['run']), settings),
  },
  merge: {
    options: [...JUDGED, 'out'],
    examples: [['merge reports/part-1 reports/part-2 reports/part-3 --out reports/nightly', '']],
    act: async (settings, typed) => (await import('./commands/merge.ts')).merge(runsOf(typed), settings),
  },
  compare: {
    options: [
      ...COMPARED,
      ...(['history', 'quota', 'grounded-sources', 'reviews', 'seed', 'out', 'excel', 'json'] as const),
    ],
    examples: [
      ['compare reports/monday reports/tuesday', ''],
      ['compare reports/accepted reports/nightly --history reports', 'Which of them changed before'],
    ],
    act: async (settings, typed) => (await import('./commands/compare.ts')).compare(runsOf(typed), settings),
  },
  history: {
    options: ['since', 'target', 'out', 'excel', 'json'],
    examples: [
      ['history reports', 'Is it getting better?'],
      ['history reports --since 2026-10-01 --target production --out public', 'A quarter of one target'],
    ],
    act: async (settings, typed) =>
      (await import('./commands/history.ts')).history(String(typed['folder']), settings),
  },
  sandbox: {
    options: ['port', 'host', 'kb', 'config', 'watch', 'seed', 'log'],
    examples: [['sandbox --port 0 --watch --kb articles', 'Edit an article, and ask again']],
    act: async (settings) => (await import('./commands/sandbox.ts')).sandbox(settings),
  },
}

/** Question sets as named; those of the package where the README's are not at hand. */
const setsOf = (typed: Typed): string[] =>
  (typed['dataset'] as readonly string[]).map((path) => orShipped(path, say))

const runsOf = (typed: Typed): readonly string[] => typed['runs'] as readonly string[]

/** The settings that were typed; what is wrong with them is a UsageError naming the option, not the value. */
export function readTyped(typed: Typed, names: readonly OptionName[]): RunSettings {
  const settings: Record<string, unknown> = {}
  for (const name of names) {
    const given = typed[name]
    if (given === undefined) continue
    const option = OPTIONS[name]
    if (!('isList' in option) && Array.isArray(given))
      throw new UsageError(`--${name} is given twice; give it once`)
    const read = readOption(option, given)
    if ('fault' in read) throw new UsageError(`--${name} ${read.fault}`)
    settings[toCamelCase(name)] = read.meaning
  }
  return settings
}
