// The ways in which the sandbox misbehaves on purpose: when, and what goes over the wire then.
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { type AssistReplyBody, errorBody } from './contract.ts'
import { delaySchema, type Draw } from './latency.ts'
import { type Form, jsonForm } from './serving/listen.ts'

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

interface StruckCall {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly message: string
  readonly organization: string
}

export function chooseFault(faults: readonly Fault[], call: StruckCall, draw: Draw): Fault | undefined {
  return faults.find(({ when: rule, kind }, index) => {
    if (rule.organization !== undefined && rule.organization !== call.organization) return false
    if (rule.calls !== undefined && !rule.calls.includes(call.number)) return false
    if (rule.every !== undefined && call.number % rule.every !== 0) return false
    if (rule.message !== undefined && !rule.message.test(call.message)) return false
    return rule.rate === undefined || draw(`fault:${index}:${kind}`, call.number) < rule.rate
  })
}

/** `reply` is absent where the call was not processed; kinds that need one are always processed. */
export function applyFault(fault: Fault, reply: AssistReplyBody | undefined): Form {
  switch (fault.kind) {
    case 'server-error':
      return jsonForm(
        fault.status,
        errorBody('SERVICE_FAILURE', 'The service failed. Please retry.'),
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      )
    case 'proxy-html':
      return {
        kind: 'whole',
        status: fault.status,
        headers: { 'content-type': 'text/html' },
        body: '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n',
      }
    case 'reset':
      return { kind: 'reset' }
    case 'hang':
      return { kind: 'hang' }
    case 'refusal':
      return jsonForm(fault.status, errorBody('REFUSED', 'The sandbox was told to refuse this call.'))
    case 'redirect':
      return { kind: 'whole', status: fault.status, headers: { location: fault.location }, body: '' }
    case 'drip':
      return { ...jsonForm(200, reply), kind: 'drip', overMs: fault.over }
    case 'truncated':
      return { ...jsonForm(200, reply), kind: 'truncated' }
    case 'not-json':
      return { ...jsonForm(200, reply), body: `Answer: ${reply?.message}` }
    case 'wrong-types':
      return jsonForm(200, {
        conversationId: 42,
        message: null,
        status: true,
        contextSource: [reply?.contextSource],
      })
    case 'unknown-status':
      return jsonForm(200, {
        ...reply,
        status: fault.status,
        ...(fault.contextSource !== undefined && { contextSource: fault.contextSource }),
      })
    case 'fresh-conversation':
      return jsonForm(200, reply)
    case 'huge-body':
      return jsonForm(200, { ...reply, message: padTo(reply?.message ?? '', fault.bytes) })
    case 'gzip': {
      const { body, ...rest } = jsonForm(200, reply)
      return { ...rest, headers: { ...rest.headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }
    }
  }
}

/** Whether the client gets a whole reply of the contract's shape in spite of the fault. */
export function stillAnswers(fault: Fault): boolean {
  return ['drip', 'unknown-status', 'fresh-conversation', 'huge-body', 'gzip'].includes(fault.kind)
}

const padTo = (text: string, length: number): string => text.padEnd(length, ' and so on')
