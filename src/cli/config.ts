// The config file: YAML, checked, unknown keys rejected with a suggestion; and what holds for each target of
// a command.
import { existsSync } from 'node:fs'
import type { Ports, TargetOptions } from '../library/index.ts'
import { didYouMean, optionError, UsageError } from '../options/faults.ts'
import { removedOption } from '../options/removed.ts'
import {
  COMPARING_OPTIONS,
  optionNames,
  optionsOf,
  readValues,
  type RunSettings,
} from '../options/settings.ts'
import type { CommandName } from '../options/table.ts'
import { names as listOfNames } from '../options/values.ts'
import type { Typed } from './typed.ts'

/** Options as written, by their names in camelCase, with their parsed values. */
interface Options {
  readonly written: Typed
  readonly parsed: RunSettings
}

export interface Config extends Options {
  readonly file: string
  /** Question sets of a command without any on its line. */
  readonly datasets: readonly string[]
  readonly targets: ReadonlyMap<string, Options>
}

const DEFAULT_CONFIG = 'assist-harness.yaml'

const runKeys = optionNames(({ config }) => config !== undefined)
/** For suggestions. */
const fileKeys = new Set([...runKeys, 'datasets', 'targets'])
const targetKeys = optionNames(({ config }) => config === 'target')
const EXAMPLE = 'as in targets: { production: { baseUrl: https://desk.example.com } }'

/** Reads `path`, or the default file if there is one. Throws UsageError with every fault in it. */
export async function loadConfig(path: string | undefined): Promise<Config> {
  const file = path ?? DEFAULT_CONFIG
  if (path === undefined && !existsSync(file))
    return { file, datasets: [], written: {}, parsed: {}, targets: new Map() }
  const { readYaml } = await import('./read-yaml.ts')
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
    readYaml(file),
    'the file must contain options with their values, as in rate: 60/min',
  )
  const common = read(rest, fileKeys)
  const sets = listOfNames.typed.optional().safeParse(datasets)
  faults.push(...(sets.error?.issues ?? []).map(({ message }) => `datasets ${message}`))
  const named = new Map<string, Options>()
  for (const [name, value] of Object.entries(asObject(targets, `targets must have names, ${EXAMPLE}`))) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      faults.push(`targets: the name '${name}' becomes a folder name; use letters, digits, '.', '_' and '-'`)
    const own = asObject(value, `targets.${name} must contain the target's options, ${EXAMPLE}`)
    named.set(name, read(own, targetKeys, `targets.${name}.`))
  }
  if (faults.length > 0)
    throw new UsageError(faults.map((fault) => ({ path: '', message: `${file}: ${fault}` })))
  return { file, datasets: sets.data ?? [], ...common, targets: named }
}

/** What a command sends with, and where: options for the library's function. */
export interface Chosen {
  /** Common to all targets, as written. */
  readonly options: Typed
  readonly isSandbox: boolean
  /** Undefined: the desk of `baseUrl` or the environment. */
  readonly targets: readonly TargetOptions[] | undefined
}

/**
 * The command line wins: a typed target or base URL replaces a sandbox of the config file, and a typed
 * sandbox or base URL replaces its targets, so that it does not get their keys. Throws UsageError if two are
 * typed.
 */
export function targetsOfConfig(
  command: CommandName,
  config: Config,
  { written, parsed }: Options,
  { env }: Pick<Ports, 'env'>,
): Chosen {
  const named = parsed.baseUrl !== undefined ? 'baseUrl' : parsed.target === undefined ? undefined : 'target'
  if (parsed.baseUrl !== undefined && parsed.target !== undefined)
    throw optionError('baseUrl', 'cannot be used with --target: a target has its own base URL')
  if (named !== undefined && parsed.sandbox === true)
    throw optionError(named, 'cannot be used with --sandbox; give one of them')
  const settings = { ...config.parsed, ...parsed }
  const isSandbox = named === undefined && settings.sandbox === true
  if (parsed.kb !== undefined && !isSandbox) throw optionError('kb', 'needs --sandbox')
  const taken = optionsOf(command)
  for (const name of Object.keys(config.written)) {
    const removed = taken.has(name) ? undefined : removedOption(name, command)
    if (removed !== undefined) throw new UsageError(`${config.file}: ${name} ${removed}`)
  }
  const options = pick(
    { ...comparing(config, settings), ...written },
    (name) => taken.has(name) && name !== 'target',
  )
  if (isSandbox)
    return { options: pick(options, (name) => name !== 'baseUrl'), isSandbox, targets: undefined }
  const withoutKb = pick(options, (name) => name !== 'kb')
  const names = named === 'baseUrl' ? undefined : (settings.target ?? onlyTarget(config, settings, env))
  if (names === undefined) return { options: withoutKb, isSandbox, targets: undefined }
  for (const name of names) {
    const own = config.targets.get(name)
    if (own === undefined)
      throw optionError(
        'target',
        `${name} is not in ${config.file}${didYouMean(name, [...config.targets.keys()])}`,
      )
    // Its key must not go to the address in the environment, which belongs to another desk.
    if (own.parsed.baseUrl === undefined && settings.baseUrl === undefined)
      throw new UsageError(`target ${name} has no baseUrl; add it, as in baseUrl: https://desk.example.com`)
  }
  const targets = [...new Set(names)].map((name) => targetOf(config, name, command, written))
  return { options: withoutKb, isSandbox, targets }
}

/** All targets of the config file, whose addresses a resume reads. */
export const allTargets = (config: Config, command: CommandName): TargetOptions[] =>
  [...config.targets.keys()].map((name) => targetOf(config, name, command, {}))

/** What the file says for every target of a command, and of each of them. */
export const configured = (config: Config, command: CommandName) => ({
  options: pick(
    comparing(config, config.parsed),
    (name) => optionsOf(command).has(name) && !['target', 'kb', 'out', 'continue'].includes(name),
  ),
  targets: allTargets(config, command),
})

/** `typed`: wins over the target's own options. */
function targetOf(config: Config, name: string, command: CommandName, typed: Typed): TargetOptions {
  const taken = optionsOf(command)
  const own = config.targets.get(name)?.written ?? {}
  return { name, ...pick(own, (key) => taken.has(key) && !Object.hasOwn(typed, key)) }
}

const pick = (options: Typed, isMeant: (name: string) => boolean): Typed =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isMeant(name)))

/** Options of comparisons in the config file may wait for the first baseline. */
const comparing = ({ written }: Config, { baseline }: RunSettings): Typed =>
  baseline === undefined ? pick(written, (name) => !COMPARING_OPTIONS.has(name)) : written

/** Without a choice, the only target of the config file; of several, one must be chosen. */
function onlyTarget(
  { file, targets }: Config,
  { baseUrl }: RunSettings,
  env: Ports['env'],
): readonly string[] | undefined {
  const known = [...targets.keys()]
  if (baseUrl !== undefined || known.length === 0) return undefined
  if (known.length === 1) return known
  if ((env['ASSIST_BASE_URL'] ?? '') !== '') return undefined
  throw new UsageError(`${file} has several targets; choose with --target: ${known.join(', ')}`)
}
