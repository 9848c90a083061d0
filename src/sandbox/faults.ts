// Fault injection: which calls a fault hits, and what it sends.
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { type AssistReplyBody, errorBody } from './contract.ts'
import { type WireResponse, jsonResponse } from './http.ts'
import { durationSchema, type Draw } from './latency.ts'

function compilePattern(source: string, context: z.RefinementCtx): RegExp {
  try {
    return new RegExp(source, 'iu')
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is not a regular expression: ${(error as Error).message}` })
    return z.NEVER
  }
}

/** Hits the calls for which all conditions hold. Calls that pass all checks are numbered from 1. */
const when = z
  .strictObject({
    /** Is a share of the calls, drawn from the seed. */
    rate: z.number().min(0).max(1).optional(),
    message: z.string().transform(compilePattern).optional(),
    calls: z.array(z.int().positive()).optional(),
    every: z.int().positive().optional(),
  })
  .prefault({})

/** Says if the fault hits before or after the assistant processes the call and the ledger counts it. */
const stage = z.enum(['before', 'after']).default('after')
const status = (from: number, to: number) => z.int().min(from).max(to)

const fault = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), when, ...fields })

export const faultSchema = z.discriminatedUnion('kind', [
  /** Takes `retryAfter` in seconds. */
  fault('server-error', {
    stage,
    status: status(500, 599).default(500),
    retryAfter: z.int().nonnegative().optional(),
  }),
  fault('proxy-html', { stage, status: status(200, 599).default(502) }),
  fault('reset', { stage }),
  fault('hang', { stage }),
  /** Is any 4xx, such as a revoked key (401) or an unannounced limit (429). Never processed. */
  fault('refusal', { status: status(400, 499).default(401) }),
  fault('redirect', {
    status: z.literal([301, 302, 303, 307, 308]).default(307),
    location: z.string().default('https://elsewhere.example.com/api/v1/assist'),
  }),
  fault('drip', { over: durationSchema }),
  fault('truncated', {}),
  fault('not-json', {}),
  fault('wrong-types', {}),
  fault('unknown-status', { status: z.string().default('degraded'), contextSource: z.string().optional() }),
  fault('fresh-conversation', {}),
  fault('huge-body', { bytes: z.int().positive().default(12_000_000) }),
  fault('gzip', {}),
])
export type SandboxFault = z.output<typeof faultSchema>

/**
 * Counts a processed call as usage, even if the answer never arrives. A 2xx always counts, a 3xx or 4xx
 * never. For a 5xx, a reset or a hang `stage` decides, and the client cannot tell.
 */
export function isProcessed(hit: SandboxFault): boolean {
  const { status: answered = NaN } = 'status' in hit ? hit : {}
  if (Number(answered) < 300) return true
  return Number(answered) < 500 ? false : !('stage' in hit) || hit.stage === 'after'
}

export const deliversReply = ({ kind }: SandboxFault): boolean =>
  ['drip', 'unknown-status', 'fresh-conversation', 'huge-body', 'gzip'].includes(kind)

export function chooseFault(
  faults: readonly SandboxFault[],
  number: number,
  message: string,
  draw: Draw,
): SandboxFault | undefined {
  return faults.find(({ when: rule, kind }, index) => {
    if (rule.calls !== undefined && !rule.calls.includes(number)) return false
    if (rule.every !== undefined && number % rule.every !== 0) return false
    if (rule.message !== undefined && !rule.message.test(message)) return false
    return rule.rate === undefined || draw(`fault:${index}:${kind}`, number) < rule.rate
  })
}

const PROXY_PAGE = '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n'

/** Makes the response. Faults that change the reply always process the call. */
export function applyFault(hit: SandboxFault, reply: AssistReplyBody | undefined): WireResponse {
  const good = jsonResponse(200, reply ?? null)
  switch (hit.kind) {
    case 'server-error': {
      const headers = hit.retryAfter === undefined ? {} : { 'retry-after': String(hit.retryAfter) }
      const body = errorBody('SERVICE_FAILURE', 'The service failed. Please retry.')
      return jsonResponse(hit.status, body, headers)
    }
    case 'proxy-html':
      return { ...good, status: hit.status, headers: { 'content-type': 'text/html' }, body: PROXY_PAGE }
    case 'reset':
    case 'hang':
      return { kind: hit.kind }
    case 'refusal':
      return jsonResponse(hit.status, errorBody('REFUSED', 'A configured fault refuses this call.'))
    case 'redirect':
      return { ...good, status: hit.status, headers: { location: hit.location }, body: '' }
    case 'drip':
      return { ...good, kind: 'drip', overMs: hit.over }
    case 'truncated':
      return { ...good, kind: 'truncated' }
    case 'not-json':
      return { ...good, body: `Answer: ${reply?.message}` }
    case 'wrong-types': {
      const contextSource = [reply?.contextSource]
      return jsonResponse(200, { conversationId: 42, message: null, status: true, contextSource })
    }
    case 'unknown-status': {
      const contextSource = hit.contextSource ?? reply?.contextSource
      return jsonResponse(200, { ...reply, status: hit.status, contextSource })
    }
    case 'fresh-conversation':
      return good
    case 'huge-body':
      return jsonResponse(200, { ...reply, message: reply?.message.padEnd(hit.bytes, ' and so on') })
    case 'gzip':
      return { ...good, headers: { ...good.headers, 'content-encoding': 'gzip' }, body: gzipSync(good.body) }
  }
}
