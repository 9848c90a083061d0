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
  // A run that was resumed with another key is called by its first one still.
  return organization === `${originOf(baseUrl)} ${fingerprint}` && /^[0-9a-f]{8}$/.test(fingerprint ?? '')
    ? origin
    : undefined
}

const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl)
