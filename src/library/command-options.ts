// Which options each command takes, as a program and the command line give them.
import type * as z from 'zod'
import type { OPTIONS, OptionName } from './option-table.ts'
import type { CamelCase } from './read-options.ts'

const CHOICE = ['format', 'tag', 'grep', 'sample', 'seed', 'shard'] as const
const COMPARED = ['fail-on', 'alpha', 'margin', 'min-overlap'] as const
const JUDGED = [
  ...(['threshold', 'pass-policy', 'grounded-sources', 'baseline'] as const),
  ...COMPARED,
  ...(['quota', 'reviews', 'excel'] as const),
]
/** Of `run` and `load`. */
const SENT = [
  ...(['base-url', 'api-key-env', 'kb', 'organization', 'allow-http'] as const),
  ...(['max-calls', 'give-up-after', 'timeout', 'quota'] as const),
  ...CHOICE,
  ...(['grounded-sources', 'rotating-ids', 'threshold', 'hash-end-user-refs', 'out'] as const),
]
/** What `run` takes to begin; `estimate` takes it, too, so that one may be exchanged for the other. */
const BEGUN = [
  ...SENT,
  ...(['rate', 'share', 'concurrency', 'limiter', 'on-ambiguous', 'repeat', 'reviews'] as const),
  ...(['pass-policy', 'baseline', 'excel'] as const),
  ...COMPARED,
]

export const COMMAND_OPTIONS = {
  run: [...BEGUN, 'resume', 'retry-errors'],
  estimate: [...BEGUN, 'answer-time'],
  load: [
    ...(['arrival-rate', 'stages', 'arrivals', 'duration', 'think-time', 'max-in-flight'] as const),
    ...(['users', 'find-limit', 'max-rate'] as const),
    ...SENT,
  ],
  validate: ['format'],
  report: [...JUDGED, 'ledger'],
  merge: [...JUDGED, 'out'],
  compare: [...COMPARED, 'history', 'quota', 'grounded-sources', 'reviews', 'seed', 'out', 'excel'],
  history: ['since', 'target', 'out', 'excel'],
  sandbox: ['port', 'host', 'kb', 'watch', 'seed', 'log'],
} as const satisfies Readonly<Record<string, readonly OptionName[]>>

export type CommandName = keyof typeof COMMAND_OPTIONS

/** Written as in the config file: `'60/min'`, `'30s'`, `['coverage>=80%']`. */
export type CommandSettings<Name extends CommandName> = {
  readonly [One in (typeof COMMAND_OPTIONS)[Name][number] as CamelCase<One>]?:
    z.input<(typeof OPTIONS)[One]['value']> | undefined
}
