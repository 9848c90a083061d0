// One HTTP exchange within its deadline: the request, and the raw response.
import type { Client } from 'undici'
import type { AttemptReport } from '../domain/attempt.ts'

export interface Timed {
  /** When sending began; undefined before. Milliseconds of the clock. */
  readonly startedAt: number | undefined
  /** The deadline has passed. */
  expire(): void
}

interface Deadlines {
  /** Sending begins: its deadline counts from now. */
  watch(startedAt: number): void
  end(): void
}

/** Deadlines that fall into one such span are kept together, at its end. Milliseconds. */
const SPAN_MS = 2

/** Watches what `connections` carry. Never early by `now`; late by a span, and what the event loop is late by. */
export function createDeadlines(
  timeoutMs: number,
  connections: readonly { readonly exchange: Timed | undefined }[],
  now: () => number,
): Deadlines {
  let timer: NodeJS.Timeout | undefined

  // Looks at all of them, but seldom: it is set for the first deadline, and whoever starts later has a later one.
  const look = (): void => {
    timer = undefined
    let next = Infinity
    const moment = now()
    for (const { exchange: one } of connections) {
      if (one?.startedAt === undefined) continue
      const due = one.startedAt + timeoutMs
      if (due <= moment) one.expire()
      else if (due < next) next = due
    }
    if (next < Infinity) arm(next - moment)
  }
  const arm = (ms: number): void => {
    timer = setTimeout(look, Math.max(SPAN_MS, Math.ceil(ms)))
    // What is under way keeps the process alive by its socket.
    timer.unref()
  }
  return {
    watch: (startedAt) => {
      if (timer === undefined) arm(startedAt + timeoutMs - now())
    },
    end: () => clearTimeout(timer),
  }
}

export interface Connection {
  readonly client: Client
  /** What it carries. A field, not an entry of a set of exchanges: see `createEventReader`. */
  exchange: Exchange | undefined
}

/** Bytes of one answer, packed or unpacked; more is `malformed`. */
export const MAX_BODY_BYTES = 8 * 2 ** 20

/** How an exchange ended. */
export type Ending =
  | { readonly kind: 'whole' }
  | { readonly kind: 'oversize' }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'failure'; readonly error: Error }
  /** `leaves` threw: nothing was sent. */
  | { readonly kind: 'held'; readonly error: unknown }

export interface Exchanged {
  /** Whether it may have reached the endpoint. */
  readonly sent: boolean
  readonly sentAt: number
  readonly endedAt: number
  /** Undefined where no status came; the headers as they came, names and values in turn. */
  readonly answer: { readonly httpStatus: number; readonly rawHeaders: readonly Buffer[] } | undefined
  readonly body: Buffer
}

export interface ExchangePorts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Sending begins. */
  readonly started: (exchange: Exchange) => void
  /** Once; undici may still hold the connection. */
  readonly ended: (exchange: Exchange, ending: Ending) => void
}

/** `ended` or `failed` is called, once. */
export interface Caller {
  /** Right before the first byte is written; what it throws keeps the request from leaving. */
  readonly leaves?: () => void
  readonly ended: (report: AttemptReport) => void
  /** What `leaves` has thrown: nothing was sent. */
  readonly failed: (error: unknown) => void
}

const WHOLE: Ending = { kind: 'whole' }
const OVERSIZE: Ending = { kind: 'oversize' }
const DEADLINE: Ending = { kind: 'deadline' }
const ABANDONED: Ending = { kind: 'abandoned' }
const NO_BYTES = Buffer.alloc(0)

/**
 * A class and no closures, and undici's first handler interface, which its connections speak themselves: what implements
 * the second is wrapped, and has every header decoded, for a twelfth of the cost of a call (undici 7).
 *
 * undici calls `onConnect` on a connected socket, right before it writes: what fails earlier was never sent. No list of
 * error codes tells that as exactly.
 */
export class Exchange implements Timed, Exchanged {
  startedAt: number | undefined = undefined
  sentAt: number
  endedAt = 0
  answer: Exchanged['answer'] = undefined
  /** What carries it, and nothing else meanwhile. */
  readonly connection: Connection
  /** Gives it up. */
  readonly signal: AbortSignal
  readonly caller: Caller
  readonly #ports: ExchangePorts
  #abort: ((error?: Error) => void) | undefined = undefined
  #early: Ending | undefined = undefined
  #isSettled = false
  #first: Buffer = NO_BYTES
  #more: Buffer[] | undefined = undefined
  #size = 0

  constructor(ports: ExchangePorts, connection: Connection, signal: AbortSignal, caller: Caller) {
    this.#ports = ports
    this.connection = connection
    this.signal = signal
    this.caller = caller
    this.sentAt = ports.now()
  }

  get sent(): boolean {
    return this.startedAt !== undefined
  }

  get body(): Buffer {
    return this.#more === undefined ? this.#first : Buffer.concat([this.#first, ...this.#more])
  }

  expire(): void {
    this.#cutShort(DEADLINE)
  }

  abandon(): void {
    this.#cutShort(ABANDONED)
  }

  onConnect(abort: (error?: Error) => void): void {
    // Given up while it waited for its connection: nothing has been written yet.
    if (this.#isSettled) {
      abort(new Error('given up'))
      return
    }
    try {
      this.caller.leaves?.()
    } catch (error) {
      this.#settle({ kind: 'held', error })
      abort(new Error('held back'))
      return
    }
    this.#abort = abort
    this.startedAt = this.sentAt = this.#ports.now()
    this.#ports.started(this)
  }

  onHeaders(httpStatus: number, rawHeaders: Buffer[]): boolean {
    if (httpStatus >= 200) this.answer = { httpStatus, rawHeaders }
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > MAX_BODY_BYTES) this.#cutShort(OVERSIZE)
    else if (this.#first.length === 0) this.#first = chunk
    else (this.#more ??= []).push(chunk)
    return true
  }

  onComplete(): void {
    this.#settle(WHOLE)
  }

  onError(error: Error): void {
    const ending = this.#early ?? { kind: 'failure', error }
    const endedAt = this.#ports.now()
    // undici must not be given another request before it has cleared up after this one.
    queueMicrotask(() => this.#settle(ending, endedAt))
  }

  #cutShort(ending: Ending): void {
    this.#early ??= ending
    if (this.#abort === undefined) this.#settle(ending)
    else this.#abort(new Error(ending.kind))
  }

  #settle(ending: Ending, endedAt = this.#ports.now()): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.endedAt = endedAt
    this.#ports.ended(this, ending)
  }
}
