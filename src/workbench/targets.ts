// Where the workbench can send: the sandbox, the targets of the config file, and the desk of the environment.
import { isLoopback } from '../domain/loopback.ts'
import * as library from '../library/index.ts'
import type { TargetInfo } from './api.ts'

export type Options = Readonly<Record<string, unknown>>

export interface TargetOptions {
  readonly options: Options
  readonly targets: readonly library.TargetOptions[]
  readonly articles: string | undefined
  /** Undefined: the sandbox answers from the shipped articles. */
  readonly kb: string | undefined
  readonly ports: library.Ports
  /** Without it, 200 calls off this machine are allowed, and any number on it. */
  readonly maxCalls: number | undefined
}

export const SANDBOX = 'sandbox'
const ENVIRONMENT = 'default'

export function listTargets({ options, targets, ports, maxCalls }: TargetOptions): TargetInfo[] {
  const common = textOf(options['apiKeyEnv']) ?? library.KEY_VARIABLE
  const named = targets.map(({ name, baseUrl, apiKeyEnv }) => ({
    name,
    baseUrl: textOf(baseUrl),
    variable: textOf(apiKeyEnv) ?? common,
  }))
  const url = textOf(options['baseUrl']) ?? ports.env['ASSIST_BASE_URL']?.trim() ?? ''
  const byEnvironment =
    url === '' || targets.length > 0 ? [] : [{ name: ENVIRONMENT, baseUrl: url, variable: common }]
  const desks = [...named, ...byEnvironment].map(({ name, baseUrl, variable }) => {
    const key = (ports.env[variable] ?? '') === '' ? `Set the environment variable ${variable}` : null
    const missing = baseUrl === null ? 'Add its baseUrl to the config file' : key
    return { name, isFree: false, baseUrl, problem: missing && `${missing}, and start view again.` }
  })
  return [{ name: SANDBOX, isFree: maxCalls === undefined, baseUrl: null, problem: null }, ...desks]
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A target that is not known, or has no address, counts as one off this machine. */
export function isRemote(name: string, options: TargetOptions): boolean {
  const target = listTargets(options).find((listed) => listed.name === name)
  const baseUrl = target?.baseUrl ?? ''
  const isHere = URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)
  return name !== SANDBOX && !isHere
}

export function optionsFor(name: string, { targets, articles, kb }: TargetOptions): Options {
  const consulted = articles === undefined ? {} : { articles }
  // An address of the config file is that of a desk.
  if (name === SANDBOX) return { sandbox: true, baseUrl: undefined, ...(kb === undefined ? {} : { kb }) }
  if (name === ENVIRONMENT && targets.length === 0) return consulted
  return { ...consulted, baseUrl: undefined, targets, target: [name] }
}

/** These say where and how fast; other options of the config file choose questions, or judge. */
const SENDING =
  'baseUrl apiKeyEnv organization allowHttp header clientCert clientKey rate share concurrency limiter ' +
  'timeout giveUpAfter rotatingIds groundedSources articles synonyms decisions'

export const sendingOptions = ({ options }: TargetOptions): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => SENDING.split(' ').includes(name)))
