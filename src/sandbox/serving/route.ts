// The table of paths: who answers what, and 404 or 405 for the rest, in the one error shape.
import { refusalBody, refusalStatus, type Refusal } from '../contract/refusal.ts'
import { atOnce, jsonForm, type Delivery, type Form } from './delivery.ts'
import type { IncomingCall } from './listen.ts'

/** `parameter` is the last segment of the path, where the route has one. */
type Handler = (call: IncomingCall, parameter: string) => Delivery

export interface Route {
  readonly method: 'GET' | 'POST'
  /** Ends in `/:id` where the last segment is a parameter. */
  readonly path: string
  readonly handle: Handler
}

/**
 * Path, then method, then everything else: what exists is published, so no key is needed to be told that
 * something does not. A GET route answers HEAD too.
 */
export function route(routes: readonly Route[], call: IncomingCall): Delivery {
  const onPath = routes.flatMap((one) => {
    const parameter = matchPath(one.path, call.path)
    return parameter === undefined ? [] : [{ ...one, parameter }]
  })
  if (onPath.length === 0)
    return atOnce(refusalForm({ cause: 'not_found', message: 'There is nothing here.' }))
  const method = call.method === 'HEAD' ? 'GET' : call.method
  const match = onPath.find((one) => one.method === method)
  if (match) return match.handle(call, match.parameter)
  const allow = onPath.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', ')
  return atOnce(
    refusalForm({ cause: 'method_not_allowed', message: `The method must be ${allow}.`, headers: { allow } }),
  )
}

export function refusalForm(refusal: Refusal): Form {
  return jsonForm(refusalStatus(refusal.cause), refusalBody(refusal), refusal.headers)
}

function matchPath(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('/:id')) return pattern === path ? '' : undefined
  const prefix = pattern.slice(0, -':id'.length)
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : ''
  if (rest === '' || rest.includes('/')) return undefined
  try {
    return decodeURIComponent(rest)
  } catch {
    return undefined
  }
}
