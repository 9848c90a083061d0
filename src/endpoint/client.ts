// The HTTP client: sends a request, returns the report of the attempt.
import { Client } from 'undici'
import type { AssistRequest } from '../domain/attempt.ts'
import type { Secret } from '../domain/secret.ts'
import { buildReport } from './attempt-result.ts'
import {
  type Caller,
  type Connection,
  createDeadlines,
  type Ending,
  Exchange,
  type ExchangePorts,
} from './exchange.ts'

/** A connection that takes longer has not carried the request. */
const CONNECT_TIMEOUT_MS = 10_000

export interface ClientOptions {
  readonly origin: string
  readonly assistPath: string
  readonly key: Secret
  /** One attempt, from sending to the last byte, milliseconds. */
  readonly timeoutMs: number
  readonly userAgent: string
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface AssistClient {
  /**
   * Sends one request, never twice, on a connection of its own: its callers bound how many are in flight. A failure is a
   * result, reported to `caller`; `signal` gives the attempt up.
   */
  readonly send: Send
  readonly close: () => Promise<void>
}

export type Send = (request: AssistRequest, signal: AbortSignal, caller: Caller) => void

export function createClient(options: ClientOptions): AssistClient {
  const { assistPath, key, timeoutMs, now } = options
  // Not undici's Pool: it looks through its clients for an idle one, and tells its listeners, for each request.
  const connections: Connection[] = []
  const idle: Connection[] = []
  const deadlines = createDeadlines(timeoutMs, connections, now)
  const connect = (): Connection => {
    const client = new Client(options.origin, {
      pipelining: 1,
      connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
      // These are idle timers; the deadline bounds the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, exchange: undefined }
    connections.push(connection)
    return connection
  }
  // A list, made once: undici walks an object's names for each request.
  const headers = Object.entries({
    authorization: `Bearer ${key.value}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': options.userAgent,
  }).flat()
  const ports: ExchangePorts = {
    now,
    started: ({ sentAt }) => deadlines.watch(sentAt),
    ended: (exchange, ending) => {
      exchange.connection.exchange = undefined
      idle.push(exchange.connection)
      handOver(exchange, ending, key)
    },
  }

  /** One listener for all that a signal gives up: most calls of a run share one. */
  const watched = new WeakSet<AbortSignal>()
  const watch = (signal: AbortSignal): void => {
    if (watched.has(signal)) return
    watched.add(signal)
    const giveUp = (): void => {
      for (const { exchange } of connections) if (exchange?.signal === signal) exchange.abandon()
    }
    signal.addEventListener('abort', giveUp, { once: true })
  }

  const send: Send = (request, signal, caller) => {
    const connection = idle.pop() ?? connect()
    const exchange = new Exchange(ports, connection, signal, caller)
    connection.exchange = exchange
    if (signal.aborted) {
      exchange.abandon()
      return
    }
    watch(signal)
    connection.client.dispatch(
      { path: assistPath, method: 'POST', headers, body: JSON.stringify(request) },
      exchange,
    )
  }
  return {
    send,
    // Destroyed, not closed: a peer that never ends its answer must not keep the process alive.
    close: async () => {
      deadlines.end()
      await Promise.all(connections.map(async ({ client }) => client.destroy()))
    },
  }
}

function handOver(exchange: Exchange, ending: Ending, key: Secret): void {
  const { caller } = exchange
  if (ending.kind === 'held') {
    caller.failed(ending.error)
    return
  }
  const report = buildReport(exchange, ending, key)
  if (report instanceof Promise) report.then(caller.ended, caller.failed)
  else caller.ended(report)
}
