// The HTTP client: sends a request and reports the result.
import type { buildConnector as Connector, Dispatcher } from 'undici'
import type { AssistRequest } from '../domain/attempt.ts'
import type { Mask, Secret } from '../domain/secret.ts'
import { buildReport } from './result.ts'
import {
  type CallHandlers,
  type Connection,
  type Ending,
  Exchange,
  type ExchangePorts,
  MAX_HEADER_BYTES,
} from './exchange.ts'
import { connectThrough, type Proxy } from './proxy.ts'
import { ADDRESS_TIMEOUT_MS, buildConnector, Client } from './undici.ts'

/** Limits connecting, which precedes sending: a request that hits this timeout was never sent. */
const CONNECT_TIMEOUT_MS = 10_000

export interface Access {
  readonly origin: string
  readonly assistPath: string
  readonly key: Secret
  readonly headers: Readonly<Record<string, string>>
  readonly certificate: { readonly cert: string; readonly key: string } | undefined
  readonly proxy: Proxy | undefined
  /** Hides the key and every other secret of the request, wherever the endpoint echoes them. */
  readonly mask: Mask
}

export interface ClientOptions extends Access {
  /** Limits one attempt, from sending to the last byte, in milliseconds. Connecting may take as long. */
  readonly timeoutMs: number
  readonly userAgent: string
  readonly abandon: AbortSignal
  readonly now: () => number
}

export interface AssistClient {
  /**
   * Sends one request, without retries, on a connection that carries no other; the caller limits concurrency.
   * A failure is a result, reported to `caller`.
   */
  readonly send: (request: AssistRequest, caller: CallHandlers) => void
  readonly close: () => Promise<void>
}

export const createClient = (options: ClientOptions): AssistClient => new HttpClient(options)

/** Is faster than undici's Pool, which searches its clients and emits events for each request. */
class HttpClient implements AssistClient {
  readonly #options: ClientOptions
  readonly #connections = new Set<Connection>()
  readonly #idle: Connection[] = []
  readonly #ports: ExchangePorts
  readonly #tls: Connector.BuildOptions
  readonly #openSocket: Connector.connector
  /** Is a flat list: undici iterates over an object's names for each request. */
  readonly #headers: string[]

  constructor(options: ClientOptions) {
    const { timeoutMs, now, key, headers, certificate, userAgent, abandon } = options
    this.#options = options
    this.#ports = { now, timeoutMs, ended: this.#ended }
    const timeout = Math.min(CONNECT_TIMEOUT_MS, timeoutMs)
    this.#tls = {
      timeout,
      autoSelectFamilyAttemptTimeout: Math.min(ADDRESS_TIMEOUT_MS, timeout / 2),
      // Node never checks the host name of a resumed TLS session, even if the first check failed.
      maxCachedSessions: 0,
      ...certificate,
    }
    this.#openSocket = buildConnector(this.#tls)
    this.#headers = Object.entries({
      ...headers,
      authorization: `Bearer ${key.value}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': userAgent,
    }).flat()
    abandon.addEventListener('abort', this.#abandonAll, { once: true })
  }

  readonly send = (request: AssistRequest, caller: CallHandlers): void => {
    const { origin, assistPath, abandon } = this.#options
    const connection = this.#idle.pop() ?? this.#connect()
    const exchange = new Exchange(this.#ports, connection, caller)
    connection.exchange = exchange
    if (abandon.aborted) {
      exchange.abandon()
      return
    }
    connection.client.dispatch(
      { origin, path: assistPath, method: 'POST', headers: this.#headers, body: JSON.stringify(request) },
      exchange,
    )
  }

  /** Destroys instead of closing: an unfinished answer must not keep the process alive. */
  readonly close = async (): Promise<void> => {
    this.#options.abandon.removeEventListener('abort', this.#abandonAll)
    await Promise.all([...this.#connections].map(async ({ client }) => client.destroy()))
  }

  readonly #abandonAll = (): void => {
    for (const { exchange } of this.#connections) exchange?.abandon()
  }

  readonly #ended = (exchange: Exchange, ending: Ending): void => {
    const { caller, connection } = exchange
    connection.exchange = undefined
    if (exchange.sent) this.#idle.push(connection)
    else {
      // After a certificate for another host undici's client never connects again: each try gets a new one.
      this.#connections.delete(connection)
      void connection.client.destroy()
    }
    if (ending.kind === 'notSent') caller.failed(ending.error)
    else caller.ended(buildReport(exchange, ending, this.#options.mask))
  }

  #connect(): Connection {
    const { origin, proxy } = this.#options
    const open = (address: string, openSocket: Connector.connector): Dispatcher =>
      new Client(address, {
        pipelining: 1,
        connect: (wanted, callback) =>
          openSocket(wanted, (...connected) => {
            connection.socket = connected[1] ?? undefined
            callback(...connected)
          }),
        maxHeaderSize: MAX_HEADER_BYTES,
        // Disabled: the deadline covers the whole attempt.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    const client =
      proxy === undefined
        ? open(origin, this.#openSocket)
        : connectThrough(proxy, this.#tls.timeout ?? CONNECT_TIMEOUT_MS, this.#tls, open)
    const connection: Connection = { client, socket: undefined, exchange: undefined }
    this.#connections.add(connection)
    return connection
  }
}
