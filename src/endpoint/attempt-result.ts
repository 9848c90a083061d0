// Converts an HTTP exchange to an attempt's result, and masks the key wherever the endpoint echoes it.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { AttemptReport, AttemptResult } from '../domain/attempt.ts'
import { plural } from '../domain/text.ts'
import { isWithout, maskText, maskValue, type Secret } from '../domain/secret.ts'
import { type Ending, type Exchanged, MAX_BODY_BYTES } from './exchange.ts'
import { type Headers, interpretAnswer, malformedAnswer } from './reply.ts'

/** Returns a promise only if the body is compressed. Never throws or rejects. */
export function buildReport(
  exchanged: Exchanged,
  ending: Ending,
  key: Secret,
): AttemptReport | Promise<AttemptReport> {
  const { sentAt, endedAt } = exchanged
  const result = understand(exchanged, ending, key)
  if (result instanceof Promise) return result.then((one) => ({ sentAt, endedAt, result: one }))
  return { sentAt, endedAt, result }
}

function understand(
  exchanged: Exchanged,
  ending: Ending,
  key: Secret,
): AttemptResult | Promise<AttemptResult> {
  const { answer, sent } = exchanged
  if (ending.kind === 'abandoned') return { kind: 'abandoned', sent }
  if (answer === undefined) return hidden(unanswered(exchanged, ending), key)
  const { httpStatus, rawHeaders } = answer
  const { headers, encoding } = readHeaders(httpStatus, rawHeaders)
  const isSuccess = httpStatus >= 200 && httpStatus <= 299
  if (ending.kind === 'whole')
    return isPacked(encoding)
      ? ofPacked(httpStatus, headers, exchanged.body, encoding, key)
      : ofText(httpStatus, headers, exchanged.body.toString('utf8'), key)
  // Outside 2xx the status alone decides, even if the body is incomplete.
  if (!isSuccess) return ofText(httpStatus, headers, exchanged.body.toString('utf8'), key)
  if (ending.kind !== 'oversize')
    return hidden({ ...unanswered(exchanged, ending), httpStatus, headers }, key)
  return malformed(httpStatus, headers, TOO_LARGE, exchanged.body.subarray(0, 4096).toString('utf8'), key)
}

/** Masks the key twice: in the text, so that no excerpt truncates it, and in the parsed values, without escapes. */
function ofText(httpStatus: number, headers: Headers, text: string, key: Secret): AttemptResult {
  // Fast path: the answer does not contain the key.
  if (!CAN_HIDE.test(text) && [text, ...Object.values(headers)].every((one) => isWithout(one, key)))
    return interpretAnswer(httpStatus, headers, text)
  return hidden(interpretAnswer(httpStatus, headers, maskText(text, key)), key)
}

/** JSON escapes that may hide characters of the key. */
const CAN_HIDE = /\\[u/]/

async function ofPacked(
  httpStatus: number,
  headers: Headers,
  body: Buffer,
  encoding: string,
  key: Secret,
): Promise<AttemptResult> {
  const unpacked = await unpack(body, encoding)
  if (Buffer.isBuffer(unpacked)) return ofText(httpStatus, headers, unpacked.toString('utf8'), key)
  if (httpStatus < 200 || httpStatus > 299) return ofText(httpStatus, headers, '', key)
  const reason = unpacked === 'oversize' ? TOO_LARGE : `the body is not what its content-encoding says`
  return malformed(httpStatus, headers, reason, '', key)
}

const TOO_LARGE = `the body is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`

const hidden = (result: AttemptResult, key: Secret): AttemptResult => maskValue(result, key) as AttemptResult

const malformed = (
  httpStatus: number,
  headers: Headers,
  reason: string,
  text: string,
  key: Secret,
): AttemptResult => hidden(malformedAnswer(httpStatus, headers, reason, maskText(text, key)), key)

type Unanswered = Extract<AttemptResult, { kind: 'timeout' | 'network' }>

function unanswered({ sent, sentAt, endedAt, answer, body }: Exchanged, ending: Ending): Unanswered {
  if (ending.kind === 'failure') {
    const { error } = ending
    const message = sent ? describeBreak(error, answer && body.length) : describeFailure(error)
    return { kind: 'network', sent, code: failureCode(error), message }
  }
  if (ending.kind !== 'deadline')
    return { kind: 'network', sent, code: 'NO_ANSWER', message: 'no answer came' }
  const seconds = ((endedAt - sentAt) / 1000).toFixed(1)
  const message =
    answer === undefined ? `no answer after ${seconds} s` : `answer not whole after ${seconds} s`
  return { kind: 'timeout', message }
}

const unpackers = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** Whether this content-encoding means a compressed body. */
function isPacked(encoding: string): boolean {
  const name = encoding.trim().toLowerCase()
  return name !== '' && name !== 'identity'
}

/** Decompresses a body that a proxy has compressed unasked. Bounded against decompression bombs. */
async function unpack(body: Buffer, encoding: string): Promise<Buffer | 'oversize' | 'corrupt'> {
  const name = encoding.trim().toLowerCase()
  const unpacker = Object.entries(unpackers).find(([known]) => known === name)?.[1]
  if (unpacker === undefined) return 'corrupt'
  try {
    return await unpacker(body, { maxOutputLength: MAX_BODY_BYTES })
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

/** Codes of a closed connection. */
const CLOSED: readonly string[] = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Describes the failure of a sent request. `bodyBytes`: received bytes of the body; undefined without a status. */
function describeBreak(error: Error, bodyBytes: number | undefined): string {
  const own = describeFailure(error)
  if (bodyBytes !== undefined)
    return `the answer was cut off after ${plural(bodyBytes, 'byte')} of its body (${own})`
  return CLOSED.includes(failureCode(error)) ? `the connection closed before any answer (${own})` : own
}

/** Headers kept of every answer. */
const ALWAYS = /^((x-)?ratelimit.*|x-rate-limit.*|x-request-id|request-id|x-correlation-id)$/
/** Headers also kept outside 2xx. */
const ON_ERRORS = /^(retry-after|date|server|via|content-type|location)$/
/** Maximum characters of a header value. */
const LONGEST = 300

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
    if (ALWAYS.test(name) || (isError && ON_ERRORS.test(name))) kept.set(name, join(kept.get(name), value))
  }
  const headers = Object.fromEntries([...kept].map(([name, value]) => [name, value.slice(0, LONGEST)]))
  return { headers, encoding }
}

const join = (before: string | undefined, value: string): string =>
  before === undefined || before === '' ? value : `${before}, ${value}`
