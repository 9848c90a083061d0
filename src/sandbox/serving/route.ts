// From a request to its route: 404 and 405 in the one error shape, a net for our own bugs, and the log.
import { type Refusal, refusalBody, refusalStatus } from '../contract.ts'
import { atOnce, type Delivery, type Form, jsonForm, type Answer, type IncomingCall } from './listen.ts'

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

interface AnswerParts {
  readonly routes: readonly Route[]
  readonly clock: () => number
  readonly log: (line: string) => void
  readonly notice: (line: string) => void
}

export function makeAnswer({ routes, clock, log, notice }: AnswerParts): Answer {
  const failed = (error: unknown): Delivery => {
    notice(`internal error: ${(error as Error).stack}`)
    return atOnce(
      refusalForm({ cause: 'internal', message: 'The sandbox has a fault of its own.' }),
      'internal',
    )
  }
  return (call) => {
    try {
      const delivery = route(routes, call)
      log(describe(call, delivery, clock()))
      return delivery
    } catch (error) {
      return failed(error)
    }
  }
}

/** In plain ASCII; of a caller's text the path alone, never the key or the message. */
function describe({ method, path }: IncomingCall, { form, note, delayMs }: Delivery, at: number): string {
  const what = 'status' in form ? form.status : form.kind
  const delay = delayMs > 0 ? ` after ${Math.round(delayMs)} ms` : ''
  const line = `${method} ${path.slice(0, 200)} ${what}${note === undefined ? '' : ` ${note}`}${delay}`
  return `${new Date(at).toISOString()} ${line.replaceAll(/[^\x20-\x7E]/g, '?')}`
}
