// What stands between a request and its route: a net for our own bugs, and the log.
import { refusalForm, route, type Route } from './route.ts'
import { atOnce, type Delivery } from './delivery.ts'
import type { Answer, IncomingCall } from './listen.ts'

export interface AnswerParts {
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

/** Never the key, the message or any other text of the caller's but the path, and that in plain ASCII. */
function describe({ method, path }: IncomingCall, { form, note, delayMs }: Delivery, at: number): string {
  const what = 'status' in form ? form.status : form.kind
  const delay = delayMs > 0 ? ` after ${Math.round(delayMs)} ms` : ''
  const plain = path.slice(0, 200).replaceAll(/[^\x21-\x7E]/g, '?')
  return `${new Date(at).toISOString()} ${method} ${plain} ${what}${note === undefined ? '' : ` ${note}`}${delay}`
}
