// POST /api/v1/assist: checks the call, injects a fault if one is due, answers, and records the call.
import { randomUUID } from 'node:crypto'
import {
  ASSIST_SCOPE,
  type AssistReplyBody,
  type AssistRequestBody,
  type CallRefusal,
  isJson,
  KNOWLEDGE_BASE_SOURCE,
  MAX_REQUEST_BYTES,
  readRequest,
  type AssistRefusal,
} from './contract.ts'
import { bearerToken, type Desk, digestKey, type Organization } from './desk.ts'
import { applyFault, chooseFault, isProcessed, deliversReply } from './faults.ts'
import { type WireResponse, type Headers, type IncomingCall, jsonResponse, refusalResponse } from './http.ts'
import { drawLatency } from './latency.ts'
import type { LedgerCall, CallOutcome, LedgerConversation } from './ledger.ts'
import { rateLimitHeaders, retryAfterHeader } from './limits/limiter.ts'

/** Records the call before it answers: what reached the assistant is usage, whoever disconnects. */
export function assist(desk: Desk, incoming: IncomingCall): WireResponse {
  const { config, clock, draw } = desk
  const at = clock()
  const admission = admit(desk, incoming, at)
  const { caller, headers } = admission
  const ledger = desk.ledger.calls
  const record = (call: Partial<LedgerCall>): void =>
    void ledger.push({ at, ...caller, ...NOT_PROCESSED, ...call, id: `call-${ledger.length + 1}` })
  if (admission.kind === 'refused') {
    record({ outcome: admission.refusal.cause })
    return withHeaders(refusalResponse(admission.refusal), headers)
  }
  const { organization, body } = admission
  const { message, endUserRef = null } = body
  desk.callNumber += 1
  const number = desk.callNumber
  const fault = chooseFault(config.faults, number, message, draw)
  const faultKind = fault?.kind ?? null
  if (fault && !isProcessed(fault)) {
    record({ endUserRef, fault: faultKind })
    return withHeaders(applyFault(fault, undefined), headers)
  }
  const reply = converse(desk, organization.name, body, at, faultKind === 'fresh-conversation')
  organization.quota?.spend(at)
  const outcome = fault && !deliversReply(fault) ? 'faulted' : 'answered'
  record({ conversationId: reply.conversationId, endUserRef, outcome, fault: faultKind, counted: true })
  return {
    ...withHeaders(fault ? applyFault(fault, reply) : jsonResponse(200, reply), headers),
    delayMs: config.latency ? drawLatency(config.latency, draw, number) : 0,
  }
}

const NOT_PROCESSED = {
  conversationId: null,
  endUserRef: null,
  outcome: 'faulted' as CallOutcome,
  fault: null,
  counted: false,
}

function withHeaders(response: WireResponse, headers: Headers): WireResponse {
  return 'headers' in response ? { ...response, headers: { ...headers, ...response.headers } } : response
}

function converse(
  { ask, config, namesArticles, ledger: { conversations } }: Desk,
  organization: string,
  { message, conversationId, endUserRef }: AssistRequestBody,
  at: number,
  isLost: boolean,
): AssistReplyBody {
  const found = conversationId && !isLost ? conversations.get(conversationId) : undefined
  // Another organization's id is treated as unknown, so that nobody learns that it exists.
  const known = found?.organization === organization ? found : undefined
  const opened = { organization, endUserRef: endUserRef ?? null, openedAt: at, turns: [], ...known }
  const conversation: LedgerConversation =
    known && !config.rotatingIds ? known : { ...opened, id: randomUUID(), turns: [...opened.turns] }
  const { message: answer, article, section } = ask(message, conversation.turns)
  const contextSource = article === null ? config.assistant.modelOnlySource : KNOWLEDGE_BASE_SOURCE
  conversation.turns.push({ at, message, answer, contextSource, article, section })
  conversations.set(conversation.id, conversation)
  const reply = { conversationId: conversation.id, message: answer, status: 'success', contextSource }
  if (!namesArticles || article === null) return reply
  return { ...reply, sandboxArticle: section ? `${article} / ${section}` : article }
}

type Admission = {
  readonly caller: { readonly organization: string | null; readonly keyFingerprint: string | null }
  readonly headers: Headers
} & (
  | { readonly kind: 'admitted'; readonly organization: Organization; readonly body: AssistRequestBody }
  | { readonly kind: 'refused'; readonly refusal: AssistRefusal<CallRefusal> }
)

/**
 * Checks the rate limit before the body, as gateways do, so an invalid request counts toward it; and the
 * quota last: only calls that reach the assistant count toward that.
 */
function admit(desk: Desk, call: IncomingCall, now: number): Admission {
  const token = bearerToken(call.headers.authorization)
  const digest = token === undefined ? undefined : digestKey(token)
  const holder = desk.holders.get(digest ?? '')
  const caller = {
    organization: holder?.organization.name ?? null,
    keyFingerprint: digest?.slice(0, 8) ?? null,
  }
  const refuse = (cause: CallRefusal, message: string, headers: Headers = {}): Admission => ({
    kind: 'refused',
    caller,
    headers,
    refusal: { cause, message },
  })
  if (holder === undefined) {
    const message = 'A known API key is required: Authorization: Bearer <key>.'
    return refuse('unauthorized', message, { 'www-authenticate': 'Bearer' })
  }
  if (!holder.scopes.includes(ASSIST_SCOPE))
    return refuse('forbidden', `The API key lacks the scope ${ASSIST_SCOPE}.`)

  const { organization } = holder
  const { rateLimit, take, quota } = organization
  const retryAfter = rateLimit?.retryAfter ?? 'none'
  const verdict = take?.(now)
  const headers = verdict ? rateLimitHeaders(rateLimit?.headers ?? [], verdict.standings, now) : {}
  if (verdict && !verdict.allowed) {
    const waits = retryAfterHeader(retryAfter, verdict.nextAt, now)
    return refuse('rate_limited', "The organization's rate limit is reached.", { ...headers, ...waits })
  }
  if (!isJson(call.headers['content-type'], call.headers['content-encoding'])) {
    const message = 'The body must be application/json in UTF-8, not compressed.'
    return refuse('unsupported_media_type', message, headers)
  }
  if (call.body === 'too-large')
    return refuse('too_large', `The body must not be larger than ${MAX_REQUEST_BYTES} bytes.`, headers)
  const body = readRequest(call.body)
  if ('cause' in body) return { kind: 'refused', caller, headers, refusal: body }
  const quotaState = quota?.check(now)
  if (quotaState?.isSpent) {
    const until = new Date(quotaState.endsAt).toISOString()
    const message = `The organization's AI quota is spent. The next period begins at ${until}.`
    const waits = retryAfterHeader(retryAfter, quotaState.endsAt, now)
    return refuse('quota_exhausted', message, { ...headers, ...waits })
  }
  return { kind: 'admitted', caller, headers, organization, body }
}
