// The simulated service desk: organizations, keys, limits and ledger, built from the config.
import { createHash, randomBytes } from 'node:crypto'
import type { SandboxConfig } from './config.ts'
import { ASSIST_SCOPE } from './contract.ts'
import type { Assistant } from './assistant.ts'
import { seededDraw, type Draw } from './latency.ts'
import type { Ledger } from './ledger.ts'
import { makeLimitCheck, type LimitCheck, type RateLimitConfig } from './limits/limiter.ts'
import { makeQuota, type QuotaCheck } from './limits/quota.ts'

export interface Organization {
  readonly name: string
  readonly rateLimit: RateLimitConfig | undefined
  readonly take: LimitCheck | undefined
  readonly quota: QuotaCheck | undefined
}

export type KeyedConfig = SandboxConfig & { readonly adminKey: string }

export interface Desk {
  readonly config: KeyedConfig
  readonly clock: () => number
  readonly draw: Draw
  readonly ask: Assistant
  readonly namesArticles: boolean
  /** Finds holders by the key's digest, so that the time does not reveal how much of a guess is right. */
  readonly holders: ReadonlyMap<string, { organization: Organization; scopes: readonly string[] }>
  readonly ledger: Ledger
  callNumber: number
}

export function openDesk(
  config: KeyedConfig,
  seed: number,
  rest: { readonly clock: () => number; readonly ask: Assistant; readonly namesArticles: boolean },
): Desk {
  const holders = Object.entries(config.organizations).flatMap(([name, { keys, ...limits }]) => {
    const { rateLimit = config.rateLimit, quota = config.quota } = limits
    const take = rateLimit && makeLimitCheck(rateLimit.rules)
    const organization: Organization = { name, rateLimit, take, quota: quota && makeQuota(quota) }
    return keys.map(({ key, scopes }) => [digestKey(key), { organization, scopes }] as const)
  })
  return {
    ...rest,
    config,
    draw: seededDraw(seed),
    holders: new Map(holders),
    ledger: { calls: [], conversations: new Map() },
    callNumber: 0,
  }
}

export function withKeys(config: SandboxConfig): KeyedConfig {
  const makeKey = (purpose: string): string => `${purpose}_${randomBytes(16).toString('hex')}`
  const sandbox = { keys: [{ key: makeKey('sandbox'), scopes: [ASSIST_SCOPE] }] }
  const isNamed = Object.keys(config.organizations).length > 0
  const organizations = isNamed ? config.organizations : { sandbox }
  return { ...config, organizations, adminKey: config.adminKey ?? makeKey('admin') }
}

export const digestKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Reads the token of `Authorization: Bearer`. The scheme is case-insensitive (RFC 9110, 11.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}
