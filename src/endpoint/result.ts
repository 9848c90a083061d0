// Converts an HTTP exchange to an attempt's result, and masks secrets wherever the endpoint echoes them.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import * as z from 'zod'
import {
  type AssistError,
  type AttemptReport,
  type AttemptResult,
  REQUEST_ID_HEADERS,
  tooLong,
} from '../domain/attempt.ts'
import { duration, plural } from '../domain/format.ts'
import { isWithout, type Mask, maskText, maskValue } from '../domain/secret.ts'
import { cut, showActing } from '../domain/text.ts'
import { type Ending, type ExchangeResult, MAX_ANSWER_BYTES, MAX_HEADER_BYTES } from './exchange.ts'
import { CONNECT_TIMEOUT, describeFailure, failureCode, isClosed } from './undici.ts'

type Response = NonNullable<ReturnType<typeof readResponse>>

/** Masks secrets in what the endpoint sends; nothing else does. Never throws. */
export function buildReport(exchange: ExchangeResult, ending: Ending, mask: Mask): AttemptReport {
  const { sentAt, endedAt } = exchange
  const response = readResponse(exchange, mask)
  // Fast path: most answers contain no secret. JSON escapes may hide characters of one.
  if (ending.kind === 'whole' && response !== undefined) {
    const { text, fault = '' } = response
    if (!text.includes('\\u') && !text.includes('\\/') && isWithout(text + fault, mask))
      return { sentAt, endedAt, result: interpret(exchange, ending, response) }
  }
  // Masked in the text, so that no excerpt cuts a secret, and in the parsed values, without escapes.
  const masked = response && { ...response, text: maskText(response.text, mask) }
  const result = maskValue(interpret(exchange, ending, masked), mask) as AttemptResult
  return { sentAt, endedAt, result }
}

function interpret(exchange: ExchangeResult, ending: Ending, response: Response | undefined): AttemptResult {
  const { sent, answer } = exchange
  if (ending.kind === 'abandoned')
    return { kind: 'abandoned', sent, ...(answer && { httpStatus: answer.httpStatus }) }
  if (response === undefined) return interpretFailure(exchange, ending)
  const { httpStatus, headers, text } = response
  // Outside 2xx the status alone decides, even if the body is incomplete.
  if (!isSuccess(httpStatus)) return interpretAnswer(httpStatus, headers, text)
  if (ending.kind !== 'whole' && ending.kind !== 'oversize')
    return { ...interpretFailure(exchange, ending), httpStatus, headers }
  const fault = ending.kind === 'oversize' ? TOO_LARGE : response.fault
  return fault === undefined
    ? interpretAnswer(httpStatus, headers, text)
    : malformedAnswer(httpStatus, headers, fault, text)
}

const TOO_LARGE = `the body is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MiB`

function interpretFailure(
  { sent, sentAt, endedAt, answer, body }: ExchangeResult,
  ending: Ending,
): Extract<AttemptResult, { kind: 'timeout' | 'network' }> {
  if (ending.kind === 'failure') {
    const { error } = ending
    const message = sent ? describeSentFailure(error, answer && body.length) : describeFailure(error)
    return { kind: 'network', sent, code: failureCode(error), message }
  }
  if (ending.kind !== 'deadline')
    return { kind: 'network', sent, code: 'NO_ANSWER', message: 'no answer came' }
  const took = duration(endedAt - sentAt)
  if (!sent) return { kind: 'network', sent, code: CONNECT_TIMEOUT, message: `no connection after ${took}` }
  const message = answer === undefined ? `no answer after ${took}` : `answer incomplete after ${took}`
  return { kind: 'timeout', message }
}

/** Reads the body; `fault` says why it cannot be read. */
function readResponse({ answer, body }: ExchangeResult, mask: Mask) {
  if (answer === undefined) return undefined
  const { httpStatus, rawHeaders } = answer
  const { headers, encoding } = readHeaders(httpStatus, rawHeaders, mask)
  try {
    const text = utf8.decode(decompress(body, encoding))
    return { httpStatus, headers, text, fault: undefined }
  } catch (error) {
    const isBomb = failureCode(error) === 'ERR_BUFFER_TOO_LARGE'
    const fault = `the body is not UTF-8${encoding === '' ? '' : ` compressed as ${encoding}`}`
    const text = encoding === '' ? body.toString('utf8') : ''
    return { httpStatus, headers, text, fault: isBomb ? TOO_LARGE : cut(fault, MAX_LENGTH) }
  }
}

/** Decompresses what a proxy has compressed unasked. Throws for an unknown encoding and a broken body. */
function decompress(body: Buffer, encoding: string): Buffer {
  // Bounded against decompression bombs.
  const bound = { maxOutputLength: MAX_ANSWER_BYTES }
  switch (encoding) {
    case '':
    case 'identity':
      return body
    case 'gzip':
      return gunzipSync(body, bound)
    case 'deflate':
      return inflateSync(body, bound)
    case 'br':
      return brotliDecompressSync(body, bound)
    default:
      throw new RangeError(encoding)
  }
}

/** Decodes JSON, which is UTF-8 (RFC 8259, 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

const HEADERS_TOO_LARGE = `the answer's headers are larger than ${MAX_HEADER_BYTES / 2 ** 10} KB`
const HEADER_CODES: readonly string[] = ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']

/** Describes the failure of a sent request; `bodyBytes` is undefined without a status. */
function describeSentFailure(error: Error, bodyBytes: number | undefined): string {
  const failure = describeFailure(error)
  if (HEADER_CODES.includes(failureCode(error))) return HEADERS_TOO_LARGE
  if (bodyBytes !== undefined)
    return `the answer was cut off after ${plural(bodyBytes, 'byte')} of its body (${failure})`
  return isClosed(error) ? `the connection closed before any answer (${failure})` : failure
}

const KEPT_HEADERS = new RegExp(`^((x-)?ratelimit.*|x-rate-limit.*|${REQUEST_ID_HEADERS.join('|')})$`)
const KEPT_ERROR_HEADERS = /^(retry-after|date|server|via|content-type|location)$/
const MAX_LENGTH = 300
/** Match headers that are read whole or not at all: a part of one would state another limit. */
const WHOLE_HEADERS = /^((x-)?ratelimit.*|x-rate-limit.*|retry-after|date)$/
const MAX_WHOLE_LENGTH = 2000

/** Keeps headers by names in lower case; `raw` alternates names and values. */
function readHeaders(httpStatus: number, raw: readonly Buffer[], mask: Mask) {
  const headers: Record<string, string> = {}
  let encoding = ''
  for (let index = 0; index < raw.length; index += 2) {
    const name = decodeLatin1(raw[index]).toLowerCase()
    const isKept = KEPT_HEADERS.test(name) || (!isSuccess(httpStatus) && KEPT_ERROR_HEADERS.test(name))
    if (!isKept && name !== 'content-type' && name !== 'content-encoding') continue
    // Before it is cut, so that no part of a secret stays.
    const value = maskText(decodeLatin1(raw[index + 1]), mask)
    if (name === 'content-encoding') encoding = join(encoding, value)
    else if (isKept || !value.includes('json')) headers[name] = join(headers[name], showActing(value))
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!WHOLE_HEADERS.test(name)) headers[name] = value.slice(0, MAX_LENGTH)
    else if (value.length > MAX_WHOLE_LENGTH) headers[name] = tooLong(value.length)
  }
  return { headers, encoding: encoding.trim().toLowerCase() }
}

// Headers are Latin-1, and a repeated header is a list (RFC 9110, 5.3).
const decodeLatin1 = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? ''

const join = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`

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

type Headers = Readonly<Record<string, string>>

const isSuccess = (httpStatus: number): boolean => httpStatus >= 200 && httpStatus <= 299

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

function malformedAnswer(
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
