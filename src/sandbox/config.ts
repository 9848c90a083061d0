// Schema of the sandbox's config file: organizations and keys, limits, latency, faults.
import * as z from 'zod'
import { ASSIST_SCOPE } from './contract.ts'
import { faultSchema } from './faults.ts'
import { latencyConfigSchema } from './latency.ts'
import { rateLimitSchema } from './limits/limiter.ts'
import { quotaConfigSchema } from './limits/quota.ts'

const keyText = z.string().regex(/^[\x21-\x7E]+$/, 'must be visible ASCII, without white space')

const scopes = z.array(z.string()).default([ASSIST_SCOPE])

const organizationSchema = z.strictObject({
  keys: z.array(z.strictObject({ key: keyText, scopes })).min(1),
  /** Overrides the top-level `rateLimit`; `quota` likewise. */
  rateLimit: rateLimitSchema.optional(),
  quota: quotaConfigSchema.optional(),
})

export const sandboxConfigSchema = z
  .strictObject({
    /** Defaults to one organization, `sandbox`, with a key generated at start. */
    organizations: z.record(z.string().min(1), organizationSchema).default({}),
    /** Opens `/sandbox/...`; by default it is generated at start. */
    adminKey: keyText.optional(),
    rateLimit: rateLimitSchema.optional(),
    quota: quotaConfigSchema.optional(),
    latency: latencyConfigSchema.optional(),
    faults: z.array(faultSchema).default([]),
    /** Makes each answer return a new conversation id, under which the conversation continues. */
    rotatingIds: z.boolean().default(false),
    assistant: z
      /** Is free: the contract does not specify the value for a model-only reply. */
      .strictObject({ modelOnlySource: z.string().default('MODEL') })
      .prefault({}),
  })
  .refine(({ organizations, adminKey }) => {
    const held = Object.values(organizations).flatMap(({ keys }) => keys.map(({ key }) => key))
    return new Set(held).size === held.length && !held.includes(adminKey ?? '')
  }, 'a key is given twice; each key belongs to one organization')
export type SandboxConfig = z.output<typeof sandboxConfigSchema>
