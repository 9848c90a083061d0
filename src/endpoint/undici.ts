// The parts of undici for a call. Its index loads more, which takes a tenth of the time to a first call, and
// sets the global dispatcher: the `fetch` of a program that uses the library would send through it.
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export const Client = require('undici/lib/dispatcher/client.js') as typeof undici.Client
export const buildConnector = require('undici/lib/core/connect.js') as typeof undici.buildConnector

/** Loads what few calls need, and gives dispatchers their methods, as the index does. */
export function loadAgents() {
  const { prototype } = require('undici/lib/dispatcher/dispatcher.js') as typeof undici.Dispatcher
  Object.assign(prototype, require('undici/lib/api/index.js'))
  return {
    Agent: require('undici/lib/dispatcher/agent.js') as typeof undici.Agent,
    Pool: require('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    ProxyAgent: require('undici/lib/dispatcher/proxy-agent.js') as typeof undici.ProxyAgent,
  }
}

/**
 * Limits the attempt at each address of a name. Node's 250 ms are too short for a desk far away: without IPv6
 * here, an A and an AAAA record then fail both. A lost SYN is sent again after a second.
 */
export const ADDRESS_TIMEOUT_MS = 2500

/** Gives the code of the error or its cause, such as `ECONNREFUSED` or `UND_ERR_SOCKET`, or `UNKNOWN`. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? failureCode(error.cause) : 'UNKNOWN'
}

/** Describes a failure; Node's error for a host with several addresses has no message, but its parts have. */
export function describeFailure(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.map((part: Error) => part.message))].join('; ')
  const [, reason] = OPENSSL.exec(error.message) ?? []
  return reason ?? (error.message === '' ? failureCode(error) : error.message)
}

const CLOSED_CODES: readonly string[] = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

export const isClosed = (error: Error): boolean => CLOSED_CODES.includes(failureCode(error))

/** Matches OpenSSL's error: thread, code, library and function stand before the reason, its source behind. */
const OPENSSL = /^[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/

/** Is undici's code of a connection that did not come about in time. */
export const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT'
