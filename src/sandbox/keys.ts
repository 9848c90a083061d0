// Who a key belongs to and what it may do. A key alone names the organization.
import { createHash, randomBytes } from 'node:crypto'
import { DEFAULT_ORGANIZATION, type SandboxConfig } from './config.ts'
import { ASSIST_SCOPE } from './contract.ts'

export interface KeyHolder {
  readonly organization: string
  readonly scopes: readonly string[]
}

/** A key as it was sent: whose it is, if anyone's. */
export interface Identity {
  /** First 8 hex digits of SHA-256: enough to tell keys apart, too little to use one. */
  readonly fingerprint: string
  readonly holder: KeyHolder | undefined
}

/** Keys by digest: a look-up that takes as long for a nearly right key as for any other. */
export class KeyRing {
  readonly #holders = new Map<string, KeyHolder>()

  add(key: string, holder: KeyHolder): void {
    this.#holders.set(digest(key), holder)
  }

  identify(key: string): Identity {
    const whole = digest(key)
    return { fingerprint: whole.slice(0, 8), holder: this.#holders.get(whole) }
  }
}

export const makeKey = (purpose: string): string => `${purpose}_${randomBytes(16).toString('hex')}`

/** The token of an `Authorization: Bearer` header; the scheme's name has no case (RFC 9110, 11.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

export const isSameKey = (one: string, other: string): boolean => digest(one) === digest(other)

const digest = (key: string): string => createHash('sha256').update(key).digest('hex')

export type Organizations = SandboxConfig['organizations']

export function organizationsOf({ organizations }: SandboxConfig): Organizations {
  if (Object.keys(organizations).length > 0) return organizations
  return { [DEFAULT_ORGANIZATION]: { keys: [{ key: makeKey('sandbox'), scopes: [ASSIST_SCOPE] }] } }
}

/** The first key that may use Assist, or, where none may, the first of all. */
export function firstKey(organizations: Organizations): { organization: string; apiKey: string } {
  const all = Object.entries(organizations).flatMap(([organization, { keys }]) =>
    keys.map(({ key, scopes }) => ({ organization, apiKey: key, scopes })),
  )
  const { organization = '', apiKey = '' } =
    all.find(({ scopes }) => scopes.includes(ASSIST_SCOPE)) ?? all[0] ?? {}
  return { organization, apiKey }
}
