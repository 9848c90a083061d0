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

/** In plain ASCII; of a caller's text the path alone, never the key or the message. */
function describe({ method, path }: IncomingCall, { form, note, delayMs }: Delivery, at: number): string {
  const what = 'status' in form ? form.status : form.kind
  const delay = delayMs > 0 ? ` after ${Math.round(delayMs)} ms` : ''
  const line = `${method} ${path.slice(0, 200)} ${what}${note === undefined ? '' : ` ${note}`}${delay}`
  return `${new Date(at).toISOString()} ${line.replaceAll(/[^\x20-\x7E]/g, '?')}`
}
