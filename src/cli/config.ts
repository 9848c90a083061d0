// The config file: YAML, checked, unknown keys refused with a suggestion.
import { existsSync } from 'node:fs'
import type { Option } from '../library/option-table.ts'
import { asTyped, isFlag, optionsByKey, readOption, type RunSettings } from '../library/read-options.ts'
import { didYouMean } from '../library/suggest.ts'
import { UsageError } from '../library/usage-error.ts'

export interface Config {
  /** Undefined where there is none. */
  readonly file: string | undefined
  readonly settings: RunSettings
  readonly targets: ReadonlyMap<string, RunSettings>
}

export const NO_CONFIG: Config = { file: undefined, settings: {}, targets: new Map() }

export const DEFAULT_CONFIG = 'assist-harness.yaml'

const runKeys = optionsByKey(({ config }) => config !== undefined)
const targetKeys = optionsByKey(({ config }) => config === 'target')

/** `rate: 60/min`, made of the example that help shows. */
function exampleOf(key: string, option: Option): string {
  const [, value = ''] = new RegExp(`${asTyped(key)} ('[^']*'|\\S+)`).exec(option.example) ?? []
  return `${key}: ${isFlag(option) ? 'true' : value}`
}

/** What holds no options where they belong: what does, and a line of it. */
const FILE = 'the file must hold options, each with its value, as in rate: 60/min'
const TARGETS =
  'targets must hold each target by its name, as in targets: { production: { baseUrl: https://desk.example.com } }'
const A_TARGET =
  'write one, as in targets: { production: { baseUrl: https://desk.example.com } }, or leave the line out'
const oneTarget = (name: string): string =>
  `targets.${name} must hold the target's options, as in ${name}: { baseUrl: https://desk.example.com }`

/** How a key is named by who would write it down: never how an option is. */
const NAME_OF_KEY = /(?:^|[_-]|api)(?:key|token|secret|password|bearer|authorization)$/
const isNameOfKey = (name: string): boolean =>
  NAME_OF_KEY.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase())
const A_KEY =
  '; a key never stands in this file: put it in an environment variable, and name that here, as in apiKeyEnv: ASSIST_API_KEY'

/** Reads `path`, or the default file where there is one. Throws UsageError with every fault in it. */
export async function loadConfig(path: string | undefined): Promise<Config> {
  const file = path ?? DEFAULT_CONFIG
  if (path === undefined && !existsSync(file)) return NO_CONFIG
  // Most runs have no such file, and YAML takes long to load.
  const { readYaml } = await import('./read-yaml.ts')
  const faults: string[] = []
  const root = readYaml(file)
  const { targets, ...rest } = asObject(root, FILE, faults)
  if (targets === null || (isObject(targets) && Object.keys(targets).length === 0))
    faults.push(`targets ${targets === null ? 'has no value' : 'holds none'}; ${A_TARGET}`)
  const settings = readSettings(rest, runKeys, '', faults, ['targets'])
  const named = new Map<string, RunSettings>()
  for (const [name, value] of Object.entries(
    targets === undefined ? {} : asObject(targets, TARGETS, faults),
  )) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      faults.push(`targets: the name '${name}' becomes a folder's; use letters, digits, '.', '_' and '-'`)
    const own = asObject(value, oneTarget(name), faults)
    named.set(name, readSettings(own, targetKeys, `targets.${name}.`, faults))
  }
  if (faults.length > 0) throw new UsageError(faults.map((fault) => `${file}: ${fault}`).join('\n'))
  return { file, settings, targets: named }
}

function asObject(value: unknown, fault: string, faults: string[]): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (isObject(value)) return value
  faults.push(fault)
  return {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function describeUnknown(key: string, known: readonly string[]): string {
  if (isNameOfKey(key)) return `is unknown${A_KEY}`
  if (runKeys.has(key)) return `does not belong in a target${didYouMean(key, known)}`
  const typed = optionsByKey().get(key)
  return typed === undefined
    ? `is unknown${didYouMean(key, known)}`
    : `is unknown here: it is given on the command line, as in ${typed.example}`
}

function readSettings(
  values: Record<string, unknown>,
  keys: ReadonlyMap<string, Option>,
  where: string,
  faults: string[],
  otherKeys: readonly string[] = [],
): RunSettings {
  const settings: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    const option = keys.get(key)
    if (option === undefined) {
      faults.push(`${where}${key} ${describeUnknown(key, [...keys.keys(), ...otherKeys])}`)
      continue
    }
    if (value === null) {
      faults.push(
        `${where}${key} has no value; write one, as in ${exampleOf(key, option)}, or leave the line out`,
      )
      continue
    }
    const read = readOption(option, value)
    if ('meaning' in read) settings[key] = read.meaning
    else faults.push(`${where}${key} ${read.fault}`)
  }
  return settings
}
