// The config file: YAML, checked, unknown keys rejected with a suggestion; and what holds for each target of a command.
import { existsSync } from 'node:fs'
import { optionNames, readValues, type RunSettings } from '../options/settings.ts'
import { didYouMean, optionError, UsageError } from '../options/faults.ts'
import type { NamedTarget } from '../library/targets.ts'

export interface Config {
  readonly file: string
  readonly settings: RunSettings
  readonly targets: ReadonlyMap<string, RunSettings>
}

const DEFAULT_CONFIG = 'assist-harness.yaml'

const runKeys = optionNames(({ config }) => config !== undefined)
const targetKeys = optionNames(({ config }) => config === 'target')
const EXAMPLE = 'as in targets: { production: { baseUrl: https://desk.example.com } }'

/** Reads `path`, or the default file if there is one. Throws UsageError with every fault in it. */
export async function loadConfig(path: string | undefined): Promise<Config> {
  const file = path ?? DEFAULT_CONFIG
  if (path === undefined && !existsSync(file)) return { file, settings: {}, targets: new Map() }
  const { readYaml } = await import('./read-yaml.ts')
  const faults: string[] = []
  const asObject = (value: unknown, fault: string): Record<string, unknown> => {
    if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
    if (value !== undefined) faults.push(fault)
    return {}
  }
  const read = (values: Record<string, unknown>, known: ReadonlySet<string>, where = ''): RunSettings => {
    const { settings, issues } = readValues(values, known)
    faults.push(...issues.map(({ path: key, message }) => `${where}${key} ${message}`))
    return settings
  }
  const { targets, ...rest } = asObject(
    readYaml(file),
    'the file must contain options with their values, as in rate: 60/min',
  )
  const settings = read(rest, runKeys)
  const named = new Map<string, RunSettings>()
  for (const [name, value] of Object.entries(asObject(targets, `targets must have names, ${EXAMPLE}`))) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      faults.push(`targets: the name '${name}' becomes a folder name; use letters, digits, '.', '_' and '-'`)
    const own = asObject(value, `targets.${name} must contain the target's options, ${EXAMPLE}`)
    named.set(name, read(own, targetKeys, `targets.${name}.`))
  }
  if (faults.length > 0)
    throw new UsageError(faults.map((fault) => ({ path: '', message: `${file}: ${fault}` })))
  return { file, settings, targets: named }
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
 * that it does not get their keys. Throws UsageError if two are typed.
 */
export function chooseTargets(config: Config, typed: RunSettings): Chosen {
  const named = typed.baseUrl !== undefined ? 'baseUrl' : typed.target === undefined ? undefined : 'target'
  if (typed.baseUrl !== undefined && typed.target !== undefined)
    throw optionError('baseUrl', 'cannot be used with --target: a target has its own base URL')
  if (named !== undefined && typed.sandbox === true)
    throw optionError(named, 'cannot be used with --sandbox; give one of them')
  const settings = { ...config.settings, ...typed }
  const isSandbox = named === undefined && settings.sandbox === true
  if (typed.kb !== undefined && !isSandbox) throw optionError('kb', 'needs --sandbox')
  if (isSandbox) return { settings, isSandbox, targets: [{ name: 'sandbox', settings }] }
  const names = named === 'baseUrl' ? undefined : (settings.target ?? onlyTarget(config, settings))
  if (names === undefined) return { settings, isSandbox, targets: [{ name: 'default', settings }] }
  const targets = [...new Set(names)].map((name) => {
    const own = config.targets.get(name)
    if (own !== undefined) return namedTarget(name, { ...config.settings, ...own, ...typed })
    const hint = didYouMean(name, [...config.targets.keys()])
    throw optionError('target', `${name} is not in ${config.file}${hint}`)
  })
  return { settings, isSandbox, targets }
}

/** Its key must not go to the address in the environment, which belongs to another desk. */
function namedTarget(name: string, settings: RunSettings): NamedTarget {
  if (settings.baseUrl !== undefined) return { name, settings }
  throw new UsageError(`target ${name} has no baseUrl; add it, as in baseUrl: https://desk.example.com`)
}

/** Without a choice, the only target of the config file; of several, one must be chosen. */
function onlyTarget({ file, targets }: Config, { baseUrl }: RunSettings): readonly string[] | undefined {
  const known = [...targets.keys()]
  if (baseUrl !== undefined || known.length === 0) return undefined
  if (known.length === 1) return known
  if ((process.env['ASSIST_BASE_URL'] ?? '') !== '') return undefined
  throw new UsageError(`${file} has several targets; choose with --target: ${known.join(', ')}`)
}
