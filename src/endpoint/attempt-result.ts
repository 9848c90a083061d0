// Converts an HTTP exchange to an attempt's result, and masks secrets wherever the endpoint echoes them.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type AttemptReport, type AttemptResult, REQUEST_ID_HEADERS, tooLong } from '../domain/attempt.ts'
import { cut, showActing } from '../domain/text.ts'
import { duration, plural } from '../domain/format.ts'
import { isWithout, type Mask, maskText, maskValue } from '../domain/secret.ts'
import { type Ending, type ExchangeResult, MAX_ANSWER_BYTES, MAX_HEADER_BYTES } from './exchange.ts'
import { CONNECT_TIMEOUT, describeFailure, failureCode } from './failure.ts'
import { interpretAnswer, isSuccess, malformedAnswer } from './reply.ts'

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
  if (ending.kind === 'abandoned') return { kind: 'abandoned', sent: exchange.sent }
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

const CLOSED_CODES: readonly string[] = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Describes the failure of a sent request; `bodyBytes` is undefined without a status. */
function describeSentFailure(error: Error, bodyBytes: number | undefined): string {
  const failure = describeFailure(error)
  if (HEADER_CODES.includes(failureCode(error))) return HEADERS_TOO_LARGE
  if (bodyBytes !== undefined)
    return `the answer was cut off after ${plural(bodyBytes, 'byte')} of its body (${failure})`
  const isClosed = CLOSED_CODES.includes(failureCode(error))
  return isClosed ? `the connection closed before any answer (${failure})` : failure
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
