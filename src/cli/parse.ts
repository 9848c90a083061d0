// Parses a command line, and runs the command.
import { parseArgs } from 'node:util'
import { type Option, type OptionName, OPTIONS } from '../library/option-table.ts'
import { isFlag, toCamelCase } from '../library/options.ts'
import { didYouMean, UsageError } from '../library/usage-error.ts'
import { type Command, COMMANDS } from './command-table.ts'
import { HANDLERS, type Typed } from './commands.ts'
import { DECLARATIONS } from './declarations.ts'

/** Returns the exit code. Throws UsageError for an invalid line. */
export async function parseAndRun([name = '', ...words]: readonly string[]): Promise<number> {
  const command = COMMANDS.find((one) => one.name === name)
  if (command !== undefined) {
    const { typed, places } = readLine(command, words)
    return HANDLERS[command.name](typed, places)
  }
  if (name.trim() === '' || name.startsWith('-'))
    throw new UsageError('a command is missing; see assist-harness --help')
  const names = COMMANDS.map((one) => one.name)
  throw new UsageError(
    `unknown command ${name}${didYouMean(name, names) || `; commands are ${names.join(', ')}`}`,
  )
}

/** Options by their names in camelCase, and arguments. Values get their meaning later. Throws UsageError with every fault. */
function readLine(command: Command, words: readonly string[]): { typed: Typed; places: string[] } {
  const taken = DECLARATIONS[command.name].options
  const options = Object.fromEntries(
    taken.map((name) => [name, { type: isFlag(OPTIONS[name]) ? 'boolean' : 'string' } as const]),
  )
  // Strict mode would stop at the first fault, and name no near option.
  const { tokens } = parseArgs({
    args: [...words],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const typed: Record<string, unknown> = {}
  const places: string[] = []
  const faults: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') places.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName } = token
    const option: Option | undefined = name in options ? OPTIONS[name as OptionName] : undefined
    const key = toCamelCase(name)
    if (option === undefined) faults.push(`unknown option ${rawName}${didYouMean(name, taken, '--')}`)
    else if (option.isList !== true && key in typed) faults.push(`${rawName} is given twice; give it once`)
    else if (isFlag(option)) {
      const { value = 'true' } = token
      if (value !== 'true' && value !== 'false')
        faults.push(`${rawName} is a flag: write ${rawName} or ${rawName}=false`)
      typed[key] = value === 'true'
    } else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
      faults.push(`${rawName} needs a value`)
    else
      typed[key] =
        option.isList === true ? [...((typed[key] as string[] | undefined) ?? []), token.value] : token.value
  }
  // The word behind an unknown option may be its value.
  if (faults.length === 0) faults.push(...faultsOf(command, places))
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return { typed, places }
}

/** What is wrong with the arguments. */
function faultsOf({ name, place }: Command, places: readonly string[]): string[] {
  const surplus = place === undefined ? places : place.many ? [] : places.slice(1)
  if (surplus.length > 0) return surplus.map((word) => `unknown argument ${word}`)
  if (place?.required === true && places.length === 0)
    return [`${name} needs ${place.need}: see assist-harness ${name} --help`]
  return places.some((word) => word.trim() === '')
    ? [`${name} got an empty argument; it needs ${place?.need}`]
    : []
}
