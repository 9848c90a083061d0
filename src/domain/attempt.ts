// One HTTP request for a turn: what is sent, and what came of it as a value.
import * as z from 'zod'

/** What a turn sends; `conversationId` is absent in the first turn of a thread. */
export interface AssistRequest {
  readonly message: string
  readonly conversationId?: string
  readonly endUserRef?: string
}

/** The contract's reply; unknown fields are kept in `extra`. */
export const assistReplySchema = z.object({
  conversationId: z.string(),
  message: z.string(),
  status: z.string(),
  contextSource: z.string(),
  extra: z.record(z.string(), z.unknown()).optional(),
})
export type AssistReply = z.infer<typeof assistReplySchema>

/** The contract's error object as far as the endpoint kept to it. */
export const assistErrorSchema = z.object({
  code: z.string().optional(),
  message: z.string(),
  details: z.unknown().optional(),
})
export type AssistError = z.infer<typeof assistErrorSchema>

const headers = z.record(z.string(), z.string()).optional()

export const attemptResultSchema = z.discriminatedUnion('kind', [
  /** A 2xx of the contract's shape. */
  z.object({ kind: z.literal('reply'), httpStatus: z.int(), reply: assistReplySchema, headers }),
  /** A 2xx that is not the contract's shape. `excerpt` is the start of the body. */
  z.object({
    kind: z.literal('malformed'),
    httpStatus: z.int(),
    reason: z.string(),
    code: z.string().optional(),
    excerpt: z.string(),
    headers,
  }),
  /** Any other status. */
  z.object({ kind: z.literal('rejection'), httpStatus: z.int(), error: assistErrorSchema, headers }),
  /** The deadline passed after sending began; `httpStatus` where the answer had begun. */
  z.object({ kind: z.literal('timeout'), httpStatus: z.int().optional(), message: z.string(), headers }),
  /**
   * No whole answer. `sent` is false where the request certainly never left: refused, DNS, TLS.
   * `httpStatus` where the answer had begun.
   */
  z.object({
    kind: z.literal('network'),
    sent: z.boolean(),
    httpStatus: z.int().optional(),
    code: z.string(),
    message: z.string(),
    headers,
  }),
  /** Given up by the harness itself (second Ctrl-C, grace time over); it may have been processed if `sent`. */
  z.object({ kind: z.literal('abandoned'), sent: z.boolean() }),
])
export type AttemptResult = z.infer<typeof attemptResultSchema>

/** An attempt with its time stamps, milliseconds of one monotonic clock. */
export interface AttemptReport {
  /** When the request began to leave, or, where it never did, when it was handed to the client. */
  readonly sentAt: number
  /** Last byte, or failure. */
  readonly endedAt: number
  readonly result: AttemptResult
}

/** Whether the endpoint may have processed the call without our having its answer. */
export function isAmbiguous(result: AttemptResult): boolean {
  switch (result.kind) {
    case 'reply':
    case 'malformed':
      return false
    case 'rejection':
      return result.httpStatus >= 500
    case 'timeout':
      return !isSettledStatus(result.httpStatus)
    case 'network':
      return result.sent && !isSettledStatus(result.httpStatus)
    case 'abandoned':
      return result.sent
  }
}

/** A status of 3xx or 4xx settles the matter even where its body was cut off. */
function isSettledStatus(httpStatus: number | undefined): boolean {
  return httpStatus !== undefined && httpStatus >= 300 && httpStatus < 500
}

/** Undefined for an answer, and for what has no result. */
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

/** The fields that a validation found fault with; their shape is not shown, so they stand as they came. */
function describeDetails(details: unknown): string {
  if (details === undefined || details === null) return ''
  if (Array.isArray(details) && details.length === 0) return ''
  const text = typeof details === 'string' ? details : JSON.stringify(details)
  return ` (details: ${text.length <= 500 ? text : `${text.slice(0, 500)}…`})`
}

/** The endpoint's error code, or that of the network failure. */
export function errorCodeOf(result: AttemptResult | undefined): string | undefined {
  if (result?.kind === 'rejection') return result.error.code
  return result !== undefined && 'code' in result ? result.code : undefined
}
