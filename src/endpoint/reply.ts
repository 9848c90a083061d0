// Interprets an HTTP response: strict where the contract is specific, tolerant where it is silent.
import * as z from 'zod'
import type { AssistError, AttemptResult } from '../domain/attempt.ts'
import { cut } from '../domain/text.ts'

const MAX_EXCERPT = 500

const replySchema = z.looseObject({
  conversationId: z.string(),
  message: z.string(),
  status: z.string(),
  contextSource: z.string(),
})

/** Is the contract's error object. A code may be a number; any other unexpected value counts as missing. */
const errorBodySchema = z.object({
  error: z.object({
    code: z
      .union([z.string(), z.number()])
      .transform((code) => cut(String(code), MAX_EXCERPT))
      .optional()
      .catch(undefined),
    message: z.string().optional().catch(undefined),
    details: z.unknown().optional(),
  }),
})

export type Headers = Readonly<Record<string, string>>

export const isSuccess = (httpStatus: number): boolean => httpStatus >= 200 && httpStatus <= 299

/** Converts a complete response to a result. Never throws. */
export function interpretAnswer(httpStatus: number, headers: Headers, body: string): AttemptResult {
  const json = parseJson(body)
  if (!isSuccess(httpStatus))
    return { kind: 'rejection', httpStatus, error: readError(httpStatus, headers, json, body), headers }
  const parsed = replySchema.safeParse(json)
  if (!parsed.success) {
    const { code, message: says } = errorBodySchema.safeParse(json).data?.error ?? {}
    const suffix = says === undefined ? '' : `; it says: ${cut(says, MAX_EXCERPT)}`
    const faults = parsed.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    )
    const shape = `not the contract's shape (${faults.join('; ')})${suffix}`
    const reason = json === undefined ? 'the body is not JSON' : shape
    return { ...malformedAnswer(httpStatus, headers, reason, body), code }
  }
  const { conversationId, message, status, contextSource, ...extra } = parsed.data
  const reply = { conversationId, message, status, contextSource }
  const isBare = Object.keys(extra).length === 0
  const bounded = Object.entries(extra).map(([name, value]) => [name, isDeep(value) ? TOO_DEEP : value])
  return {
    kind: 'reply',
    httpStatus,
    reply: isBare ? reply : { ...reply, extra: Object.fromEntries(bounded) as Record<string, unknown> },
    headers,
  }
}

export function malformedAnswer(
  httpStatus: number,
  headers: Headers,
  reason: string,
  body: string,
): Extract<AttemptResult, { kind: 'malformed' }> {
  return { kind: 'malformed', httpStatus, reason, excerpt: body.slice(0, MAX_EXCERPT), headers }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body.startsWith('\uFEFF') ? body.slice(1) : body)
  } catch {
    return undefined
  }
}

function readError(httpStatus: number, headers: Headers, json: unknown, body: string): AssistError {
  if (httpStatus >= 300 && httpStatus < 400)
    return { message: `HTTP ${httpStatus}, a redirect to ${headers['location'] ?? 'nowhere'}: not followed` }
  const parsed = errorBodySchema.safeParse(json)
  if (!parsed.success) {
    const excerpt = body.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT)
    const rest = excerpt === '' ? ' or any body' : `: ${excerpt}`
    return { message: `HTTP ${httpStatus} without the documented error object${rest}` }
  }
  const { code, message = `HTTP ${httpStatus}`, details } = parsed.data.error
  return {
    code,
    message: cut(message, 4 * MAX_EXCERPT),
    ...(details === undefined ? {} : { details: boundDetails(details) }),
  }
}

/** Limits the size of `details`; the contract does not specify their shape. */
function boundDetails(details: unknown): unknown {
  if (isDeep(details)) return TOO_DEEP
  const text = JSON.stringify(details)
  return text.length <= 20 * MAX_EXCERPT ? details : text.slice(0, 20 * MAX_EXCERPT)
}

/** Limits nesting: a deeper value could overflow the stack of a reader. */
const MAX_LEVELS = 50
const TOO_DEEP = `nested more than ${MAX_LEVELS} levels deep; left out`

/** Iterates level by level, since recursion could overflow the stack. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
