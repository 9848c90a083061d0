// The one place that talks to the network: a request out, an attempt's report back.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Pool, type Dispatcher } from 'undici'
import type { AssistRequest, AttemptReport, AttemptResult } from '../domain/attempt.ts'
import { maskText, maskValue, type Secret } from '../domain/secret.ts'
import { describeFailure, failureCode } from './failure.ts'
import { pickHeaders } from './headers.ts'
import { interpretAnswer, malformedAnswer, type Headers } from './reply.ts'

/** Bytes of one answer, unpacked; more is `malformed`. */
export const MAX_BODY_BYTES = 8 * 2 ** 20
/** A connection that takes longer never carried the request. */
const CONNECT_TIMEOUT_MS = 10_000

export interface ClientOptions {
  readonly origin: string
  readonly assistPath: string
  readonly key: Secret
  /** Connections at most; a connection carries one request at a time. */
  readonly connections: number
  /** One attempt, from sending to the last byte, milliseconds. */
  readonly timeoutMs: number
  readonly userAgent: string
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface AssistClient {
  /** Sends one request, never twice. Never rejects: a failure is a result. `signal` gives the attempt up. */
  readonly ask: (request: AssistRequest, signal: AbortSignal) => Promise<AttemptReport>
  readonly close: () => Promise<void>
}

export function createClient(options: ClientOptions): AssistClient {
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, options.timeoutMs) },
    // These are idle timers; the deadline below bounds the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const headers = {
    authorization: `Bearer ${options.key.value}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': options.userAgent,
  }
  return {
    ask: async (request, signal) => {
      const exchange = await exchangeOnce(
        pool,
        { path: options.assistPath, method: 'POST', headers, body: JSON.stringify(request) },
        { timeoutMs: options.timeoutMs, now: options.now, signal },
      )
      // Masked twice: in the text, so that no excerpt cuts through the key, and in the values, whatever their escapes.
      const result = await toResult(exchange, (body) => maskText(body.toString('utf8'), options.key))
      const { sentAt, endedAt } = exchange
      return { sentAt, endedAt, result: maskValue(result, options.key) as AttemptResult }
    },
    // Destroyed, not closed: a peer that never ends its answer must not keep the process alive.
    close: async () => pool.destroy(),
  }
}

/** How an exchange ended, before anything is understood of it. */
type Ending =
  | { readonly kind: 'whole' }
  | { readonly kind: 'oversize' }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'failure'; readonly error: Error }

interface Exchange {
  readonly sent: boolean
  readonly sentAt: number
  readonly endedAt: number
  readonly answer:
    { readonly httpStatus: number; readonly headers: Headers; readonly encoding: string } | undefined
  readonly body: Buffer
  readonly ending: Ending
}

interface ExchangeBounds {
  readonly timeoutMs: number
  readonly now: () => number
  readonly signal: AbortSignal
}

// undici calls `onRequestStart` on a connected socket, right before it writes: what fails earlier was never
// sent. No list of error codes tells that as exactly.
async function exchangeOnce(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, now, signal }: ExchangeBounds,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let sentAt = now()
    let answer: Exchange['answer']
    let early: Ending | undefined
    let settled = false
    let size = 0
    let deadline: NodeJS.Timeout | undefined
    const chunks: Buffer[] = []

    const settle = (ending: Ending): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal.removeEventListener('abort', abandon)
      const body = Buffer.concat(chunks)
      resolve({ sent: controller !== undefined, sentAt, endedAt: now(), answer, body, ending })
    }
    const cutShort = (ending: Ending): void => {
      early ??= ending
      if (controller === undefined) settle(ending)
      else controller.abort(new Error(ending.kind))
    }
    const abandon = (): void => cutShort({ kind: 'abandoned' })
    signal.addEventListener('abort', abandon)
    if (signal.aborted) {
      settle({ kind: 'abandoned' })
      return
    }

    pool.dispatch(request, {
      onRequestStart(started) {
        // Given up while it waited for its connection: nothing has been written yet.
        if (settled) {
          started.abort(new Error('given up'))
          return
        }
        controller = started
        sentAt = now()
        deadline = setTimeout(() => cutShort({ kind: 'deadline' }), timeoutMs)
      },
      onResponseStart(_, statusCode, raw) {
        if (statusCode < 200) return
        const headers = pickHeaders(statusCode, raw)
        answer = { httpStatus: statusCode, headers, encoding: String(raw['content-encoding'] ?? '') }
      },
      onResponseData(_, chunk) {
        size += chunk.length
        if (size > MAX_BODY_BYTES) cutShort({ kind: 'oversize' })
        else chunks.push(chunk)
      },
      onResponseEnd() {
        settle({ kind: 'whole' })
      },
      onResponseError(_, error) {
        settle(early ?? { kind: 'failure', error })
      },
    })
  })
}

type Decode = (body: Buffer) => string

async function toResult(exchange: Exchange, decode: Decode): Promise<AttemptResult> {
  const { ending, answer, sent, body } = exchange
  if (ending.kind === 'abandoned') return { kind: 'abandoned', sent }
  if (answer === undefined) return unanswered(exchange, ending)
  const { httpStatus, headers } = answer
  // Outside 2xx the status alone decides, however the body ended.
  if (!isSuccess(httpStatus)) {
    const unpacked = ending.kind === 'whole' ? await unpack(body, answer.encoding) : body
    return interpretAnswer(httpStatus, headers, Buffer.isBuffer(unpacked) ? decode(unpacked) : '')
  }
  switch (ending.kind) {
    case 'deadline':
    case 'failure':
      return { ...unanswered(exchange, ending), httpStatus, headers }
    case 'oversize':
      return malformedAnswer(httpStatus, headers, TOO_LARGE, decode(body.subarray(0, 4096)))
    case 'whole': {
      const unpacked = await unpack(body, answer.encoding)
      if (Buffer.isBuffer(unpacked)) return interpretAnswer(httpStatus, headers, decode(unpacked))
      const reason = unpacked === 'oversize' ? TOO_LARGE : `the body is not what its content-encoding says`
      return malformedAnswer(httpStatus, headers, reason, '')
    }
  }
}

const TOO_LARGE = `the body is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`

const isSuccess = (httpStatus: number): boolean => httpStatus >= 200 && httpStatus <= 299

type Unanswered = Extract<AttemptResult, { kind: 'timeout' | 'network' }>

function unanswered({ sent, sentAt, endedAt, answer }: Exchange, ending: Ending): Unanswered {
  if (ending.kind === 'failure')
    return { kind: 'network', sent, code: failureCode(ending.error), message: describeFailure(ending.error) }
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

/** Compressed answers were not asked for, but proxies send them; bounded, since a bomb is small when packed. */
async function unpack(body: Buffer, encoding: string): Promise<Buffer | 'oversize' | 'corrupt'> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const unpacker = Object.entries(unpackers).find(([known]) => known === name)?.[1]
  if (unpacker === undefined) return 'corrupt'
  try {
    return await unpacker(body, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    return failureCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'oversize' : 'corrupt'
  }
}
