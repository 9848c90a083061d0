// The proxy that the environment names. A request is sent only through a tunnel that the proxy has opened
// (CONNECT), so a proxy that fails was never sent a request.
import { BlockList, isIP } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { duration } from '../domain/format.ts'
import { isLoopback } from '../domain/loopback.ts'
import { ADDRESS_TIMEOUT_MS, CONNECT_TIMEOUT, describeFailure, failureCode, loadAgents } from './undici.ts'

export interface Proxy {
  /** Is an origin without user name and password. */
  readonly origin: string
  readonly variable: string
  readonly login: { readonly user: string; readonly password: string } | undefined
}

export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  | { readonly kind: 'rejected'; readonly reason: string }

const EXAMPLE = 'http://user:password@proxy.example.com:3128'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Chooses as curl does: `HTTPS_PROXY` or `HTTP_PROXY` by the scheme of `origin`, in lower case first; an
 * address without a scheme is `http://`. Plain http to this machine never leaves it, since a proxy could read
 * the key. Reasons never repeat the address, which may contain a password.
 */
export function chooseProxy(origin: string, environment: Environment): ProxyChoice {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'http:' && isLoopback(hostname)) return { kind: 'direct' }
  const [variable, written] = valueOf(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', environment)
  const [, exceptions] = valueOf('NO_PROXY', environment)
  if (written === '' || isExcepted(origin, exceptions)) return { kind: 'direct' }
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `http://${written}`
  const reject = (fault: string): ProxyChoice => ({
    kind: 'rejected',
    reason: `${variable} ${fault}; write it like ${EXAMPLE}`,
  })
  if (!URL.canParse(text)) return reject('is not the address of a proxy')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return reject(`has the scheme ${url.protocol}//, but a proxy is used by http:// or https://`)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  // A sign in the password would end the address: the user's name would be the host.
  const isCut = `${url.pathname}${url.search}${url.hash}`.includes('@')
  if (user === undefined || password === undefined || isCut)
    return reject("has a broken user name or password (special characters stand as in %23, '%' as %25)")
  const login = user === '' && password === '' ? undefined : { user, password }
  return { kind: 'proxy', proxy: { origin: url.origin, variable, login } }
}

/** Prefers the variable in lower case; an empty one counts as missing. */
function valueOf(name: string, environment: Environment): readonly [name: string, value: string] {
  const isSet = (spelling: string): boolean => (environment[spelling]?.trim() ?? '') !== ''
  const found = [name.toLowerCase(), name].find(isSet) ?? name
  return [found, environment[found]?.trim() ?? '']
}

/** Says if `NO_PROXY` names the host, as curl reads it: names, addresses, ranges, `*`, ports. */
function isExcepted(origin: string, exceptions: string): boolean {
  const { protocol, hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const originPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, bracketed, name = '', onlyPort] =
        /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? []
      return (onlyPort ?? originPort) === originPort && namesHost(bracketed ?? name, host)
    })
}

function namesHost(written: string, host: string): boolean {
  if (written === '*') return true
  const version = isIP(host)
  if (version === 0) {
    const name = written.replace(/^\*?\./, '').replace(/\.$/, '')
    return name !== '' && `.${host}`.endsWith(`.${name}`)
  }
  const [address = '', bits] = written.split('/')
  if (isIP(address) !== version) return false
  const [range, family] = [new BlockList(), version === 4 ? 'ipv4' : 'ipv6'] as const
  const max = version === 4 ? 32 : 128
  if (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= max)) return false
  range.addSubnet(address, Number(bits ?? max), family)
  return range.check(host, family)
}

export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Makes the value of `Proxy-Authorization: Basic` (RFC 7617). */
export const basicOf = ({ user, password }: NonNullable<Proxy['login']>): string =>
  Buffer.from(`${user}:${password}`).toString('base64')

export function connectThrough(
  proxy: Proxy,
  timeoutMs: number,
  tls: buildConnector.BuildOptions,
  open: (origin: string, openSocket: buildConnector.connector) => Dispatcher,
): Dispatcher {
  const { origin, login } = proxy
  const { Pool, ProxyAgent } = loadAgents()
  return new ProxyAgent({
    uri: origin,
    ...(login === undefined ? {} : { token: `Basic ${basicOf(login)}` }),
    connections: 1,
    requestTls: tls,
    proxyTls: {
      timeout: timeoutMs,
      autoSelectFamilyAttemptTimeout: Math.min(ADDRESS_TIMEOUT_MS, timeoutMs / 2),
    },
    clientFactory: (address, options) => new Pool(address, { ...options, headersTimeout: timeoutMs }),
    factory: (address, options) => {
      const { connect } = options as { readonly connect: buildConnector.connector }
      return open(String(address), (wanted, callback) =>
        connect(wanted, (...[error, socket]) => {
          if (error === null) callback(error, socket)
          else callback(new ProxyFailure(proxy, timeoutMs, error), null)
        }),
      )
    },
  })
}

const REFUSED = /^Proxy response \((\d+)\)/

/** Has a `code` of the system or our own, never undici's, which connects again after `UND_ERR_SOCKET`. */
class ProxyFailure extends Error {
  readonly code: string

  constructor(proxy: Proxy, timeoutMs: number, cause: Error) {
    const causeCode = failureCode(cause)
    const [, status] = REFUSED.exec(cause.message) ?? []
    const { code, message } =
      status !== undefined
        ? { code: `PROXY_${status}`, message: `CONNECT ${status}, ${describeRefusal(proxy, status)}` }
        : causeCode === 'UND_ERR_HEADERS_TIMEOUT'
          ? { code: CONNECT_TIMEOUT, message: `no answer to CONNECT within ${duration(timeoutMs)}` }
          : { code: OF_LIBRARY.test(causeCode) ? 'PROXY_FAILED' : causeCode, message: describeFailure(cause) }
    super(`the proxy ${proxy.origin}: ${message}`, { cause })
    this.code = code
  }
}

/** Matches codes of undici and its parser, but for the one of a machine that does not answer. */
const OF_LIBRARY = /^(UND_ERR_(?!CONNECT_TIMEOUT)|HPE_|UNKNOWN)/

function describeRefusal({ origin, login, variable }: Proxy, status: string): string {
  switch (status) {
    case '407':
      return login === undefined
        ? `${variable} needs a user name and a password: ${origin.replace('//', '//user:password@')}`
        : `the user name or the password in ${variable} is wrong (special characters stand as in %23), ` +
            'or it wants another login than Basic'
    case '403':
      return 'this host or port is not allowed'
    case '502':
    case '503':
    case '504':
      return 'it does not reach the endpoint'
    default:
      return 'it opens no connection'
  }
}
