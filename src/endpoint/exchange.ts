// One HTTP exchange: sends a request, collects the raw response, enforces the deadline.
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { AttemptReport } from '../domain/attempt.ts'
import { isClosed } from './undici.ts'

export interface Connection {
  readonly client: Dispatcher
  socket: Socket | undefined
  /** Is a field instead of a set of exchanges, whose entries would end up in V8's old generation. */
  exchange: Exchange | undefined
}

/** Limits an answer's headers. Gateways send long policies and cookies; undici's default is 16 KB. */
export const MAX_HEADER_BYTES = 256 * 2 ** 10

/** Limits an answer, compressed or not; a larger one is `malformed`. */
export const MAX_ANSWER_BYTES = 8 * 2 ** 20

export type Ending =
  | { readonly kind: 'whole' }
  | { readonly kind: 'oversize' }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'failure'; readonly error: Error }
  | { readonly kind: 'notSent'; readonly error: unknown }

export interface ExchangeResult {
  /** Says if the request may have reached the endpoint. */
  readonly sent: boolean
  readonly sentAt: number
  readonly endedAt: number
  /** Is undefined without a status. `rawHeaders` alternates names and values, as received. */
  readonly answer: { readonly httpStatus: number; readonly rawHeaders: readonly Buffer[] } | undefined
  readonly body: Buffer
}

export interface ExchangePorts {
  readonly now: () => number
  /** Counts from sending to the last byte; connecting may take as long. */
  readonly timeoutMs: number
  /** Is called once, at the end. undici may not have released the connection yet. */
  readonly ended: (exchange: Exchange, ending: Ending) => void
}

/** Handles one call: either `ended` or `failed` is called, once. */
export interface CallHandlers {
  /** Is called right before the first byte is written. If it throws, the request is not sent. */
  readonly beforeSend?: () => void
  readonly ended: (report: AttemptReport) => void
  /** Gets the error that `beforeSend` threw; nothing was sent. */
  readonly failed: (error: unknown) => void
}

const NO_BYTES = Buffer.alloc(0)

/**
 * Implements undici's legacy handler interface: undici 7 wraps handlers of the new one and decodes every
 * header, which costs a twelfth of a call. A class instead of closures, also for speed. undici calls
 * `onConnect` on a connected socket, right before it writes. A request that fails earlier was never sent,
 * which no list of error codes tells as reliably.
 */
export class Exchange implements ExchangeResult {
  sent = false
  /** Is when sending began, in milliseconds of the clock; before, when the exchange was made. */
  sentAt: number
  endedAt = 0
  answer: ExchangeResult['answer'] = undefined
  readonly connection: Connection
  readonly caller: CallHandlers
  readonly #ports: ExchangePorts
  #abort: ((error?: Error) => void) | undefined = undefined
  #abortedAs: Ending | undefined = undefined
  #isSettled = false
  #status: number | undefined = undefined
  #timer: NodeJS.Timeout
  #first: Buffer = NO_BYTES
  #rest: Buffer[] | undefined = undefined
  #size = 0

  constructor(ports: ExchangePorts, connection: Connection, caller: CallHandlers) {
    this.#ports = ports
    this.connection = connection
    this.caller = caller
    this.sentAt = ports.now()
    // It keeps the process alive: an exchange ends, whatever becomes of its socket.
    this.#timer = setTimeout(this.#expire, ports.timeoutMs)
  }

  get body(): Buffer {
    return this.#rest === undefined ? this.#first : Buffer.concat([this.#first, ...this.#rest])
  }

  readonly #expire = (): void => {
    // Connecting took a part of the time, and a timer may be early by the clock.
    const left = this.sentAt + this.#ports.timeoutMs - this.#ports.now()
    if (left > 0) this.#timer = setTimeout(this.#expire, Math.ceil(left))
    else this.#abortAs({ kind: 'deadline' })
  }

  abandon(): void {
    this.#abortAs({ kind: 'abandoned' })
  }

  onConnect(abort: (error?: Error) => void): void {
    // Aborted while connecting: nothing has been written yet.
    if (this.#isSettled) {
      abort(new Error('given up'))
      return
    }
    try {
      this.caller.beforeSend?.()
    } catch (error) {
      this.#settle({ kind: 'notSent', error })
      abort(new Error('not sent'))
      return
    }
    this.#abort = abort
    this.sent = true
    this.sentAt = this.#ports.now()
    this.connection.socket?.once('data', this.#readStatus)
  }

  /** undici tells a status with the whole head alone; one that is cut off says whether the call counts. */
  readonly #readStatus = (start: Buffer): void => {
    const [, status] = /^HTTP\/1\.\d ([2-5]\d\d)[ \r]/.exec(start.toString('latin1', 0, 16)) ?? []
    if (status !== undefined) this.#status = Number(status)
  }

  onHeaders(httpStatus: number, rawHeaders: Buffer[]): boolean {
    if (httpStatus >= 200) this.answer = { httpStatus, rawHeaders }
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > MAX_ANSWER_BYTES) this.#abortAs({ kind: 'oversize' })
    else if (this.#first.length === 0) this.#first = chunk
    else (this.#rest ??= []).push(chunk)
    return true
  }

  onComplete(): void {
    this.#settle({ kind: 'whole' })
  }

  onError(error: Error): void {
    const ending = this.#abortedAs ?? { kind: 'failure', error }
    const endedAt = this.#ports.now()
    if (this.#status !== undefined && (ending.kind !== 'failure' || isClosed(error)))
      this.answer ??= { httpStatus: this.#status, rawHeaders: [] }
    // undici must clean up after this request before it gets another.
    queueMicrotask(() => this.#settle(ending, endedAt))
  }

  #abortAs(ending: Ending): void {
    this.#abortedAs ??= ending
    if (this.#abort === undefined) this.#settle(ending)
    else this.#abort(new Error(ending.kind))
  }

  #settle(ending: Ending, endedAt = this.#ports.now()): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.endedAt = endedAt
    this.#ports.ended(this, ending)
  }
}
