// Parses and checks the desk's base URL.
import { isLoopback } from '../domain/loopback.ts'

export type Address =
  | {
      readonly kind: 'address'
      readonly origin: string
      readonly assistPath: string
      readonly baseUrl: string
    }
  | { readonly kind: 'rejected'; readonly reason: string }

const ASSIST_PATH = '/api/v1/assist'
const PART_OF_PATH = /(\/+api(\/+v\d+(\/+assist)?)?)+$/i

/**
 * Rejects anything but an http(s) URL, a user name or password, a query or fragment, the API's own path, and
 * plain `http` off loopback unless `allowHttp`. Reasons never repeat credentials.
 */
export function parseBaseUrl(text: string, allowHttp: boolean): Address {
  const reject = (reason: string): Address => ({ kind: 'rejected', reason })
  const url = checkUrl(text, allowHttp, 'an environment variable (--api-key-env)')
  if (typeof url === 'string') return reject(url)
  const path = url.pathname.replace(/\/+$/, '')
  const [part] = PART_OF_PATH.exec(path) ?? []
  if (part !== undefined) {
    const base = url.origin + path.slice(0, -part.length)
    return reject(`ends in ${part}, but the harness adds ${ASSIST_PATH} itself: write ${base}`)
  }
  return { kind: 'address', origin: url.origin, assistPath: path + ASSIST_PATH, baseUrl: url.origin + path }
}

/** Returns the URL, or why texts and a key must not go there. `keyPlace`: where the key goes instead. */
export function checkUrl(text: string, allowHttp: boolean, keyPlace: string): URL | string {
  if (!URL.canParse(text.trim())) return 'is not a URL; write it like https://desk.example.com'
  const url = new URL(text.trim())
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `has the scheme ${url.protocol}//; it must be https://`
  if (url.username !== '' || url.password !== '')
    return `contains a user name or password; the key goes in ${keyPlace}`
  if (url.search !== '' || url.hash !== '') return 'contains a query or fragment; remove it'
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname))
    return 'is plain http, and others could read the key; use https, or --allow-http'
  return url
}
