// The organizations of a sandbox and their keys: the config's, or one made at start.
import { DEFAULT_ORGANIZATION, type SandboxConfig } from './config.ts'
import { ASSIST_SCOPE } from './contract/schemas.ts'
import { makeKey } from './keys.ts'

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
