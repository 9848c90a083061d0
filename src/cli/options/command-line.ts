// Options from the command line: what yargs is told of them, and what was typed, by name.
import type { Argv } from 'yargs'
import { UsageError } from '../usage-error.ts'
import type { OptionSpec } from './option-spec.ts'
import {
  optionEntries,
  RUN_OPTION_NAMES,
  toCamelCase,
  type OptionName,
  type RunSettings,
} from './run-options.ts'

const isHelpWanted = process.argv.some((word) => word === '--help' || word === '-h')

/** What a command's help says of an option otherwise than its table does. */
type SaidOtherwise = Readonly<Partial<Record<OptionName, Partial<OptionSpec>>>>

/** Options as yargs sees them: nothing but text, flags and lists; values get their meaning later. Those of `run`, unless said. */
export const declareOptions = (
  yargs: Argv,
  only: readonly OptionName[] = RUN_OPTION_NAMES,
  said: SaidOtherwise = {},
): Argv =>
  declareSpecs(
    yargs,
    optionEntries
      .filter(([name]) => only.includes(name))
      .map(([name, spec]) => [name, { ...spec, ...said[name] }]),
  )

export function declareSpecs(yargs: Argv, specs: readonly (readonly [string, OptionSpec])[]): Argv {
  return specs.reduce(
    (declared, [name, { kind, describe, default: byDefault, example, group }]) =>
      declared.option(name, {
        group,
        // yargs lays the help out for each command that it runs; nobody sees it then, and it takes a tenth of a second.
        hidden: !isHelpWanted,
        describe: `${describe}${byDefault === undefined ? '' : ` [default: ${byDefault}]`}; e.g. ${example}`,
        ...(kind === 'flag'
          ? { type: 'boolean' as const }
          : {
              type: 'string' as const,
              requiresArg: true,
              ...(kind === 'list' ? { array: true, nargs: 1 } : {}),
            }),
      }),
    yargs,
  )
}

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
