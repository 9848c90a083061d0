// What the user wrote: options on the command line, declared to yargs from the option table, and in the
// config file.
import { existsSync, readFileSync } from 'node:fs'
import type { ArgumentsCamelCase, Argv, Options as Declaration } from 'yargs'
import type { Ports, TargetOptions } from '../library/index.ts'
import { type CommandName, shows, takes } from '../options/commands.ts'
import { asTyped, didYouMean, messageOf, UsageError } from '../options/faults.ts'
import { addressIn, placeOf } from '../options/place.ts'
import { removedOption } from '../options/removed.ts'
import {
  COMPARING_OPTIONS,
  optionNames,
  optionsOf,
  readValues,
  type RunSettings,
} from '../options/settings.ts'
import { isFlag, isList, type Option, type OptionName, SECTIONS, shownDefault } from '../options/table.ts'
import { names as listOfNames } from '../options/values.ts'
import type { Command } from './command-table.ts'

/** Holds options by their names in camelCase; the values are not parsed yet. */
export type Typed = Readonly<Record<string, unknown>>

const declaredBy = (command: Command) =>
  Object.entries<Partial<Record<OptionName, Option>>>(SECTIONS).flatMap(([heading, section]) =>
    Object.entries(section)
      .filter(([key]) => takes(command.name, key as OptionName))
      .map(([key, option]) => ({ name: asTyped(key).slice(2), key, option, heading })),
  )

export function declareOptions(parser: Argv, command: Command, isHelp: boolean): Argv {
  const described = declaredBy(command).map(({ name, key, option, heading }): [string, Declaration] => [
    name,
    {
      group: `${heading}:`,
      describe: summaryOf(name, option),
      hidden: !isHelp || !shows(command.name, key),
      ...(isFlag(option) ? { boolean: true } : { string: true, requiresArg: true, array: isList(option) }),
      ...(shownDefault(option) === undefined ? {} : { defaultDescription: shownDefault(option) }),
    },
  ])
  if (isHelp) for (const example of command.examples) parser.example(`$0 ${example}`, '')
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
  const known = new Map(declaredBy(command).map((option) => [option.name, option]))
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

interface Options {
  readonly written: Typed
  readonly parsed: RunSettings
}

export interface Config extends Options {
  readonly file: string
  readonly datasets: readonly string[]
  readonly targets: ReadonlyMap<string, Options>
}

const DEFAULT_CONFIG = 'assist-harness.yaml'

const runKeys = optionNames(({ config }) => config !== undefined)
const fileKeys = new Set([...runKeys, 'datasets', 'targets'])
const targetKeys = optionNames(({ config }) => config === 'target')
const EXAMPLE = 'as in targets: { production: { baseUrl: https://desk.example.com } }'

/** Reads `path`, or the default file if there is one. Throws UsageError with every fault in it. */
export async function loadConfig(path: string | undefined): Promise<Config> {
  const file = path ?? DEFAULT_CONFIG
  if (path === undefined && !existsSync(file))
    return { file, datasets: [], written: {}, parsed: {}, targets: new Map() }
  const faults: string[] = []
  const asObject = (value: unknown, fault: string): Typed => {
    if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
    if (value !== undefined) faults.push(fault)
    return {}
  }
  const read = (written: Typed, known: ReadonlySet<string>, where = ''): Options => {
    const { settings: parsed, issues } = readValues(written, known)
    faults.push(...issues.map(({ path: key, message }) => `${where}${key} ${message}`))
    return { written, parsed }
  }
  const { targets, datasets, ...rest } = asObject(
    await readYaml(file),
    'the file must contain options with their values, as in rate: 60/min',
  )
  const common = read(rest, fileKeys)
  const sets = listOfNames.typed.optional().safeParse(datasets)
  faults.push(...(sets.error?.issues ?? []).map(({ message }) => `datasets ${message}`))
  const named = new Map<string, Options>()
  for (const [name, value] of Object.entries(asObject(targets, `targets must have names, ${EXAMPLE}`))) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      faults.push(`targets: the name '${name}' becomes a folder name; use letters, digits, '.', '_' and '-'`)
    const options = asObject(value, `targets.${name} must contain the target's options, ${EXAMPLE}`)
    named.set(name, read(options, targetKeys, `targets.${name}.`))
  }
  if (faults.length > 0)
    throw new UsageError(faults.map((fault) => ({ path: '', message: `${file}: ${fault}` })))
  return { file, datasets: sets.data ?? [], ...common, targets: named }
}

/** Joins what is typed and the config file. Throws UsageError if neither chooses one of several targets. */
export function targetsOfConfig(
  command: CommandName,
  config: Config,
  { written, parsed }: Options,
  { env }: Ports,
) {
  const { sandbox: isSandbox, target, baseUrl } = placeOf(parsed, config.parsed)
  const known = [...config.targets.keys()]
  const isOpen = !isSandbox && target === undefined && baseUrl === undefined
  if (isOpen && known.length > 1 && addressIn(env) === undefined)
    throw new UsageError(`${config.file} has several targets; choose with --target: ${known.join(', ')}`)
  const common = comparing(config, { ...config.parsed, ...parsed })
  const kb = parsed.kb ?? (isSandbox ? config.parsed.kb : undefined)
  const taken = optionsOf(command)
  for (const name of Object.keys(config.written)) {
    const removed = taken.has(name) ? undefined : removedOption(name, command)
    if (removed !== undefined) throw new UsageError(`${config.file}: ${name} ${removed}`)
  }
  const options = takenBy(command, { ...common, ...written, target, baseUrl, kb })
  const isMeant = target !== undefined || (isOpen && known.length === 1)
  return { options, isSandbox, targets: isMeant ? targetsIn(config, command, written) : [] }
}

export const targetsIn = (config: Config, command: CommandName, typed: Typed = {}): TargetOptions[] =>
  [...config.targets].map(([name, { written }]) => ({
    name,
    ...pick(takenBy(command, written), (key) => !Object.hasOwn(typed, key)),
  }))

export const configured = (config: Config): Typed =>
  pick(
    comparing(config, config.parsed),
    (name) => optionsOf('run').has(name) && !['target', 'kb', 'out', 'continue'].includes(name),
  )

/** Keeps what the library's function takes. */
export const takenBy = (command: CommandName, options: Typed): Typed =>
  pick(options, (name) => optionsOf(command).has(name))

const pick = (options: Typed, isMeant: (name: string) => boolean): Typed =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isMeant(name)))

/** Drops options of comparisons in the config file, which may wait for the first baseline. */
const comparing = ({ written }: Config, { baseline }: RunSettings): Typed =>
  baseline === undefined ? pick(written, (name) => !COMPARING_OPTIONS.has(name)) : written

/** Throws UsageError if there is no such file or it is not YAML. */
export async function readYaml(file: string): Promise<unknown> {
  // Loaded late: the package takes long to load, and most commands need none.
  const { parse } = await import('yaml')
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 }) as unknown
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const [what = ''] = messageOf(error).split('\n')
    if (code === 'ENOENT')
      throw new UsageError(`${file}: no such file; check its name and the current folder`)
    if (syscall !== undefined) throw new UsageError(`${file}: cannot be read (${what})`)
    throw new UsageError(`${file}: not valid YAML: ${what.replace(/:$/, '')}`)
  }
}
