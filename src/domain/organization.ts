// Whether somebody named a run's organization, or it is called by its origin and the key that first asked it.
import type { Manifest } from './manifest.ts'

/** The origin by which the organization is called; undefined where it has a name. */
export function originOfUnnamed({
  organization,
  baseUrl,
  keyFingerprint,
}: Pick<Manifest['target'], 'organization' | 'baseUrl' | 'keyFingerprint'>): string | undefined {
  const [, origin, fingerprint] = /^(\S+) (\S+)$/.exec(organization) ?? []
  if (origin === undefined) return undefined
  if (fingerprint === keyFingerprint) return origin
  // A run that had answers when it went on with another key is called by the one before still.
  return organization === `${originOf(baseUrl)} ${fingerprint}` && /^[0-9a-f]{8}$/.test(fingerprint ?? '')
    ? origin
    : undefined
}

/** What an organization is called that nobody has named. */
export const unnamedOrganization = (origin: string, fingerprint: string): string => `${origin} ${fingerprint}`

/** What a run's organization is called when it is asked with the key of this fingerprint: a name stays. */
export function organizationUnder(target: Manifest['target'], fingerprint: string): string {
  const origin = originOfUnnamed(target)
  return origin === undefined ? target.organization : unnamedOrganization(origin, fingerprint)
}

const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl)
