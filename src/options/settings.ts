// Options of a command from a command line, a config file or a program.
import type * as z from 'zod'
import { type CommandName, OF_COMMAND_LINE, takes } from './commands.ts'
import { type Option, optionEntries, type OptionName, type Options, OPTIONS } from './table.ts'
import { didYouMean, type Issue, optionError, UsageError } from './faults.ts'
import { removedOption } from './removed.ts'
import type { WrittenOptions } from './written.ts'

export type RunSettings = { readonly [Name in OptionName]?: z.output<Options[Name]['value']['typed']> }

type DefaultedName = {
  [Name in OptionName]: Options[Name] extends { default: unknown } ? Name : never
}[OptionName]

const DEFAULTS = Object.fromEntries(
  optionEntries.flatMap(([name, { default: byDefault }]) =>
    byDefault === undefined ? [] : [[name, byDefault]],
  ),
) as { readonly [Name in DefaultedName]: z.output<Options[Name]['value']['typed']> }

export const withDefaults = (settings: RunSettings) => ({ ...DEFAULTS, ...settings })

export const optionsOf = (command: CommandName): ReadonlySet<string> =>
  optionNames((_, name) => takes(command, name) && !OF_COMMAND_LINE.some((excluded) => excluded === name))

export type CommandOptions<Command extends CommandName> = WrittenOptions[Command]

export type OwnOptions = WrittenOptions['target']

export const optionNames = (isMeant: (option: Option, name: OptionName) => boolean): ReadonlySet<string> =>
  new Set(optionEntries.flatMap(([name, option]) => (isMeant(option, name) ? [name] : [])))

/** Throws UsageError with every option of a program that is unknown or invalid. */
export function readOptions(command: CommandName, written: Readonly<Record<string, unknown>>): RunSettings {
  const { settings, issues } = readValues(written, optionsOf(command), command)
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** Reads the options in `known`; `command` is absent in a config file. */
export function readValues(
  written: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  command?: CommandName,
): { readonly settings: RunSettings; readonly issues: readonly Issue[] } {
  const settings: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [path, value] of Object.entries(written)) {
    if (value === undefined) continue
    const parsed = known.has(path) ? OPTIONS[path as OptionName].value.typed.safeParse(value) : undefined
    if (parsed?.success === true) settings[path] = parsed.data
    else {
      const message = parsed?.error.issues[0]?.message ?? removedOption(path, command)
      issues.push({ path, message: message ?? `is unknown${didYouMean(path, [...known]) || '; remove it'}` })
    }
  }
  return { settings, issues }
}

/** Throws UsageError for options of comparisons without a baseline, be it one `recorded` by the run. */
export function requireBaseline(typed: RunSettings, recorded?: string): void {
  const option = Object.keys(typed).find((name) => COMPARING_OPTIONS.has(name))
  if (option !== undefined && (typed.baseline ?? recorded) === undefined)
    throw optionError(option, 'needs --baseline DIR')
}

export const COMPARING_OPTIONS: ReadonlySet<string> = new Set([
  'requireBaseline',
  'failOn',
  'alpha',
  'margin',
  'minOverlap',
])

/** Checks paths, since JavaScript callers may pass anything. */
export function checkPaths(path: string, value: unknown): asserts value is readonly string[] {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
  if (!isList) throw optionError(path, `must be a list of paths, as in ['questions.csv']`)
}

export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'not given'
  if (Array.isArray(value)) return value.length === 0 ? 'not given' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
