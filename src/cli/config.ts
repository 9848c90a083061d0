// The config file: YAML, checked, unknown keys rejected with a suggestion; and what holds for each target of a command.
import { existsSync } from 'node:fs'
import type { Option } from '../library/option-table.ts'
import { isFlag, optionsByKey, readOption, type RunSettings } from '../library/options.ts'
import { didYouMean, asTyped, optionError, UsageError } from '../library/usage-error.ts'
import type { NamedTarget } from '../library/targets.ts'

export interface Config {
  /** Undefined where there is none. */
  readonly file: string | undefined
  readonly settings: RunSettings
  readonly targets: ReadonlyMap<string, RunSettings>
}

const DEFAULT_CONFIG = 'assist-harness.yaml'

const runKeys = optionsByKey(({ config }) => config !== undefined)
const targetKeys = optionsByKey(({ config }) => config === 'target')

/** Reads `path`, or the default file where there is one. Throws UsageError with every fault in it. */
export async function loadConfig(path: string | undefined): Promise<Config> {
  const file = path ?? DEFAULT_CONFIG
  if (path === undefined && !existsSync(file)) return { file: undefined, settings: {}, targets: new Map() }
  const faults: string[] = []
  const { readYaml } = await import('./read-yaml.ts')
  const root = asObject(
    readYaml(file),
    faults,
    'the file must contain options with their values, as in rate: 60/min',
  )
  const { targets, ...rest } = root
  const settings = readSettings(rest, runKeys, '', faults)
  const named = new Map<string, RunSettings>()
  const example = 'targets: { production: { baseUrl: https://desk.example.com } }'
  const entries =
    targets === undefined
      ? {}
      : asObject(targets, faults, `targets must contain targets by name, as in ${example}`)
  if (targets === null || (targets !== undefined && Object.keys(entries).length === 0 && faults.length === 0))
    faults.push(`targets is empty; add one, as in ${example}`)
  for (const [name, value] of Object.entries(entries)) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      faults.push(`targets: the name '${name}' becomes a folder name; use letters, digits, '.', '_' and '-'`)
    const own = asObject(value, faults, `targets.${name} must contain the target's options, as in ${example}`)
    named.set(name, readSettings(own, targetKeys, `targets.${name}.`, faults))
  }
  if (faults.length > 0)
    throw new UsageError(faults.map((message) => ({ path: '', message: `${file}: ${message}` })))
  return { file, settings, targets: named }
}

function asObject(value: unknown, faults: string[], fault: string): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  faults.push(fault)
  return {}
}

function readSettings(
  values: Record<string, unknown>,
  keys: ReadonlyMap<string, Option>,
  where: string,
  faults: string[],
): RunSettings {
  const settings: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    const option = keys.get(key)
    if (option === undefined)
      faults.push(`${where}${key} ${describeUnknown(key, [...keys.keys(), 'targets'])}`)
    else if (value === null)
      faults.push(`${where}${key} has no value; write one, as in ${exampleOf(key, option)}`)
    else {
      const read = readOption(option, value)
      if ('meaning' in read) settings[key] = read.meaning
      else faults.push(`${where}${key} ${read.fault}`)
    }
  }
  return settings
}

/** Names that people give to secrets. */
const NAME_OF_KEY = /(?:key|token|secret|password|bearer|authorization)$/i

function describeUnknown(key: string, known: readonly string[]): string {
  if (NAME_OF_KEY.test(key))
    return 'is unknown, and a key must not be in this file: put it in an environment variable and name that here, as in apiKeyEnv: ASSIST_API_KEY'
  if (runKeys.has(key)) return 'is not an option of a target; move it to the top level'
  const typed = optionsByKey().get(key)
  return typed === undefined
    ? `is unknown${didYouMean(key, known) || '; remove it'}`
    : `is an option of the command line only, as in ${typed.example}`
}

/** `rate: 60/min`, from the option's example. */
function exampleOf(key: string, option: Option): string {
  const [, value = ''] = new RegExp(`${asTyped(key)} ('[^']*'|\\S+)`).exec(option.example) ?? []
  return `${key}: ${isFlag(option) ? 'true' : value}`
}

/** Runs `act`. Where it rejects an option that comes from the config file, the error names the file and the key. */
export async function namingConfigKeys<T>(
  config: Config,
  typed: RunSettings,
  act: () => Promise<T>,
): Promise<T> {
  const { file, settings, targets } = config
  const placeOf = (key: string): string | undefined => {
    if (file === undefined || Object.hasOwn(typed, key)) return undefined
    if (Object.hasOwn(settings, key)) return key
    const [target] = [...targets].find(([, own]) => Object.hasOwn(own, key)) ?? []
    return target === undefined ? undefined : `targets.${target}.${key}`
  }
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const issues = error.issues.map(({ path, message }) => {
      const place = placeOf(path)
      return place === undefined ? { path, message } : { path: '', message: `${file}: ${place} ${message}` }
    })
    throw new UsageError(issues)
  }
}

/** Where a command sends: the sandbox, or targets of the config file and the command line. */
export interface Chosen {
  /** Common to all of them. */
  readonly settings: RunSettings
  readonly isSandbox: boolean
  readonly targets: readonly NamedTarget[]
}

/**
 * The command line wins: a typed target or base URL replaces a sandbox of the config file, and a typed sandbox or base URL replaces its targets, so
 * that it does not get their keys. `merge`: the command line's options over the file's. Throws UsageError where two are typed.
 */
export function chooseTargets(
  config: Config,
  typed: RunSettings,
  merge = (said: RunSettings, file: RunSettings): RunSettings => ({ ...file, ...said }),
): Chosen {
  const named = typed.baseUrl !== undefined ? 'baseUrl' : typed.target === undefined ? undefined : 'target'
  if (typed.baseUrl !== undefined && typed.target !== undefined)
    throw optionError('baseUrl', 'cannot be used with --target: a target has its own base URL')
  if (named !== undefined && typed.sandbox === true)
    throw optionError(named, 'cannot be used with --sandbox; give one of them')
  const settings = merge(typed, config.settings)
  const isSandbox = named === undefined && settings.sandbox === true
  if (settings.kb !== undefined && !isSandbox) throw optionError('kb', 'needs --sandbox')
  const names = named === 'baseUrl' ? undefined : (settings.target ?? onlyTarget(config, settings))
  if (isSandbox || names === undefined) {
    const name = isSandbox ? 'sandbox' : 'default'
    return { settings, isSandbox, targets: [{ name, settings }] }
  }
  const targets = [...new Set(names)].map((name) => {
    const own = config.targets.get(name)
    if (own === undefined) throw unknownTarget(name, config, typed.target !== undefined)
    return { name, settings: merge(typed, { ...config.settings, ...own }) }
  })
  return { settings, isSandbox, targets }
}

/** Without a choice, the only target of the config file; of several, one must be chosen. */
function onlyTarget({ file, targets }: Config, { baseUrl }: RunSettings): readonly string[] | undefined {
  const known = [...targets.keys()]
  if (baseUrl !== undefined || known.length === 0) return undefined
  if (known.length === 1) return known
  if ((process.env['ASSIST_BASE_URL'] ?? '') !== '') return undefined
  throw new UsageError(`${file ?? ''} has several targets; choose with --target: ${known.join(', ')}`)
}

function unknownTarget(name: string, { file, targets }: Config, isTyped: boolean): UsageError {
  const known = [...targets.keys()]
  if (file === undefined || known.length === 0)
    return optionError(
      'target',
      `${name}: no config file with targets found; write one, or name it with --config`,
    )
  const others = didYouMean(name, known) || `; it has ${known.join(', ')}`
  return isTyped
    ? optionError('target', `${name} is not in ${file}${others}`)
    : new UsageError(`${file}: target: ${name} is not one of its targets${others}`)
}
