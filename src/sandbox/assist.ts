// POST /api/v1/assist: admit, strike with a fault or not, answer, and enter the call in the ledger.
import { randomUUID } from 'node:crypto'
import {
  ASSIST_SCOPE,
  type AssistReplyBody,
  type AssistRequestBody,
  checkBody,
  checkMediaType,
  KNOWLEDGE_BASE_SOURCE,
  type Refusal,
} from './contract.ts'
import type { Desk, Organization } from './desk.ts'
import { applyFault, chooseFault, isProcessed, stillAnswers } from './faults.ts'
import { bearerToken } from './keys.ts'
import { latencyOf } from './latency.ts'
import { type Call, type CallOutcome, type Conversation, countWords } from './ledger.ts'
import { rateLimitHeaders, retryAfterHeader } from './limits/limiter.ts'
import {
  atOnce,
  type Delivery,
  type Headers,
  jsonForm,
  withHeaders,
  type IncomingCall,
} from './serving/listen.ts'
import { refusalForm } from './serving/route.ts'

/**
 * The ledger is written before the answer leaves, so a client that gives up in between was counted: what
 * reached the assistant is usage, whether or not anyone heard the answer.
 */
export function assist(desk: Desk, incoming: IncomingCall): Delivery {
  const at = desk.clock()
  const admission = admit(desk, incoming, at)
  if (admission.kind === 'refused') {
    const { caller, refusal, headers } = admission
    desk.store.appendCall({ ...unprocessed(caller, at), outcome: refusal.cause })
    return atOnce(withHeaders(refusalForm(refusal), headers), refusal.cause)
  }
  const { caller, body, headers } = admission
  const { organization } = caller
  const number = desk.nextCallNumber()
  const fault = chooseFault(desk.config.faults, { number, message: body.message, organization }, desk.draw)
  if (fault && !isProcessed(fault)) {
    const entry = { ...unprocessed(caller, at), endUserRef: body.endUserRef ?? null }
    desk.store.appendCall({ ...entry, outcome: 'faulted', fault: fault.kind })
    return atOnce(withHeaders(applyFault(fault, undefined), headers), `faulted ${fault.kind}`)
  }
  const { reply, note } = converse(desk, organization, body, at, fault?.kind === 'fresh-conversation')
  desk.organization(organization).quota?.spend(at)
  const outcome = fault && !stillAnswers(fault) ? 'faulted' : 'answered'
  desk.store.appendCall({ ...processed(caller, at, body, reply), outcome, fault: fault?.kind ?? null })
  const form = fault ? applyFault(fault, reply) : jsonForm(200, reply)
  const { latency } = desk.config
  return {
    form: withHeaders(form, headers),
    delayMs: latency ? latencyOf(latency, countWords(reply.message), desk.draw, number) : 0,
    note: `${outcome} ${fault?.kind ?? reply.contextSource} ${note}`,
  }
}

function unprocessed(caller: Caller, at: number): Omit<Call, 'outcome'> {
  return {
    at,
    ...caller,
    conversationId: null,
    endUserRef: null,
    fault: null,
    counted: false,
    wordsIn: 0,
    wordsOut: 0,
  }
}

function processed(caller: Caller, at: number, body: AssistRequestBody, reply: AssistReplyBody) {
  return {
    at,
    ...caller,
    conversationId: reply.conversationId,
    endUserRef: body.endUserRef ?? null,
    counted: true,
    wordsIn: countWords(body.message),
    wordsOut: countWords(reply.message),
  }
}

interface Converse {
  readonly reply: AssistReplyBody
  /** The article that answered, or came nearest, for the log: `vpn`, `nearest vpn`, `no article near`. */
  readonly note: string
}

/** `isLost`: the conversation is not found, although it is there. */
function converse(
  { ask, config, store }: Desk,
  organization: string,
  { message, conversationId, endUserRef }: AssistRequestBody,
  now: number,
  isLost: boolean,
): Converse {
  const found = conversationId && !isLost ? store.findConversation(conversationId) : undefined
  // An id of another organization is refused like one that never was: nobody learns that it exists.
  const known = found?.organization === organization ? found : undefined
  const conversation: Conversation =
    known && !config.rotatingIds
      ? known
      : {
          id: randomUUID(),
          organization,
          endUserRef: known?.endUserRef ?? endUserRef ?? null,
          openedAt: known?.openedAt ?? now,
          turns: [...(known?.turns ?? [])],
        }
  const answer = ask(message, conversation.turns)
  const isGrounded = answer.kind === 'grounded'
  const article = isGrounded ? answer.article.slug : null
  const nearest = isGrounded ? null : (answer.nearest?.slug ?? null)
  const contextSource = isGrounded ? KNOWLEDGE_BASE_SOURCE : config.assistant.modelOnlySource
  conversation.turns.push({
    at: now,
    message,
    answer: answer.message,
    contextSource,
    article,
    section: isGrounded ? answer.section.heading : null,
    nearest,
  })
  store.keepConversation(conversation)
  return {
    reply: {
      conversationId: conversation.id,
      message: answer.message,
      status: config.assistant.successStatus,
      contextSource,
    },
    note: article ?? (nearest === null ? 'no article near' : `nearest ${nearest}`),
  }
}

/** A refusal that the ledger has a name for. */
type LedgerRefusal = Refusal & { readonly cause: CallOutcome & Refusal['cause'] }

interface Caller {
  readonly organization: string | null
  readonly keyFingerprint: string | null
}

type Admission =
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
function admit(desk: Desk, call: IncomingCall, now: number): Admission {
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
