// The checks before the assistant, in their order: key, scope, rate limit, media type, size, body, quota.
import { checkBody, checkMediaType } from '../contract/check-request.ts'
import type { Refusal } from '../contract/refusal.ts'
import { ASSIST_SCOPE, type AssistRequestBody } from '../contract/schemas.ts'
import type { Desk, Organization } from '../desk.ts'
import { bearerToken } from '../keys.ts'
import { rateLimitHeaders, retryAfterHeader } from '../limits/headers.ts'
import type { CallOutcome } from '../ledger/call.ts'
import type { Headers } from '../serving/delivery.ts'
import type { IncomingCall } from '../serving/listen.ts'

/** A refusal that the ledger has a name for. */
type LedgerRefusal = Refusal & { readonly cause: CallOutcome & Refusal['cause'] }

export interface Caller {
  readonly organization: string | null
  readonly keyFingerprint: string | null
}

export type Admission =
  | {
      readonly kind: 'admitted'
      readonly caller: Caller & { readonly organization: string }
      readonly body: AssistRequestBody
      readonly headers: Headers
    }
  | {
      readonly kind: 'refused'
      readonly caller: Caller
      readonly refusal: LedgerRefusal
      readonly headers: Headers
    }

/**
 * The limit comes before the body is looked at, as gateways do it: a faulty request spends it too. The quota
 * comes last, since only a call that would reach the assistant can count.
 */
export function admit(desk: Desk, call: IncomingCall, now: number): Admission {
  const token = bearerToken(call.headers.authorization)
  const identity = token === undefined ? undefined : desk.keys.identify(token)
  const keyFingerprint = identity?.fingerprint ?? null
  const holder = identity?.holder
  if (holder === undefined) {
    const message =
      token === undefined ? 'An API key is required: Authorization: Bearer <key>.' : 'Unknown API key.'
    const headers = { 'www-authenticate': 'Bearer' }
    return {
      kind: 'refused',
      caller: { organization: null, keyFingerprint },
      refusal: { cause: 'unauthorized', message },
      headers,
    }
  }
  const caller = { organization: holder.organization, keyFingerprint }
  if (!holder.scopes.includes(ASSIST_SCOPE)) {
    const message = `The API key lacks the scope ${ASSIST_SCOPE}.`
    return { kind: 'refused', caller, refusal: { cause: 'forbidden', message }, headers: {} }
  }
  const organization = desk.organization(holder.organization)
  const { headers, refusal: limited } = passLimit(organization, now)
  const refuse = (refusal: LedgerRefusal): Admission => ({ kind: 'refused', caller, refusal, headers })
  if (limited) return refuse(limited)

  const wrongType = checkMediaType(call.headers['content-type'], call.headers['content-encoding'])
  if (wrongType) return refuse({ ...wrongType, cause: 'unsupported_media_type' })
  if (call.body === 'too-large') {
    return refuse({
      cause: 'too_large',
      message: `The body must not be larger than ${desk.config.maxBodyBytes} bytes.`,
    })
  }
  const checked = checkBody(call.body, desk.requestSchema)
  if (checked.kind === 'refused') return refuse({ ...checked.refusal, cause: 'invalid' })
  const overQuota = passQuota(organization, now)
  return overQuota ? refuse(overQuota) : { kind: 'admitted', caller, body: checked.body, headers }
}

function passLimit(
  { take, rateLimit }: Organization,
  now: number,
): { headers: Headers; refusal?: LedgerRefusal } {
  if (take === undefined || rateLimit === undefined) return { headers: {} }
  const { allowed, nextAt, standings } = take(now)
  const headers = rateLimitHeaders(rateLimit.headers, standings, now)
  if (allowed) return { headers }
  return {
    headers: { ...headers, ...retryAfterHeader(rateLimit.retryAfter, nextAt, now) },
    refusal: { cause: 'rate_limited', message: "The organization's rate limit is reached. Retry later." },
  }
}

function passQuota({ quota, rateLimit }: Organization, now: number): LedgerRefusal | undefined {
  const standing = quota?.stand(now)
  if (!standing?.isSpent) return undefined
  const until = new Date(standing.endsAt).toISOString()
  return {
    cause: 'quota_exhausted',
    message: `The organization's AI quota is spent. The next period begins at ${until}.`,
    headers: retryAfterHeader(rateLimit?.retryAfter ?? 'none', standing.endsAt, now),
  }
}
