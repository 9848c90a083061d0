// The ways in which the sandbox misbehaves on purpose, and when.
import * as z from 'zod'
import { delaySchema } from '../duration.ts'

function compilePattern(source: string, context: z.RefinementCtx): RegExp {
  try {
    return new RegExp(source, 'iu')
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is no regular expression: ${(error as Error).message}` })
    return z.NEVER
  }
}

/** All that is given must hold; nothing given means always. Calls are numbered from 1 as they pass all checks. */
const when = z
  .strictObject({
    /** Share of the calls, drawn by the seed. */
    rate: z.number().min(0).max(1).optional(),
    /** Regular expression over the message, flags `iu`. */
    message: z.string().transform(compilePattern).optional(),
    /** A script: these calls, by number. */
    calls: z.array(z.int().positive()).optional(),
    /** Every nth call. */
    every: z.int().positive().optional(),
    organization: z.string().optional(),
  })
  .prefault({})

/** Whether the assistant has processed the call (and the ledger counted it) when the fault strikes. */
const stage = z.enum(['before', 'after']).default('after')

const serverStatus = z.int().min(500).max(599)

export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('server-error'),
    when,
    stage,
    status: serverStatus.default(500),
    /** Retry-After, seconds. */
    retryAfter: z.int().nonnegative().optional(),
  }),
  /** What stands in front of the service answers instead, with a page for people. */
  z
    .strictObject({
      kind: z.literal('proxy-html'),
      when,
      stage,
      status: z.int().min(200).max(599).default(502),
    })
    .refine((fault) => fault.status >= 300 || fault.stage === 'after', {
      message: 'a call answered with 2xx was processed: stage must be after',
    }),
  z.strictObject({ kind: z.literal('reset'), when, stage }),
  z.strictObject({ kind: z.literal('hang'), when, stage }),
  /** Any 4xx: a key revoked in mid-run (401), a limit nobody announced (429). Never processed. */
  z.strictObject({ kind: z.literal('refusal'), when, status: z.int().min(400).max(499).default(401) }),
  /** Never processed. */
  z.strictObject({
    kind: z.literal('redirect'),
    when,
    status: z.literal([301, 302, 303, 307, 308]).default(307),
    location: z.string().default('https://elsewhere.example.com/api/v1/assist'),
  }),
  z.strictObject({ kind: z.literal('drip'), when, over: delaySchema }),
  z.strictObject({ kind: z.literal('truncated'), when }),
  z.strictObject({ kind: z.literal('not-json'), when }),
  z.strictObject({ kind: z.literal('wrong-types'), when }),
  /** Values that the contract does not show, in fields that it does. */
  z.strictObject({
    kind: z.literal('unknown-status'),
    when,
    status: z.string().default('degraded'),
    contextSource: z.string().optional(),
  }),
  /** The conversation is lost: a fresh one opens in mid-thread, without an error. */
  z.strictObject({ kind: z.literal('fresh-conversation'), when }),
  z.strictObject({ kind: z.literal('huge-body'), when, bytes: z.int().positive().default(12_000_000) }),
  /** Compressed, whether or not the client said that it understands that. */
  z.strictObject({ kind: z.literal('gzip'), when }),
])
export type Fault = z.output<typeof faultSchema>

/**
 * Whether the assistant gets to see a call that this fault strikes. What it sees is usage and counts toward the
 * quota, whether or not the answer arrives. So a 2xx always counts and a 3xx or 4xx never does; a 5xx, a reset or
 * a hang may do either, as `stage` says, and the client cannot tell.
 */
export function isProcessed(fault: Fault): boolean {
  switch (fault.kind) {
    case 'server-error':
    case 'proxy-html':
    case 'reset':
    case 'hang':
      return fault.stage === 'after'
    case 'refusal':
    case 'redirect':
      return false
    case 'drip':
    case 'truncated':
    case 'not-json':
    case 'wrong-types':
    case 'unknown-status':
    case 'fresh-conversation':
    case 'huge-body':
    case 'gzip':
      return true
  }
}
