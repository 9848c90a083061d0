// An attempt: one HTTP request for a turn, and its result as a value.
import * as z from 'zod'
import { cut, singleSpaced } from './text.ts'

export interface AssistRequest {
  readonly message: string
  readonly conversationId?: string
  readonly endUserRef?: string
}

/** Unknown fields go to `extra`. */
const assistReplySchema = z.object({
  conversationId: z.string(),
  message: z.string(),
  status: z.string(),
  contextSource: z.string(),
  extra: z.record(z.string(), z.unknown()).optional(),
})
export type AssistReply = z.infer<typeof assistReplySchema>

export function sandboxArticleOf({ extra }: AssistReply): string | undefined {
  const article = extra?.['sandboxArticle']
  return typeof article === 'string' ? article : undefined
}

const assistErrorSchema = z.object({
  code: z.string().optional(),
  message: z.string(),
  details: z.unknown().optional(),
})
export type AssistError = z.infer<typeof assistErrorSchema>

const headers = z.record(z.string(), z.string()).optional()

export const attemptResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), httpStatus: z.int(), reply: assistReplySchema, headers }),
  z.object({
    kind: z.literal('malformed'),
    httpStatus: z.int(),
    reason: z.string(),
    code: z.string().optional(),
    excerpt: z.string(),
    headers,
  }),
  z.object({ kind: z.literal('rejection'), httpStatus: z.int(), error: assistErrorSchema, headers }),
  /** A `httpStatus` says that the response had begun. */
  z.object({ kind: z.literal('timeout'), httpStatus: z.int().optional(), message: z.string(), headers }),
  /** The request certainly never left (refused, DNS, TLS) if `sent` is false. */
  z.object({
    kind: z.literal('network'),
    sent: z.boolean(),
    httpStatus: z.int().optional(),
    code: z.string(),
    message: z.string(),
    headers,
  }),
  /** The harness canceled it. If `sent`, the endpoint may have processed it, unless its status says more. */
  z.object({ kind: z.literal('abandoned'), sent: z.boolean(), httpStatus: z.int().optional() }),
])
export type AttemptResult = z.infer<typeof attemptResultSchema>

/** Timestamps are milliseconds of one monotonic clock. */
export interface AttemptReport {
  /** The client began to send then, or got the request, if it never did. */
  readonly sentAt: number
  readonly endedAt: number
  readonly result: AttemptResult
}

export const statusOf = (result: AttemptResult | undefined): number | undefined =>
  result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined

/** A desk's log or a gateway's names a call by one of these headers, the best one first. */
export const REQUEST_ID_HEADERS: readonly string[] = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'traceparent',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'cf-ray',
]

export function requestIdOf(result: AttemptResult): string | undefined {
  if (!('headers' in result)) return undefined
  const { headers: received = {} } = result
  const name = REQUEST_ID_HEADERS.find((header) => received[header] !== undefined)
  return name === undefined ? undefined : `${name} ${received[name]}`
}

export const tooLong = (characters: number): string => `too long (${characters} characters)`

export const unreadHeaders = (result: AttemptResult): string[] =>
  Object.entries(('headers' in result && result.headers) || {}).flatMap(([name, value]) =>
    /^too long \(\d+ characters\)$/.test(value) ? [name] : [],
  )

export const isRateLimited = (result: AttemptResult): boolean =>
  result.kind === 'rejection' && result.httpStatus === 429

/** Says so in words: a quota that the desk resets by the minute may have such a code, too. */
const QUOTA_CODE = /quota|credit|billing|payment|allowance|(?:dai|month|year)ly|usage.?limit/i

export const isQuotaRefusal = (result: AttemptResult): boolean =>
  result.kind === 'rejection' &&
  (result.httpStatus === 402 ||
    (result.httpStatus >= 400 && result.httpStatus < 500 && QUOTA_CODE.test(result.error.code ?? '')))

/** A proxy wants a login: ours, to which no call was sent yet, or one on the way. */
export const isProxyLogin = (result: AttemptResult): boolean =>
  (result.kind === 'network' && result.code === 'PROXY_407') ||
  (result.kind === 'rejection' && result.httpStatus === 407)

/** A redirect or a 404 may come from something else than the endpoint, such as a login page. */
export const isMisdirected = (result: AttemptResult | undefined): boolean =>
  result?.kind === 'rejection' &&
  ((result.httpStatus >= 300 && result.httpStatus < 400) || result.httpStatus === 404)

/** The answer's head is not HTTP or too large; undici names no status then. */
export const isUnreadable = (result: AttemptResult): boolean =>
  result.kind === 'network' &&
  result.httpStatus === undefined &&
  /^(HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(result.code)

/** The endpoint may have processed the call, but its answer is missing. */
export function isAmbiguous(result: AttemptResult): boolean {
  switch (result.kind) {
    case 'reply':
    case 'malformed':
      return false
    case 'rejection':
      return result.httpStatus >= 500
    case 'timeout':
      return true
    case 'network':
      return result.sent
    case 'abandoned':
      return result.sent && !/^[34]/.test(String(result.httpStatus))
  }
}

export const replyOf = (result: AttemptResult | undefined): AssistReply | undefined =>
  result?.kind === 'reply' ? result.reply : undefined

export function describeError(result: AttemptResult | undefined): string | undefined {
  switch (result?.kind) {
    case 'rejection':
      return `${result.error.message}${describeDetails(result.error.details)}`
    case 'malformed':
      return result.reason
    case 'timeout':
    case 'network':
      return result.message
    case 'abandoned':
      return 'given up by the harness'
    case 'reply':
    case undefined:
      return undefined
  }
}

export function describeBody(result: AttemptResult | undefined): string {
  if (result?.kind !== 'malformed') return ''
  const type = result.headers?.['content-type']
  const start = cut(singleSpaced(result.excerpt), 200)
  return `${type === undefined ? '' : ` (${type})`}${start === '' ? '' : `: ${start}`}`
}

/** The contract does not show the shape of details, so they are JSON, as received. */
function describeDetails(details: unknown): string {
  if (details === undefined || details === null) return ''
  if (Array.isArray(details) && details.length === 0) return ''
  const text = typeof details === 'string' ? details : JSON.stringify(details)
  return ` (details: ${cut(text, 500)})`
}

export function errorCodeOf(result: AttemptResult | undefined): string | undefined {
  if (result?.kind === 'rejection') return result.error.code
  return result !== undefined && 'code' in result ? result.code : undefined
}

export interface ResultFacts {
  readonly contextSource: string | undefined
  readonly status: string | undefined
  readonly httpStatus: number | undefined
  readonly code: string | undefined
}

export function factsOf(result: AttemptResult | undefined): ResultFacts {
  const reply = replyOf(result)
  return {
    contextSource: reply?.contextSource,
    status: reply?.status,
    httpStatus: statusOf(result),
    code: errorCodeOf(result),
  }
}
