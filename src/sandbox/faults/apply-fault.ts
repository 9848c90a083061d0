// What goes over the wire when a fault strikes. Values only: `serving/deliver.ts` does the damage.
import { gzipSync } from 'node:zlib'
import { errorBody } from '../contract/refusal.ts'
import type { AssistReplyBody } from '../contract/schemas.ts'
import { jsonForm, type Form } from '../serving/delivery.ts'
import type { Fault } from './fault.ts'

/** `reply` is absent where the call was not processed; kinds that need one are always processed. */
export function applyFault(fault: Fault, reply: AssistReplyBody | undefined): Form {
  switch (fault.kind) {
    case 'server-error':
      return jsonForm(
        fault.status,
        errorBody('SERVICE_FAILURE', 'The service failed. Please retry.'),
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      )
    case 'proxy-html':
      return {
        kind: 'whole',
        status: fault.status,
        headers: { 'content-type': 'text/html' },
        body: '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n',
      }
    case 'reset':
      return { kind: 'reset' }
    case 'hang':
      return { kind: 'hang' }
    case 'refusal':
      return jsonForm(fault.status, errorBody('REFUSED', 'The sandbox was told to refuse this call.'))
    case 'redirect':
      return { kind: 'whole', status: fault.status, headers: { location: fault.location }, body: '' }
    case 'drip':
      return { ...jsonForm(200, reply), kind: 'drip', overMs: fault.over }
    case 'truncated':
      return { ...jsonForm(200, reply), kind: 'truncated' }
    case 'not-json':
      return { ...jsonForm(200, reply), body: `Answer: ${reply?.message}` }
    case 'wrong-types':
      return jsonForm(200, {
        conversationId: 42,
        message: null,
        status: true,
        contextSource: [reply?.contextSource],
      })
    case 'unknown-status':
      return jsonForm(200, {
        ...reply,
        status: fault.status,
        ...(fault.contextSource !== undefined && { contextSource: fault.contextSource }),
      })
    case 'fresh-conversation':
      return jsonForm(200, reply)
    case 'huge-body':
      return jsonForm(200, { ...reply, message: padTo(reply?.message ?? '', fault.bytes) })
    case 'gzip': {
      const { body, ...rest } = jsonForm(200, reply)
      return { ...rest, headers: { ...rest.headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }
    }
  }
}

/** Whether the client gets a whole reply of the contract's shape in spite of the fault. */
export function stillAnswers(fault: Fault): boolean {
  return ['drip', 'unknown-status', 'fresh-conversation', 'huge-body', 'gzip'].includes(fault.kind)
}

const padTo = (text: string, length: number): string => text.padEnd(length, ' and so on')
