// Options on the command line: declared to yargs from the option table, and read from what yargs parsed.
import type { ArgumentsCamelCase, Argv, Options } from 'yargs'
import { isFlag, isList, SECTIONS, type Option, type OptionName, shownDefault } from '../options/table.ts'
import { shows, takes } from '../options/commands.ts'
import { asTyped, didYouMean, UsageError } from '../options/faults.ts'
import { removedOption } from '../options/removed.ts'
import type { Command } from './command-table.ts'

/** Holds options by their names in camelCase; the values are not parsed yet. */
export type Typed = Readonly<Record<string, unknown>>

const optionsOf = (command: Command) =>
  Object.entries<Partial<Record<OptionName, Option>>>(SECTIONS).flatMap(([heading, section]) =>
    Object.entries(section)
      .filter(([key]) => takes(command.name, key as OptionName))
      .map(([key, option]) => ({ name: asTyped(key).slice(2), key, option, heading })),
  )

export function declareOptions(parser: Argv, command: Command, isHelp: boolean): Argv {
  const described = optionsOf(command).map(({ name, key, option, heading }): [string, Options] => [
    name,
    {
      group: `${heading}:`,
      describe: summaryOf(name, option),
      hidden: !isHelp || !shows(command.name, key),
      ...(isFlag(option) ? { boolean: true } : { string: true, requiresArg: true, array: isList(option) }),
      ...(shownDefault(option) === undefined ? {} : { defaultDescription: shownDefault(option) }),
    },
  ])
  for (const example of command.examples) parser.example(`$0 ${example}`, '')
  return parser.options(Object.fromEntries(described))
}

function summaryOf(name: string, { describe, example = '' }: Option): string {
  const [sentence = ''] = describe.split(/\.(?: |$)/)
  const [, value] = new RegExp(`--${name} ('[^']*'|[^-]\\S*)`).exec(example) ?? []
  return value === undefined ? sentence : `${sentence}, as in ${value}`
}

/** Throws UsageError with every option that the command does not have or that is given twice. */
export function readParsed(
  command: Command,
  parsed: ArgumentsCamelCase,
): { readonly typed: Typed; readonly paths: readonly string[] } {
  const { _: named, $0: _program, ...rest } = parsed
  const positional = [...command.usage.matchAll(/[<[](\w+)/g)].map(([, name = '']) => name)
  // Behind the command stands what followed `--`.
  const paths = [...positional.map((name) => rest[name] ?? []), named.slice(1)].flat().map(String)
  const known = new Map(optionsOf(command).map((option) => [option.name, option]))
  const typed: Record<string, unknown> = {}
  const faults: string[] = []
  const seeHelp = `; see assist-harness ${command.name} --help`
  if (paths.some((path) => path.trim() === '')) faults.push(`an argument is empty${seeHelp}`)
  for (const [name, value] of Object.entries(rest)) {
    if (positional.includes(name)) continue
    const option = known.get(name)
    const removed = option === undefined ? removedOption(name, command.name) : undefined
    if (removed !== undefined) faults.push(`--${name} ${removed}`)
    else if (option === undefined)
      faults.push(`unknown option --${name}${didYouMean(name, [...known.keys()], '--') || seeHelp}`)
    else if (Array.isArray(value) && !isList(option.option))
      faults.push(`--${name} is given twice; give it once`)
    else typed[option.key] = value
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return { typed, paths }
}
