// What a program says of a run: the options of the command line in camelCase, as the config file has them.
import type * as z from 'zod'
import type { OptionSpec } from '../cli/options/option-spec.ts'
import {
  optionEntries,
  runOptions,
  toCamelCase,
  type CamelCase,
  type OptionName,
  type RunSettings,
} from '../cli/options/run-options.ts'
import { readWritten } from '../cli/options/written-value.ts'
import { didYouMean } from '../cli/suggest.ts'
import { UsageError } from '../cli/usage-error.ts'

/** Options that mean something to a person at a terminal, or to a config file, and nothing to a program. */
const NOT_TAKEN = ['json', 'debug', 'target', 'config', 'sandbox'] as const

type Table = typeof runOptions
type Name = Exclude<keyof Table, (typeof NOT_TAKEN)[number]>

/** A word of a choice; any other text may be a number, too. */
type Text<Meaning> = [Meaning] extends [string]
  ? string extends Meaning
    ? string | number
    : Meaning
  : string | number

type Written<Spec extends OptionSpec> = Spec['kind'] extends 'flag'
  ? boolean
  : Spec['kind'] extends 'list'
    ? string | readonly string[]
    : Text<z.output<Spec['value']>>

/** Every option of a run, written as in the config file: `'60/min'`, `'30s'`, `['coverage>=80%']`. */
export type RunSettingsWritten = {
  readonly [N in Name as CamelCase<N>]?: Written<Table[N]> | undefined
}

/** Their meanings. Throws UsageError naming the option. `taken`: in kebab case. */
export function readOptions(
  written: Readonly<Record<string, unknown>>,
  taken: readonly OptionName[] = RUN_NAMES,
): RunSettings {
  const specs = new Map(
    optionEntries
      .filter(([name]) => taken.includes(name))
      .map(([name, spec]) => [toCamelCase(name), spec] as const),
  )
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written)) {
    if (value === undefined) continue
    const spec = specs.get(name)
    if (spec === undefined) throw new UsageError(`${name} is unknown${didYouMean(name, [...specs.keys()])}`)
    const parsed = readWritten(value, spec)
    if (!parsed.success) throw new UsageError(`${name} ${parsed.error.issues[0]?.message}`)
    settings[name] = parsed.data
  }
  return settings
}

const RUN_NAMES = (Object.keys(runOptions) as (keyof Table)[]).filter(
  (name) => !(NOT_TAKEN as readonly string[]).includes(name),
)
