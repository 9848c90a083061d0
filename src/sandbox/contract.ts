// The contract: schemas of request and reply, the checks of a request, and the one shape of a refusal.
import * as z from 'zod'

export const ASSIST_PATH = '/api/v1/assist'
export const ASSIST_SCOPE = 'ai_assist.use'
export const SUCCESS_STATUS = 'success'
export const KNOWLEDGE_BASE_SOURCE = 'KNOWLEDGE_BASE'

/** Contract, section 2.1. Fields it does not name are ignored: the platform API grows over time. */
export const assistRequestSchema = (maxMessageLength: number) =>
  z.object({
    message: z
      .string()
      .min(1, 'must not be empty')
      .max(maxMessageLength, `must not be longer than ${maxMessageLength} characters`)
      .regex(/\S/, 'must not be blank'),
    /** Of an earlier conversation to continue. */
    conversationId: z.string().nullable().optional(),
    /** The caller's own opaque reference for the end user asking. */
    endUserRef: z.string().optional(),
  })
export type AssistRequestBody = z.output<ReturnType<typeof assistRequestSchema>>

/** Contract, section 2.2. */
export interface AssistReplyBody {
  readonly conversationId: string
  readonly message: string
  readonly status: string
  readonly contextSource: string
}

export interface ErrorDetail {
  /** Name of the faulty field; empty for the body as a whole. */
  readonly field: string
  readonly message: string
}

/** Contract, section 7. */
export interface ErrorBody {
  readonly success: false
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: readonly ErrorDetail[]
  }
}

/** The contract does not show its values of `error.code`; these are the sandbox's own. */
const CAUSES = {
  malformed_http: { status: 400, code: 'BAD_REQUEST' },
  invalid: { status: 400, code: 'VALIDATION_FAILED' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  not_found: { status: 404, code: 'NOT_FOUND' },
  method_not_allowed: { status: 405, code: 'METHOD_NOT_ALLOWED' },
  too_large: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  rate_limited: { status: 429, code: 'RATE_LIMITED' },
  quota_exhausted: { status: 429, code: 'QUOTA_EXHAUSTED' },
  internal: { status: 500, code: 'INTERNAL_ERROR' },
} as const

export type RefusalCause = keyof typeof CAUSES

export interface Refusal {
  readonly cause: RefusalCause
  readonly message: string
  readonly details?: readonly ErrorDetail[]
  readonly headers?: Readonly<Record<string, string>>
}

export const refusalStatus = (cause: RefusalCause): number => CAUSES[cause].status

export function refusalBody({ cause, message, details = [] }: Refusal): ErrorBody {
  return errorBody(CAUSES[cause].code, message, details)
}

export function errorBody(code: string, message: string, details: readonly ErrorDetail[] = []): ErrorBody {
  return { success: false, error: { code, message, details: [...details] } }
}

type CheckedRequest =
  | { readonly kind: 'good'; readonly body: AssistRequestBody }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Refuses what is not JSON in UTF-8 by its headers, before anyone looks at the body. */
export function checkMediaType(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Refusal | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((one) => /^\s*charset="?([^"]*)"?\s*$/.exec(one)?.[1]).find(Boolean)
  if (type.trim() !== 'application/json' || (charset !== undefined && charset !== 'utf-8')) {
    return { cause: 'unsupported_media_type', message: 'The body must be application/json in UTF-8.' }
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    return { cause: 'unsupported_media_type', message: 'The body must not be compressed.' }
  }
  return undefined
}

export function checkBody(bytes: Uint8Array, schema: ReturnType<typeof assistRequestSchema>): CheckedRequest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse([{ field: '', message: 'must be one JSON object in UTF-8' }])
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? { kind: 'good', body: parsed.data } : refuse(listDetails(parsed.error, value))
}

function refuse(details: readonly ErrorDetail[]): CheckedRequest {
  const fields = details.map((one) => one.field || 'body').join(', ')
  return {
    kind: 'refused',
    refusal: { cause: 'invalid', message: `The request is faulty: ${fields}.`, details },
  }
}

/** One entry for each faulty field, however many rules it breaks: the first says enough to mend it. */
function listDetails(error: z.ZodError, value: unknown): ErrorDetail[] {
  const byField = new Map<string, ErrorDetail>()
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? '')
    if (!byField.has(field)) byField.set(field, { field, message: describe(issue, field, value) })
  }
  return [...byField.values()]
}

function describe(issue: z.core.$ZodIssue, field: string, value: unknown): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (field === '') return 'must be a JSON object'
  const isMissing = !Object.hasOwn(value as object, field)
  return isMissing
    ? 'is required'
    : `must be a ${issue.expected}${field === 'conversationId' ? ' or null' : ''}`
}
