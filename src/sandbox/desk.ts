// The service desk that the sandbox plays: everything an Assist call meets, put together from the config.
import type { SandboxConfig } from './config.ts'
import { assistRequestSchema } from './contract.ts'
import { KeyRing, type Organizations } from './keys.ts'
import type { AssistantAnswer, EarlierTurn } from './knowledge/library.ts'
import type { Store } from './ledger.ts'
import { makeLimiter, type Limiter, type RateLimitConfig } from './limits/limiter.ts'
import { makeQuota, type Quota } from './limits/quota.ts'
import { seededDraw, type Draw } from './latency.ts'

export interface Organization {
  readonly rateLimit: RateLimitConfig | undefined
  readonly take: Limiter | undefined
  readonly quota: Quota | undefined
}

export interface Desk {
  readonly config: SandboxConfig
  readonly requestSchema: ReturnType<typeof assistRequestSchema>
  readonly keys: KeyRing
  readonly store: Store
  readonly clock: () => number
  readonly draw: Draw
  readonly ask: (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer
  readonly organization: (name: string) => Organization
  /** Numbers the calls that pass all checks, from 1. */
  readonly nextCallNumber: () => number
  /** As just started: no usage, no conversations, nothing spent, the next call is number 1. */
  readonly reset: () => void
}

export interface DeskParts {
  readonly config: SandboxConfig
  readonly organizations: Organizations
  readonly store: Store
  readonly clock: () => number
  readonly seed: number
  readonly ask: Desk['ask']
}

export function openDesk({ config, organizations, store, clock, seed, ask }: DeskParts): Desk {
  const draw = seededDraw(seed)
  const keys = new KeyRing()
  for (const [organization, { keys: held }] of Object.entries(organizations)) {
    for (const { key, scopes } of held) keys.add(key, { organization, scopes })
  }
  const openOrganizations = (): Map<string, Organization> => {
    const startedAt = clock()
    return new Map(
      Object.entries(organizations).map(([name, own]) => {
        const rateLimit = own.rateLimit ?? config.rateLimit
        const quota = own.quota ?? config.quota
        return [
          name,
          {
            rateLimit,
            take: rateLimit && makeLimiter(rateLimit, startedAt, draw, name),
            quota: quota && makeQuota(quota, countedTimes(store, name)),
          },
        ]
      }),
    )
  }
  let opened = openOrganizations()
  let callNumber = 0
  return {
    config,
    requestSchema: assistRequestSchema(config.maxMessageLength),
    keys,
    store,
    clock,
    draw,
    ask,
    organization(name) {
      const found = opened.get(name)
      if (found === undefined) throw new Error(`no organization '${name}'`)
      return found
    },
    nextCallNumber: () => ++callNumber,
    reset() {
      store.clear()
      opened = openOrganizations()
      callNumber = 0
    },
  }
}

function* countedTimes(store: Store, organization: string): Generator<number> {
  for (const call of store.calls()) if (call.counted && call.organization === organization) yield call.at
}
