// Options by their names in camelCase, as programs and the config file write them, and which options each command takes.
import * as z from 'zod'
import { type Option, type OptionName, OPTIONS } from './option-table.ts'
import { didYouMean, type Issue, optionError, UsageError } from './usage-error.ts'

/** Parses the options of a command. Throws UsageError with every option that is unknown or invalid. */
export function readOptions(command: CommandName, written: Readonly<Record<string, unknown>>): RunSettings {
  const taken: readonly OptionName[] = COMMAND_OPTIONS[command]
  const { settings, issues } = readValues(
    written,
    optionsByKey((_, name) => taken.includes(name)),
  )
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** `options`: the known ones, by their names in camelCase. */
export function readValues(
  written: Readonly<Record<string, unknown>>,
  options: ReadonlyMap<string, Option>,
): { readonly settings: RunSettings; readonly issues: readonly Issue[] } {
  const settings: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [path, value] of Object.entries(written)) {
    if (value === undefined) continue
    const option = options.get(path)
    const parsed = option?.value.safeParse(value)
    if (parsed?.success === true) settings[path] = parsed.data
    else
      issues.push({
        path,
        message:
          parsed?.error.issues[0]?.message ??
          `is unknown${didYouMean(path, [...options.keys()]) || '; remove it'}`,
      })
  }
  return { settings, issues }
}

/** JavaScript callers may pass anything. */
export function checkPaths(path: string, value: unknown): asserts value is readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
  if (!isList) throw optionError(path, `must be a list of paths, as in ['questions.csv']`)
}

/** `base-url` as the config file has it: `baseUrl`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S

/** Parsed options from any source; absent: not given. */
export type RunSettings = {
  readonly [Name in OptionName as CamelCase<Name>]?: z.output<(typeof OPTIONS)[Name]['value']>
}

export const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const optionEntries = Object.entries(OPTIONS) as readonly (readonly [OptionName, Option])[]

/** An option's value, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'not given'
  if (Array.isArray(value)) return value.length === 0 ? 'not given' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const isFlag = ({ value }: Option): boolean => value instanceof z.ZodBoolean

/** The options for which `isMeant` holds, by their names in camelCase. */
export const optionsByKey = (
  isMeant: (option: Option, name: OptionName) => boolean = () => true,
): ReadonlyMap<string, Option> =>
  new Map(
    optionEntries
      .filter(([name, option]) => isMeant(option, name))
      .map(([name, option]) => [toCamelCase(name), option]),
  )

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
/** Options of a new run. `estimate` takes the same, so that one command line serves both. */
const BEGUN = [
  ...SENT,
  ...(['rate', 'share', 'concurrency', 'limiter', 'on-ambiguous', 'repeat', 'reviews'] as const),
  ...(['pass-policy', 'baseline', 'excel'] as const),
  ...COMPARED,
]

/** Throws UsageError for an option of comparisons where nothing is compared. `recorded`: the baseline of the run before. */
export function requireBaseline(typed: RunSettings, recorded: string | null = null): void {
  const lonely = COMPARED.map(toCamelCase).find((name) => Object.hasOwn(typed, name))
  if (lonely !== undefined && (typed.baseline ?? recorded) === null)
    throw optionError(lonely, 'needs --baseline DIR')
}

export const COMMAND_OPTIONS = {
  run: [...BEGUN, 'resume', 'retry-errors'],
  estimate: BEGUN,
  load: [
    ...(['arrival-rate', 'stages', 'duration', 'think-time', 'max-in-flight'] as const),
    ...(['users', 'find-limit'] as const),
    ...SENT,
  ],
  validate: ['format'],
  report: [...JUDGED, 'ledger'],
  merge: [...JUDGED, 'out'],
  compare: [...COMPARED, 'history', 'quota', 'grounded-sources', 'reviews', 'out', 'excel'],
  history: ['out', 'excel'],
  sandbox: ['port', 'kb'],
} as const satisfies Readonly<Record<string, readonly OptionName[]>>

export type CommandName = keyof typeof COMMAND_OPTIONS

/** Written as in the config file: `'60/min'`, `'30s'`, `['coverage>=80%']`. */
export type CommandSettings<Name extends CommandName> = {
  readonly [One in (typeof COMMAND_OPTIONS)[Name][number] as CamelCase<One>]?:
    z.input<(typeof OPTIONS)[One]['value']> | undefined
}
