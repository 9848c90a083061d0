// What a program says: the options of a command by their names in camelCase, as the config file has them.
import { COMMAND_OPTIONS, type CommandName } from './command-options.ts'
import { optionsByKey, readOption, type OptionName, type RunSettings } from './read-options.ts'
import { didYouMean } from './suggest.ts'
import { optionError, UsageError, type Issue } from './usage-error.ts'

/** Their meanings. Throws UsageError with every option that is unknown or wrong. */
export function readOptions(command: CommandName, written: Readonly<Record<string, unknown>>): RunSettings {
  const taken: readonly OptionName[] = COMMAND_OPTIONS[command]
  const options = optionsByKey((_, name) => taken.includes(name))
  const settings: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [path, value] of Object.entries(written)) {
    if (value === undefined) continue
    const option = options.get(path)
    const read =
      option === undefined
        ? { fault: `is unknown${didYouMean(path, [...options.keys()])}` }
        : readOption(option, value)
    if ('fault' in read) issues.push({ path, message: read.fault })
    else settings[path] = read.meaning
  }
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** Callers without types hand over anything. */
export function checkPaths(path: string, value: unknown): asserts value is readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
  if (!isList) throw optionError(path, `must be a list of paths, as in ['questions.csv']`)
}

/** Throws UsageError. */
export function checkObject(value: unknown, example: string): void {
  if (typeof value !== 'object' || value === null)
    throw new UsageError(`options are missing, as in ${example}`)
}
