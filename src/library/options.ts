// What a program says of a run: the options of the command line in camelCase, as the config file has them.
import {
  optionsByKey,
  readOption,
  type OptionName,
  type RunSettings,
  type WrittenSettings,
} from './read-options.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** Options that mean something to a person at a terminal, or to a config file, and nothing to a program. */
type NotTaken = 'json' | 'debug' | 'target' | 'config' | 'sandbox'

const RUN_OPTIONS = [
  ...([
    'base-url',
    'api-key-env',
    'kb',
    'organization',
    'allow-http',
    'rate',
    'share',
    'concurrency',
  ] as const),
  ...([
    'limiter',
    'max-calls',
    'give-up-after',
    'timeout',
    'quota',
    'format',
    'tag',
    'grep',
    'repeat',
  ] as const),
  ...(['sample', 'seed', 'shard', 'grounded-sources', 'rotating-ids', 'reviews', 'threshold'] as const),
  ...(['pass-policy', 'baseline', 'fail-on', 'alpha', 'margin', 'min-overlap', 'out', 'resume'] as const),
  ...(['retry-errors', 'excel', 'on-ambiguous', 'hash-end-user-refs'] as const),
] satisfies OptionName[]

/** Every option of a run, written as in the config file: `'60/min'`, `'30s'`, `['coverage>=80%']`. */
export type RunSettingsWritten = Omit<WrittenSettings, NotTaken>

/** Their meanings. Throws UsageError naming the option. */
export function readOptions(
  written: Readonly<Record<string, unknown>>,
  taken: readonly OptionName[] = RUN_OPTIONS,
): RunSettings {
  const options = optionsByKey((_, name) => taken.includes(name))
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written)) {
    if (value === undefined) continue
    const option = options.get(name)
    if (option === undefined)
      throw new UsageError(`${name} is unknown${didYouMean(name, [...options.keys()])}`)
    const read = readOption(option, value)
    if ('fault' in read) throw new UsageError(`${name} ${read.fault}`)
    settings[name] = read.meaning
  }
  return settings
}
