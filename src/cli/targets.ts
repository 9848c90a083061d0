// Whom a run asks: settings from the command line, the config file and the environment become targets.
import { unnamedOrganization } from '../domain/organization.ts'
import type { Secret } from '../domain/secret.ts'
import { parseBaseUrl, type Address } from '../endpoint/address.ts'
import type { Config } from './config.ts'
import { readKey, type Environment } from './environment.ts'
import { KEY_VARIABLE } from './api-key/key-variable.ts'
import type { RunSettings } from '../library/read-options.ts'
import { didYouMean } from '../library/suggest.ts'
import { UsageError } from '../library/usage-error.ts'

export interface Target {
  readonly name: string
  readonly address: Extract<Address, { kind: 'address' }>
  readonly key: Secret
  readonly organization: string
  /** The environment variable that held the key. */
  readonly apiKeyEnv: string
  /** What holds for this target: command line over target over the file's own settings. */
  readonly settings: RunSettings
  readonly sandbox: boolean
  /** Of a sandbox that answers from other articles than those of the package: where they stand. */
  readonly knowledgeBase?: string
}

/**
 * Whoever is typed is asked: a sandbox of the config file gives way to them, as its targets do to a typed `--sandbox` and to a typed
 * base URL, which must not get their keys. Returns the config without what gives way. Throws UsageError where two are typed, or
 * articles without the sandbox.
 */
export function giveWayToTyped(typed: RunSettings, config: Config): Config {
  if (typed.baseUrl !== undefined && typed.target !== undefined)
    throw new UsageError('--base-url and --target contradict each other: a target has its own base URL')
  if (typed.kb !== undefined && typed.sandbox !== true && config.settings.sandbox !== true)
    throw new UsageError('--kb goes with --sandbox')
  const named = typed.baseUrl !== undefined ? '--base-url' : typed.target && '--target'
  if (named === undefined) return config
  if (typed.sandbox === true) throw new UsageError(`${named} and --sandbox contradict each other; give one`)
  const { sandbox: _, target, ...settings } = config.settings
  const isTargetKept = target !== undefined && typed.baseUrl === undefined
  return { ...config, settings: isTargetKept ? { ...settings, target } : settings }
}

/** Targets as named, or the one that base URL and key make. Throws UsageError; nothing was sent. */
export function resolveTargets(typed: RunSettings, config: Config, environment: Environment): Target[] {
  const settings = { ...config.settings, ...typed }
  const names = settings.target ?? onlyTargetOf(config, settings, environment)
  if (names === undefined)
    return [resolveTarget('default', settings, environment, wordsOfUnnamed(typed, config))]
  return settingsOfTargets(names, typed, config).map(([name, own]) =>
    resolveTarget(name, own, environment, wordsOfNamed(name, typed, config)),
  )
}

/** What holds for each of these targets. Throws UsageError for one that the config file does not have. */
export function settingsOfTargets(
  names: readonly string[],
  typed: RunSettings,
  config: Config,
): [name: string, settings: RunSettings][] {
  return [...new Set(names)].map((name) => {
    const own = config.targets.get(name)
    const known = [...config.targets.keys()]
    if (own === undefined) throw new UsageError(wordsOfUnknown(name, known, typed, config.file))
    return [name, { ...config.settings, ...own, ...typed }]
  })
}

/** A target may be named in the config file, too. */
function wordsOfUnknown(
  name: string,
  known: readonly string[],
  typed: RunSettings,
  file: string | undefined,
): string {
  const others = didYouMean(name, known) || `; it has ${known.join(', ')}`
  if (file !== undefined && typed.target === undefined)
    return known.length === 0
      ? `${file}: target: ${name} is named, but the file has no targets; write it under targets`
      : `${file}: target: ${name} is not under targets${others}`
  return known.length === 0
    ? `--target ${name}: there is no config file with targets here; write one or name it with --config`
    : `--target ${name} is not in ${file ?? 'the config file'}${others}`
}

/** Whether it is said who is asked where no target is named. */
export const saysWhom = ({ baseUrl, sandbox }: RunSettings): boolean =>
  baseUrl !== undefined || sandbox === true

/** Where nothing is said, a config file with one target means that one; with several, they must be chosen. */
function onlyTargetOf(config: Config, settings: RunSettings, environment: Environment): string[] | undefined {
  const known = [...config.targets.keys()]
  if (saysWhom(settings) || known.length === 0) return undefined
  if (known.length === 1) return known
  if (environment['ASSIST_BASE_URL'] !== undefined) return undefined
  throw new UsageError(
    `${config.file ?? 'the config file'} has several targets; choose with --target: ${known.join(', ')}`,
  )
}

/** What to say of the address, and how else than by its variable a key can be had. */
interface Words {
  /** Where the base URL stands. */
  readonly address: string
  readonly addressMissing: string
  readonly key?: string
}

const wordsOfUnnamed = (typed: RunSettings, { file, settings }: Config): Words => ({
  address: placeOfAddress(typed, { file, settings }) ?? 'the base URL',
  addressMissing: 'whom to ask is missing: give --base-url, set ASSIST_BASE_URL, or try --sandbox',
})

function wordsOfNamed(
  name: string,
  typed: RunSettings,
  { file = 'the config file', settings, targets }: Config,
): Words {
  const place = `targets.${name}`
  const own = targets.get(name)?.baseUrl === undefined ? undefined : `${file}: ${place}.baseUrl`
  return {
    address: own ?? placeOfAddress(typed, { file, settings }) ?? `the base URL of target ${name}`,
    addressMissing: `${file}: ${place} has no baseUrl, so whom to ask is missing: write it there, as in baseUrl: https://desk.example.com`,
    key: `or with apiKeyEnv in ${place} of ${file}`,
  }
}

/** Undefined where it is typed, or of the environment. */
const placeOfAddress = (
  typed: RunSettings,
  { file, settings }: Pick<Config, 'file' | 'settings'>,
): string | undefined =>
  typed.baseUrl === undefined && settings.baseUrl !== undefined && file !== undefined
    ? `${file}: baseUrl`
    : undefined

function resolveTarget(name: string, settings: RunSettings, environment: Environment, words: Words): Target {
  const text = settings.baseUrl ?? environment['ASSIST_BASE_URL']
  if (text === undefined || text.trim() === '') throw new UsageError(words.addressMissing)
  const address = parseBaseUrl(text, settings.allowHttp ?? false)
  if (address.kind === 'refused') throw new UsageError(`${words.address} ${address.reason}`)
  const apiKeyEnv = settings.apiKeyEnv ?? KEY_VARIABLE
  const key = readKey(apiKeyEnv, environment, words.key)
  const url = address.origin + address.assistPath
  // A host's name is in lower case, however it was typed.
  if (url.includes(key.value) || url.includes(key.value.toLowerCase()))
    throw new UsageError(`the key in ${apiKeyEnv} is a part of the base URL; give the key itself`)
  const organization = settings.organization ?? unnamedOrganization(address.origin, key.fingerprint)
  return { name, address, key, organization, apiKeyEnv, settings, sandbox: false }
}
