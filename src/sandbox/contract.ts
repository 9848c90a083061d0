// The Assist contract: request schema, reply, and error body.
import * as z from 'zod'

export const ASSIST_PATH = /^\/api\/v1\/assist$/
export const ASSIST_SCOPE = 'ai_assist.use'
export const KNOWLEDGE_BASE_SOURCE = 'KNOWLEDGE_BASE'
/** Are the sandbox's own limits: the contract specifies none. */
const MAX_MESSAGE_LENGTH = 10_000
export const MAX_REQUEST_BYTES = 1_000_000

const text = (otherwise: string) =>
  z.string({ error: ({ input }) => (input === undefined ? 'is required' : otherwise) })

/** Follows the contract, 2.1. Unknown fields are ignored: the platform API grows over time. */
const requestSchema = z.object(
  {
    message: text('must be a string')
      .regex(/\S/, 'must not be blank')
      .max(MAX_MESSAGE_LENGTH, `must not be longer than ${MAX_MESSAGE_LENGTH} characters`),
    conversationId: text('must be a string or null').nullish(),
    endUserRef: text('must be a string').optional(),
  },
  'must be a JSON object in UTF-8',
)
export type AssistRequestBody = z.output<typeof requestSchema>

/** Follows the contract, 2.2. */
export interface AssistReplyBody {
  readonly conversationId: string
  readonly message: string
  readonly status: string
  readonly contextSource: string
  /** Names the article and section if `namesArticles` is set; not in the contract. */
  readonly sandboxArticle?: string
}

interface ErrorDetail {
  readonly field: string
  readonly message: string
}

/** Follows the contract, 7. */
export function errorBody(code: string, message: string, details: readonly ErrorDetail[] = []) {
  return { success: false, error: { code, message, details } }
}

/** Are the refusals under their names in the ledger. The values of `error.code` are the sandbox's own. */
export const CALL_REFUSALS = {
  invalid: { status: 400, code: 'VALIDATION_FAILED' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  too_large: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  rate_limited: { status: 429, code: 'RATE_LIMITED' },
  quota_exhausted: { status: 429, code: 'QUOTA_EXHAUSTED' },
} as const
export type CallRefusal = keyof typeof CALL_REFUSALS

export const REFUSALS = {
  ...CALL_REFUSALS,
  not_found: { status: 404, code: 'NOT_FOUND' },
  method_not_allowed: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
} as const

export interface AssistRefusal<Cause = keyof typeof REFUSALS> {
  readonly cause: Cause
  readonly message: string
  readonly details?: readonly ErrorDetail[]
  readonly headers?: Readonly<Record<string, string>>
}

export function isJson(contentType = '', contentEncoding = 'identity'): boolean {
  const isEncoded = contentEncoding.toLowerCase() !== 'identity'
  return !isEncoded && /^\s*application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

/** Returns the request, or a refusal with one detail for each invalid field. */
export function readRequest(bytes: Uint8Array): AssistRequestBody | AssistRefusal<'invalid'> {
  const parsed = requestSchema.safeParse(parseJson(bytes))
  if (parsed.success) return parsed.data
  const { formErrors, fieldErrors } = z.flattenError(parsed.error)
  const details = Object.entries({ ...(formErrors.length > 0 && { '': formErrors }), ...fieldErrors }).map(
    ([field, messages]) => ({ field, message: messages[0] ?? '' }),
  )
  const fields = details.map(({ field }) => field || 'body').join(', ')
  return { cause: 'invalid', message: `The request is invalid: ${fields}.`, details }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
