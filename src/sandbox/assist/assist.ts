// POST /api/v1/assist: admit, strike with a fault or not, answer, and enter the call in the ledger.
import type { AssistRequestBody, AssistReplyBody } from '../contract/schemas.ts'
import type { Desk } from '../desk.ts'
import { applyFault, stillAnswers } from '../faults/apply-fault.ts'
import { chooseFault } from '../faults/choose-fault.ts'
import { isProcessed } from '../faults/fault.ts'
import { latencyOf } from '../latency.ts'
import { countWords, type Call } from '../ledger/call.ts'
import { atOnce, jsonForm, withHeaders, type Delivery } from '../serving/delivery.ts'
import type { IncomingCall } from '../serving/listen.ts'
import { refusalForm } from '../serving/route.ts'
import { admit, type Caller } from './admit.ts'
import { converse } from './converse.ts'

/**
 * The ledger is written before the answer leaves, so a client that gives up in between was counted: what
 * reached the assistant is usage, whether or not anyone heard the answer.
 */
export function assist(desk: Desk, incoming: IncomingCall): Delivery {
  const at = desk.clock()
  const admission = admit(desk, incoming, at)
  if (admission.kind === 'refused') {
    const { caller, refusal, headers } = admission
    desk.store.appendCall({ ...unprocessed(caller, at), outcome: refusal.cause })
    return atOnce(withHeaders(refusalForm(refusal), headers), refusal.cause)
  }
  const { caller, body, headers } = admission
  const { organization } = caller
  const number = desk.nextCallNumber()
  const fault = chooseFault(desk.config.faults, { number, message: body.message, organization }, desk.draw)
  if (fault && !isProcessed(fault)) {
    const entry = { ...unprocessed(caller, at), endUserRef: body.endUserRef ?? null }
    desk.store.appendCall({ ...entry, outcome: 'faulted', fault: fault.kind })
    return atOnce(withHeaders(applyFault(fault, undefined), headers), `faulted ${fault.kind}`)
  }
  const { reply, note } = converse(desk, organization, body, at, fault?.kind === 'fresh-conversation')
  desk.organization(organization).quota?.spend(at)
  const outcome = fault && !stillAnswers(fault) ? 'faulted' : 'answered'
  desk.store.appendCall({ ...processed(caller, at, body, reply), outcome, fault: fault?.kind ?? null })
  const form = fault ? applyFault(fault, reply) : jsonForm(200, reply)
  const { latency } = desk.config
  return {
    form: withHeaders(form, headers),
    delayMs: latency ? latencyOf(latency, countWords(reply.message), desk.draw, number) : 0,
    note: `${outcome} ${fault?.kind ?? reply.contextSource} ${note}`,
  }
}

function unprocessed(caller: Caller, at: number): Omit<Call, 'outcome'> {
  return {
    at,
    ...caller,
    conversationId: null,
    endUserRef: null,
    fault: null,
    counted: false,
    wordsIn: 0,
    wordsOut: 0,
  }
}

function processed(caller: Caller, at: number, body: AssistRequestBody, reply: AssistReplyBody) {
  return {
    at,
    ...caller,
    conversationId: reply.conversationId,
    endUserRef: body.endUserRef ?? null,
    counted: true,
    wordsIn: countWords(body.message),
    wordsOut: countWords(reply.message),
  }
}
