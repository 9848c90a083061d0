// Where the workbench can send: the sandbox, the targets of the config file, and the desk of the environment.
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import type { TargetInfo } from './api.ts'

export interface TargetOptions {
  /** Of the config file, for every run. */
  readonly options: Readonly<Record<string, unknown>>
  /** Of the config file. */
  readonly targets: readonly library.TargetOptions[]
  /** For targets without articles of their own. */
  readonly articles: string | undefined
  /** The folder that the sandbox answers from; undefined: the shipped articles. */
  readonly kb: string | undefined
  readonly ports: Pick<library.Ports, 'env'>
}

export const SANDBOX = 'sandbox'
/** As a run names the desk of the environment. */
const ENVIRONMENT = 'default'

export function listTargets({ options, targets, ports }: TargetOptions): TargetInfo[] {
  const named = targets.map(({ name, ...own }) => {
    const { baseUrl, apiKeyEnv } = { ...options, ...own } as Record<string, unknown>
    return { name, baseUrl: textOf(baseUrl), variable: textOf(apiKeyEnv) ?? library.KEY_VARIABLE }
  })
  const url = textOf(options['baseUrl']) ?? ports.env['ASSIST_BASE_URL']?.trim() ?? ''
  const byEnvironment =
    url === '' || targets.length > 0
      ? []
      : [{ name: ENVIRONMENT, baseUrl: url, variable: library.KEY_VARIABLE }]
  const desks = [...named, ...byEnvironment].map(({ name, baseUrl, variable }) => {
    const hasKey = (ports.env[variable] ?? '') !== ''
    const problem = hasKey ? null : `Set the environment variable ${variable}, and start view again.`
    return { name, isSandbox: false, baseUrl, problem }
  })
  return [{ name: SANDBOX, isSandbox: true, baseUrl: null, problem: null }, ...desks]
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Whether its calls leave this machine. */
export function isRemote(name: string, given: TargetOptions): boolean {
  const { isSandbox = false, baseUrl = null } = listTargets(given).find((one) => one.name === name) ?? {}
  return !isSandbox && !(URL.canParse(baseUrl ?? '') && library.isLoopback(new URL(baseUrl ?? '').hostname))
}

/** What a run or a conversation needs to send there. Throws UsageError for a target that is not there. */
export function optionsFor(
  name: string,
  { targets, articles, kb }: TargetOptions,
): Readonly<Record<string, unknown>> {
  const consulted = articles === undefined ? {} : { articles }
  // An address of the config file is that of a desk.
  if (name === SANDBOX) return { sandbox: true, baseUrl: undefined, ...(kb === undefined ? {} : { kb }) }
  if (name === ENVIRONMENT) return consulted
  const named = targets.find((one) => one.name === name)
  if (named === undefined) throw new UsageError(`there is no target ${name}`)
  return { ...consulted, targets: [named] }
}

/** Options of the config file that say where and how fast; the others choose questions, or judge. */
const SENDING =
  'baseUrl apiKeyEnv organization allowHttp header clientCert clientKey rate share concurrency limiter ' +
  'timeout giveUpAfter rotatingIds groundedSources articles'

export const sendingOptions = ({ options }: TargetOptions): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => SENDING.split(' ').includes(name)))
