// Which options each command takes, and their values from a command line, a config file or a program.
import { existsSync } from 'node:fs'
import type * as z from 'zod'
import { type CommandName, type Option, type OptionName, OPTIONS } from './table.ts'
import { runsIn } from '../store/folder.ts'
import { didYouMean, type Issue, optionError, UsageError } from './faults.ts'

type Options = typeof OPTIONS

/** Parsed options from any source; absent: not given. */
export type RunSettings = { readonly [Name in OptionName]?: z.output<Options[Name]['value']> }

/** Options of the command line alone, which no function of the library takes. */
const OF_COMMAND_LINE = ['target', 'sandbox', 'json', 'open', 'debug', 'config'] as const

/** Written as in the config file: `'60/min'`, `'30s'`, `['coverage>=80%']`. */
export type CommandSettings<Command extends CommandName> = {
  readonly [
    Name in Exclude<OptionName, (typeof OF_COMMAND_LINE)[number]> as IsTaken<
      Command,
      Options[Name]
    > extends true
      ? Name
      : never
  ]?: z.input<Options[Name]['value']> | undefined
}

/** As `takes`. */
type IsTaken<Command, One extends Pick<Option, 'commands'>> = Command extends One['commands'][number]
  ? true
  : [Command, 'run', One] extends ['estimate', One['commands'][number], { readonly config: string }]
    ? true
    : false

/** `estimate` also takes what the config file of `run` may hold, so that one command line serves both. */
export const takes = (command: CommandName, { commands, config }: Option): boolean =>
  commands.includes(command) || (command === 'estimate' && commands.includes('run') && config !== undefined)

export const optionEntries: readonly (readonly [name: string, option: Option])[] = Object.entries(OPTIONS)

/** Of the options for which `isMeant` holds. */
export const optionNames = (isMeant: (option: Option, name: string) => boolean): ReadonlySet<string> =>
  new Set(optionEntries.flatMap(([name, option]) => (isMeant(option, name) ? [name] : [])))

/** Parses the options that a program gives to a command. Throws UsageError with every option that is unknown or invalid. */
export function readOptions(command: CommandName, written: Readonly<Record<string, unknown>>): RunSettings {
  const own: readonly string[] = OF_COMMAND_LINE
  const { settings, issues } = readValues(
    written,
    optionNames((option, name) => takes(command, option) && !own.includes(name)),
  )
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** `known`: the names of options that may be given. */
export function readValues(
  written: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): { readonly settings: RunSettings; readonly issues: readonly Issue[] } {
  const settings: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [path, value] of Object.entries(written)) {
    if (value === undefined) continue
    const parsed = known.has(path) ? OPTIONS[path as OptionName].value.safeParse(value) : undefined
    if (parsed?.success === true) settings[path] = parsed.data
    else {
      const message = parsed?.error.issues[0]?.message
      issues.push({ path, message: message ?? `is unknown${didYouMean(path, [...known]) || '; remove it'}` })
    }
  }
  return { settings, issues }
}

/**
 * With `--continue`, the options of a resume if the folder of `--out` holds a run, else those of a start. `out`: of the config file. Throws
 * UsageError without a folder.
 */
export function continued({ continue: isContinued, ...typed }: RunSettings, out = typed.out): RunSettings {
  if (isContinued !== true) return typed
  if (typed.resume !== undefined)
    throw optionError('continue', 'cannot be used with --resume; give one of them')
  if (out === undefined) throw optionError('continue', 'needs --out DIR, the folder of the run')
  const { out: _out, retryErrors, ...rest } = typed
  if (!existsSync(out) || runsIn(out).length === 0) return { ...rest, out }
  return { ...rest, resume: out, ...(retryErrors === undefined ? {} : { retryErrors }) }
}

/** Throws UsageError for an option of comparisons where nothing is compared. `recorded`: the baseline of the run before. */
export function requireBaseline(typed: RunSettings, recorded: string | null = null): void {
  const lonely = COMPARING.find((name) => Object.hasOwn(typed, name))
  if (lonely !== undefined && (typed.baseline ?? recorded) === null)
    throw optionError(lonely, 'needs --baseline DIR')
}
const COMPARING = ['requireBaseline', 'failOn', 'alpha', 'margin', 'minOverlap'] as const

/** JavaScript callers may pass anything. */
export function checkPaths(path: string, value: unknown): asserts value is readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
  if (!isList) throw optionError(path, `must be a list of paths, as in ['questions.csv']`)
}

/** An option's value, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'not given'
  if (Array.isArray(value)) return value.length === 0 ? 'not given' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
