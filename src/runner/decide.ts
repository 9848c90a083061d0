// Decides what follows from an attempt's result, as a pure function.
import { isAmbiguous, type AttemptResult } from '../domain/attempt.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { ThreadState } from './thread-state.ts'

/** Maximum attempts of one turn when all get a 429 or fail to reach the endpoint. */
const MAX_TRIES = 50

export interface TurnRules {
  /** The endpoint returns a new id each turn, so a changed id does not mean a lost context. */
  readonly rotatingIds: boolean
  /** Send the whole thread again, once, after an ambiguous failure. */
  readonly restartOnAmbiguous: boolean
  /** Whether to send a turn again that was certainly not processed, 429s included. */
  readonly retry: 'unprocessed' | 'nothing'
}

export type Decision =
  /** The thread continues with this conversation id. */
  | { readonly kind: 'answered'; readonly conversationId: string; readonly contextLost: boolean }
  /** The turn ended in an error; the thread's later turns are skipped. */
  | { readonly kind: 'failed'; readonly outcome: Outcome }
  /** Send the turn again in the same conversation: the endpoint certainly did not process it. */
  | { readonly kind: 'again' }
  /** Send the whole thread again in a fresh conversation. `isCounted`: uses up the session's one restart. */
  | { readonly kind: 'restart'; readonly cause: string; readonly isCounted: boolean }
  /** 401 or 403: the run stops, and the turn stays without an outcome. */
  | { readonly kind: 'keyRefused'; readonly httpStatus: number; readonly message: string }
  /** The harness aborted the attempt; the turn stays without an outcome. */
  | { readonly kind: 'abandoned' }

export function decide(thread: ThreadState, result: AttemptResult, rules: TurnRules): Decision {
  if (isAmbiguous(result) && result.kind !== 'abandoned' && rules.restartOnAmbiguous && !thread.restarted)
    return { kind: 'restart', cause: classify(result), isCounted: true }
  switch (result.kind) {
    case 'reply': {
      const { conversationId } = result.reply
      const losesContextNow = losesContext(thread, conversationId, rules)
      if (losesContextNow && thread.resumed)
        return { kind: 'restart', cause: 'the endpoint has forgotten the conversation', isCounted: false }
      return { kind: 'answered', conversationId, contextLost: thread.contextLost || losesContextNow }
    }
    case 'rejection':
      if (result.httpStatus === 401 || result.httpStatus === 403)
        return { kind: 'keyRefused', httpStatus: result.httpStatus, message: result.error.message }
      if (result.httpStatus === 429 && maySendAgain(thread, rules)) return { kind: 'again' }
      return { kind: 'failed', outcome: classify(result) }
    case 'network':
      if (!result.sent && maySendAgain(thread, rules)) return { kind: 'again' }
      return { kind: 'failed', outcome: 'network_error' }
    case 'timeout':
    case 'malformed':
      return { kind: 'failed', outcome: classify(result) }
    case 'abandoned':
      return { kind: 'abandoned' }
  }
}

const maySendAgain = ({ tries }: ThreadState, { retry }: TurnRules): boolean =>
  retry === 'unprocessed' && tries < MAX_TRIES

/** Whether the endpoint silently opened a fresh conversation. */
function losesContext(thread: ThreadState, returned: string, { rotatingIds }: TurnRules): boolean {
  return !rotatingIds && thread.conversationId !== undefined && thread.conversationId !== returned
}

function classify(result: AttemptResult): Outcome {
  switch (result.kind) {
    case 'reply':
      return 'answered'
    case 'malformed':
    case 'timeout':
      return result.kind
    case 'network':
    case 'abandoned':
      return 'network_error'
    case 'rejection':
      if (result.httpStatus === 429) return 'rate_limited'
      return result.httpStatus >= 500 ? 'server_error' : 'refused'
  }
}
