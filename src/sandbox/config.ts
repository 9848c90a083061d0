// The sandbox's own config file: organizations and keys, limits, latency, faults.
import * as z from 'zod'
import { ASSIST_SCOPE, SUCCESS_STATUS } from './contract.ts'
import { faultSchema } from './faults.ts'
import { latencySchema } from './latency.ts'
import { rateLimitSchema } from './limits/limiter.ts'
import { quotaSchema } from './limits/quota.ts'

/** Where the config names none. */
export const DEFAULT_ORGANIZATION = 'sandbox'

/** It stands in a header. */
const keyText = z.string().regex(/^[\x21-\x7E]+$/, 'must be visible ASCII, without white space')

const keySchema = z.strictObject({
  key: keyText,
  scopes: z.array(z.string()).default([ASSIST_SCOPE]),
})

const organizationSchema = z.strictObject({
  keys: z.array(keySchema).min(1),
  /** In place of the ones for all. */
  rateLimit: rateLimitSchema.optional(),
  quota: quotaSchema.optional(),
})

export const sandboxConfigSchema = z
  .strictObject({
    /** By name. Absent: one organization, `sandbox`, with a key made at start. */
    organizations: z.record(z.string().min(1), organizationSchema).default({}),
    /** For `/sandbox/...`; absent: made at start. */
    adminKey: keyText.optional(),
    rateLimit: rateLimitSchema.optional(),
    quota: quotaSchema.optional(),
    latency: latencySchema.optional(),
    faults: z.array(faultSchema).default([]),
    /** Each answer carries a new conversation id, under which the thread goes on. */
    rotatingIds: z.boolean().default(false),
    maxMessageLength: z.int().positive().default(10_000),
    maxBodyBytes: z.int().positive().default(1_000_000),
    assistant: z
      .strictObject({
        /** The contract does not show the value for a model-only reply. */
        modelOnlySource: z.string().default('MODEL'),
        successStatus: z.string().default(SUCCESS_STATUS),
        /** How well an article must fit a question to answer it, from 0 (anything) to 1 (every word). */
        relevance: z.number().min(0).max(1).optional(),
      })
      .prefault({}),
  })
  .superRefine(({ organizations, adminKey, faults }, context) => {
    const seen = new Set<string>(adminKey === undefined ? [] : [adminKey])
    for (const [name, { keys }] of Object.entries(organizations)) {
      for (const [index, { key }] of keys.entries()) {
        if (seen.has(key)) {
          const path = ['organizations', name, 'keys', index, 'key']
          context.addIssue({
            code: 'custom',
            path,
            message: 'is given twice; a key alone names its organization',
          })
        }
        seen.add(key)
      }
    }
    const named = Object.keys(organizations)
    const names = named.length > 0 ? named : [DEFAULT_ORGANIZATION]
    for (const [index, { when }] of faults.entries()) {
      if (when.organization === undefined || names.includes(when.organization)) continue
      const path = ['faults', index, 'when', 'organization']
      const message = `is no organization of this file (${names.join(', ')}): the fault would never strike`
      context.addIssue({ code: 'custom', path, message })
    }
  })
export type SandboxConfig = z.output<typeof sandboxConfigSchema>
