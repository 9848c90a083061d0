// Why a request is refused, each cause with its status and code; one shape for all of them.
import type { ErrorBody, ErrorDetail } from './schemas.ts'

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
