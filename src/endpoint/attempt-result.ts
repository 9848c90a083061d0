// Converts an HTTP exchange to an attempt's result, and masks the key wherever the endpoint echoes it.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { AttemptReport, AttemptResult } from '../domain/attempt.ts'
import { plural } from '../domain/text.ts'
import { isWithout, maskText, maskValue, type Secret } from '../domain/secret.ts'
import { type Ending, type ExchangeResult, MAX_BODY_BYTES } from './exchange.ts'
import { type Headers, interpretAnswer, malformedAnswer } from './reply.ts'

/** Returns a promise only if the body is compressed. Never throws or rejects. */
export function buildReport(
  exchange: ExchangeResult,
  ending: Ending,
  key: Secret,
): AttemptReport | Promise<AttemptReport> {
  const { sentAt, endedAt } = exchange
  const result = interpret(exchange, ending, key)
  if (result instanceof Promise) return result.then((one) => ({ sentAt, endedAt, result: one }))
  return { sentAt, endedAt, result }
}

function interpret(
  exchange: ExchangeResult,
  ending: Ending,
  key: Secret,
): AttemptResult | Promise<AttemptResult> {
  const { answer, sent } = exchange
  if (ending.kind === 'abandoned') return { kind: 'abandoned', sent }
  if (answer === undefined) return masked(interpretFailure(exchange, ending), key)
  const { httpStatus, rawHeaders } = answer
  const { headers, encoding } = readHeaders(httpStatus, rawHeaders)
  const isSuccess = httpStatus >= 200 && httpStatus <= 299
  if (ending.kind === 'whole')
    return isCompressed(encoding)
      ? interpretCompressed(httpStatus, headers, exchange.body, encoding, key)
      : interpretText(httpStatus, headers, exchange.body.toString('utf8'), key)
  // Outside 2xx the status alone decides, even if the body is incomplete.
  if (!isSuccess) return interpretText(httpStatus, headers, exchange.body.toString('utf8'), key)
  if (ending.kind !== 'oversize')
    return masked({ ...interpretFailure(exchange, ending), httpStatus, headers }, key)
  return malformed(httpStatus, headers, TOO_LARGE, exchange.body.subarray(0, 4096).toString('utf8'), key)
}

/** Masks the key twice: in the text, so that no excerpt truncates it, and in the parsed values, without escapes. */
function interpretText(httpStatus: number, headers: Headers, text: string, key: Secret): AttemptResult {
  // Fast path: the answer does not contain the key.
  if (!ESCAPES.test(text) && [text, ...Object.values(headers)].every((one) => isWithout(one, key)))
    return interpretAnswer(httpStatus, headers, text)
  return masked(interpretAnswer(httpStatus, headers, maskText(text, key)), key)
}

/** JSON escapes that may hide characters of the key. */
const ESCAPES = /\\[u/]/

async function interpretCompressed(
  httpStatus: number,
  headers: Headers,
  body: Buffer,
  encoding: string,
  key: Secret,
): Promise<AttemptResult> {
  const plain = await decompress(body, encoding)
  if (Buffer.isBuffer(plain)) return interpretText(httpStatus, headers, plain.toString('utf8'), key)
  if (httpStatus < 200 || httpStatus > 299) return interpretText(httpStatus, headers, '', key)
  const reason = plain === 'oversize' ? TOO_LARGE : 'the body does not match its content-encoding'
  return malformed(httpStatus, headers, reason, '', key)
}

const TOO_LARGE = `the body is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`

const masked = (result: AttemptResult, key: Secret): AttemptResult => maskValue(result, key) as AttemptResult

const malformed = (
  httpStatus: number,
  headers: Headers,
  reason: string,
  text: string,
  key: Secret,
): AttemptResult => masked(malformedAnswer(httpStatus, headers, reason, maskText(text, key)), key)

type Failure = Extract<AttemptResult, { kind: 'timeout' | 'network' }>

function interpretFailure({ sent, sentAt, endedAt, answer, body }: ExchangeResult, ending: Ending): Failure {
  if (ending.kind === 'failure') {
    const { error } = ending
    const message = sent ? describeSentFailure(error, answer && body.length) : describeFailure(error)
    return { kind: 'network', sent, code: failureCode(error), message }
  }
  if (ending.kind !== 'deadline')
    return { kind: 'network', sent, code: 'NO_ANSWER', message: 'no answer came' }
  const seconds = ((endedAt - sentAt) / 1000).toFixed(1)
  const message =
    answer === undefined ? `no answer after ${seconds} s` : `answer incomplete after ${seconds} s`
  return { kind: 'timeout', message }
}

const decompressors = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** Whether this content-encoding means a compressed body. */
function isCompressed(encoding: string): boolean {
  const name = encoding.trim().toLowerCase()
  return name !== '' && name !== 'identity'
}

/** Decompresses a body that a proxy has compressed unasked. Bounded against decompression bombs. */
async function decompress(body: Buffer, encoding: string): Promise<Buffer | 'oversize' | 'corrupt'> {
  const name = encoding.trim().toLowerCase()
  const decompressor = Object.entries(decompressors).find(([known]) => known === name)?.[1]
  if (decompressor === undefined) return 'corrupt'
  try {
    return await decompressor(body, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    return failureCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'oversize' : 'corrupt'
  }
}

/** Code of the error or its cause, such as `ECONNREFUSED` or `UND_ERR_SOCKET`; `UNKNOWN` without one. */
function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? failureCode(error.cause) : 'UNKNOWN'
}

/** Node's error for a host with several addresses has no message, but its parts have. */
function describeFailure(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.map((part: Error) => part.message))].join('; ')
  return error.message === '' ? failureCode(error) : error.message
}

const CLOSED_CODES: readonly string[] = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Describes the failure of a sent request. `bodyBytes`: received bytes of the body; undefined without a status. */
function describeSentFailure(error: Error, bodyBytes: number | undefined): string {
  const own = describeFailure(error)
  if (bodyBytes !== undefined)
    return `the answer was cut off after ${plural(bodyBytes, 'byte')} of its body (${own})`
  return CLOSED_CODES.includes(failureCode(error)) ? `the connection closed before any answer (${own})` : own
}

const KEPT_HEADERS = /^((x-)?ratelimit.*|x-rate-limit.*|x-request-id|request-id|x-correlation-id)$/
/** Headers also kept outside 2xx. */
const KEPT_ERROR_HEADERS = /^(retry-after|date|server|via|content-type|location)$/
const MAX_LENGTH = 300

/** `raw`: alternating names and values, as received. */
function readHeaders(
  httpStatus: number,
  raw: readonly Buffer[],
): {
  /** Names in lower case. */
  readonly headers: Headers
  /** `content-encoding`; empty if absent. */
  readonly encoding: string
} {
  const isError = httpStatus < 200 || httpStatus > 299
  const kept = new Map<string, string>()
  let encoding = ''
  for (let place = 0; place < raw.length; place += 2) {
    // Headers are Latin-1, and a repeated header is a list (RFC 9110, 5.3).
    const [name = '', value = ''] = [
      raw[place]?.toString('latin1').toLowerCase(),
      raw[place + 1]?.toString('latin1'),
    ]
    if (name === 'content-encoding') encoding = join(encoding, value)
    const isOddType = name === 'content-type' && !value.includes('json')
    if (KEPT_HEADERS.test(name) || isOddType || (isError && KEPT_ERROR_HEADERS.test(name)))
      kept.set(name, join(kept.get(name), value))
  }
  const headers = Object.fromEntries([...kept].map(([name, value]) => [name, value.slice(0, MAX_LENGTH)]))
  return { headers, encoding }
}

const join = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`
