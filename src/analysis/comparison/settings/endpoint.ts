// Settings that say whom the runs asked.
import type { Manifest } from '../../../domain/manifest.ts'
import { originOfUnnamed } from '../../../domain/organization.ts'
import type { Setting } from './setting.ts'

/** A sandbox takes a free port each time, so its address and organization say nothing. */
const areReal = (run: Manifest, other: Manifest): boolean => !run.target.sandbox && !other.target.sandbox

/** Nobody named the organization: it is called by its address and a key's fingerprint. */
export const isUnnamed = ({ target }: Manifest): boolean => originOfUnnamed(target) !== undefined

export const ENDPOINT_SETTINGS: readonly Setting[] = [
  {
    setting: 'endpoint',
    shown: ({ target }) => (target.sandbox ? 'sandbox' : 'real endpoint'),
    meaning: () =>
      'One run asked the local sandbox and the other a real endpoint: neither answers nor times nor usage can be compared.',
  },
  {
    setting: 'organization',
    // Of two that nobody named, other addresses are said below, and another key alone may be a renewed one.
    shown: (run, other) =>
      areReal(run, other) && !(isUnnamed(run) && isUnnamed(other)) ? run.target.organization : undefined,
    meaning: (baseline, candidate) =>
      isUnnamed(baseline) || isUnnamed(candidate)
        ? 'Only one run names its organization: whether both asked the same knowledge base is not known.'
        : 'The runs asked different organizations, which have knowledge bases, quotas and limits of their own: differences need not be changes.',
  },
  {
    setting: 'base URL',
    shown: (run, other) => (areReal(run, other) ? run.target.baseUrl : undefined),
    meaning: () =>
      'The runs asked different addresses: another desk may hold other articles and may be faster or slower.',
  },
  {
    setting: 'API key',
    shown: (run, other) =>
      areReal(run, other) && isUnnamed(run) && isUnnamed(other) && run.target.baseUrl === other.target.baseUrl
        ? `key ${run.target.keyFingerprint}`
        : undefined,
    meaning: () =>
      'The runs used different keys and name no organization: if the keys belong to two organizations, they asked two knowledge bases.',
  },
]
