// What a program says: the options of a command by their names in camelCase, as the config file has them.
import * as z from 'zod'
import { type Option, type OptionName, OPTIONS } from './option-table.ts'
import { didYouMean, type Issue, optionError, UsageError } from './usage-error.ts'

/** Their meanings. Throws UsageError with every option that is unknown or wrong. */
export function readOptions(command: CommandName, written: Readonly<Record<string, unknown>>): RunSettings {
  const taken: readonly OptionName[] = COMMAND_OPTIONS[command]
  const { settings, issues } = readValues(
    written,
    optionsByKey((_, name) => taken.includes(name)),
  )
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** `options`: by their names in camelCase. */
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

/** Callers without types hand over anything. */
export function checkPaths(path: string, value: unknown): asserts value is readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
  if (!isList) throw optionError(path, `must be a list of paths, as in ['questions.csv']`)
}

/** `base-url` as the config file has it: `baseUrl`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S

/** What was said of the options, wherever it was said; absent is not said. */
export type RunSettings = {
  readonly [Name in OptionName as CamelCase<Name>]?: z.output<(typeof OPTIONS)[Name]['value']>
}

export const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const optionEntries = Object.entries(OPTIONS) as readonly (readonly [OptionName, Option])[]

/** For a message: what an option was, or is. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'not given'
  if (Array.isArray(value)) return value.length === 0 ? 'not given' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const isFlag = ({ value }: Option): boolean => value instanceof z.ZodBoolean

/** Those that a test holds for, by their names in camelCase. */
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
/** What `run` takes to begin; `estimate` takes it, too, so that one may be exchanged for the other. */
const BEGUN = [
  ...SENT,
  ...(['rate', 'share', 'concurrency', 'limiter', 'on-ambiguous', 'repeat', 'reviews'] as const),
  ...(['pass-policy', 'baseline', 'excel'] as const),
  ...COMPARED,
]

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
