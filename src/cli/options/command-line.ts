// Options of the command line: as a command declares them, and what was typed, by name.
import { UsageError } from '../usage-error.ts'
import type { NamedOption, OptionSpec } from './option-spec.ts'
import { optionEntries, toCamelCase, type OptionName, type RunSettings } from './run-options.ts'

/** What is said of an option otherwise than its table does, by one command or by the library. */
export type SaidOtherwise = Readonly<
  Partial<Record<OptionName, Partial<Pick<OptionSpec, 'describe' | 'default' | 'example'>>>>
>

/** Of the options of `run` and `load`, in the order of their tables. */
export const optionsOf = (only: readonly OptionName[], said: SaidOtherwise = {}): NamedOption[] =>
  optionEntries
    .filter(([name]) => only.includes(name))
    .map(([name, spec]) => [name, { ...spec, ...said[name] }])

/** The settings that were typed; what is wrong with them is a UsageError naming the option, not the value. */
export const readCommandLine = (typed: Readonly<Record<string, unknown>>): RunSettings =>
  readTyped(typed, optionEntries)

/** By name in camelCase. */
export function readTyped(
  typed: Readonly<Record<string, unknown>>,
  specs: readonly (readonly [string, OptionSpec])[],
): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [name, { kind, value }] of specs) {
    const given = typed[name]
    if (given === undefined) continue
    if (kind !== 'list' && Array.isArray(given))
      throw new UsageError(`--${name} is given twice; give it once`)
    const parsed = value.safeParse(given)
    if (!parsed.success) throw new UsageError(`--${name} ${parsed.error.issues[0]?.message}`)
    settings[toCamelCase(name)] = parsed.data
  }
  return settings
}
