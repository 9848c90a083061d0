// A thread: which turn is sent next, in which conversation; its result recorded, what follows decided and
// applied.
import {
  type AssistRequest,
  type AttemptReport,
  type AttemptResult,
  isAmbiguous,
  isMisdirected,
  isProxyLogin,
  isQuotaRefusal,
  isRateLimited,
} from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { JournalRecord, ResultRecord } from '../domain/journal.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Stop } from '../domain/stop.ts'

export interface PlannedTurn {
  /** Numbers the question in the run, from 0. */
  readonly index: number
  readonly question: Question
}

export interface ThreadState {
  readonly order: number
  /** Begins with the turn that identifies the thread in the journal. */
  readonly turns: readonly [PlannedTurn, ...PlannedTurn[]]
  readonly repeat: number
  /** Is the index in `turns` of the next to send; `turns.length` when the thread is over. */
  next: number
  /** Numbers the thread's conversations from 1; a restart opens the next. */
  conversation: number
  conversationId: string | undefined
  contextLost: boolean
  restarted: boolean
  /** Continues a conversation of an earlier session, which the endpoint may have forgotten. */
  resumed: boolean
  tries: number
  /** Records a restart by a resume, with the first intent: until then earlier answers remain valid. */
  pending: JournalRecord | undefined
  /** Is when the turn could have been sent without limiter and backoff; undefined before a result. */
  readyAt: number | undefined
}

export function openThread(order: number, turns: ThreadState['turns'], repeat: number): ThreadState {
  return {
    order,
    turns,
    repeat,
    next: 0,
    conversation: 1,
    conversationId: undefined,
    contextLost: false,
    restarted: false,
    resumed: false,
    tries: 0,
    pending: undefined,
    readyAt: undefined,
  }
}

/** Opens the conversations in about the order in which a run sends them, side by side in memory. */
export function openThreads(turns: readonly PlannedTurn[], repeats: number): ThreadState[] {
  const threads = new Map<string, [PlannedTurn, ...PlannedTurn[]]>()
  for (const turn of turns) {
    const key = JSON.stringify([turn.question.file, turn.question.thread])
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [turn])
    else members.push(turn)
  }
  for (const members of threads.values()) members.sort((a, b) => a.question.turn - b.question.turn)
  return [...threads.values()].flatMap((members, order) =>
    Array.from({ length: repeats }, (_, index) => openThread(order, members, index + 1)),
  )
}

export const turnsLeft = ({ turns, next }: ThreadState): number => turns.length - next

export function currentTurn({ turns, next }: ThreadState): PlannedTurn {
  const turn = turns[next]
  if (turn === undefined) throw new Error('the thread has no turn left')
  return turn
}

/** Makes the request of the current turn. `endUserRef` defaults to one per run, thread and conversation. */
function buildRequest(thread: ThreadState, runId: string): AssistRequest {
  const { repeat, conversation, conversationId } = thread
  const { message, endUserRef: stated } = currentTurn(thread).question
  const endUserRef = stated ?? `${runId}-${thread.turns[0].index + 1}-${repeat}-${conversation}`
  return conversationId === undefined ? { message, endUserRef } : { message, conversationId, endUserRef }
}

export interface AttemptPorts {
  /**
   * Sends one request after all earlier records are in the journal. Calls either `ended` or `failed` of the
   * caller, once; `failed` means that nothing was sent.
   */
  readonly send: (request: AssistRequest, caller: Caller) => void
  /** Appends a record; an error ends the run. `thread` is that of a result or an outcome. */
  readonly record: (record: JournalRecord, thread?: ThreadState) => void
  readonly clock: Clock
}

export interface Caller {
  readonly ended: (report: AttemptReport) => void
  readonly failed: (error: unknown) => void
}

/** Sends the current turn as attempt `attempt` of the run, from 1. If recording throws, nothing was sent. */
export function sendTurn(
  thread: ThreadState,
  ports: AttemptPorts,
  runId: string,
  attempt: number,
  caller: Caller,
  due?: { readonly arrival: number; readonly dueAt: number },
): void {
  const { repeat, conversation, conversationId = null } = thread
  const question = currentTurn(thread).index
  thread.tries += 1
  if (thread.pending !== undefined) ports.record(thread.pending)
  thread.pending = undefined
  const at = ports.clock.wall()
  ports.record({ kind: 'intent', at, attempt, question, repeat, conversation, conversationId, ...due })
  ports.send(buildRequest(thread, runId), caller)
}

export function settleTurn(
  thread: ThreadState,
  ports: AttemptPorts,
  rules: TurnRules,
  ended: ResultRecord,
): Decision {
  ports.record(ended, thread)
  const decision = decide(thread, ended.result, rules)
  for (const record of applyDecision(thread, decision, ended.attempt, ended.at)) ports.record(record, thread)
  return decision
}

/** Limits the attempts of one turn when all get a 429 or fail to reach the endpoint. */
const MAX_TRIES = 50

export interface TurnRules {
  /** Says that the endpoint returns a new id each turn: a changed id does not mean a lost context. */
  readonly rotatingIds: boolean
  readonly restartOnAmbiguous: boolean
  /** Sends a turn again that was certainly not processed, 429s included; a resume does so after redirects. */
  readonly retryUnprocessed: boolean
}

export const turnRulesOf = (options: {
  readonly rotatingIds: boolean
  readonly onAmbiguous: 'restart' | 'fail'
}): TurnRules => ({
  rotatingIds: options.rotatingIds,
  restartOnAmbiguous: options.onAmbiguous === 'restart',
  retryUnprocessed: true,
})

export type Decision =
  | { readonly kind: 'answered'; readonly conversationId: string; readonly contextLost: boolean }
  /** Skips the thread's later turns. */
  | { readonly kind: 'failed'; readonly outcome: Outcome }
  /** Sends the turn again in the same conversation: the endpoint certainly did not process it. */
  | { readonly kind: 'again' }
  /** Sends the whole thread again in a fresh conversation. `isCounted`: uses up the session's one restart. */
  | { readonly kind: 'restart'; readonly cause: string; readonly isCounted: boolean }
  /** Stops the run; the turn stays without an outcome. */
  | { readonly kind: 'stopped'; readonly stop: Stop }
  /** Is a redirect or a 404: the turn is `refused` once it is known that what replied is the endpoint. */
  | { readonly kind: 'misdirected' }
  /** Leaves the turn without an outcome, as the harness aborted the attempt. */
  | { readonly kind: 'abandoned' }

export function decide(thread: ThreadState, result: AttemptResult, rules: TurnRules): Decision {
  if (result.kind === 'abandoned') return { kind: 'abandoned' }
  if (isAmbiguous(result) && rules.restartOnAmbiguous && !thread.restarted)
    return { kind: 'restart', cause: classify(result), isCounted: true }
  if (result.kind === 'reply') {
    const { conversationId } = result.reply
    const before = thread.conversationId
    const losesContextNow = !rules.rotatingIds && before !== undefined && before !== conversationId
    if (losesContextNow && thread.resumed)
      return { kind: 'restart', cause: 'the endpoint has forgotten the conversation', isCounted: false }
    return { kind: 'answered', conversationId, contextLost: thread.contextLost || losesContextNow }
  }
  const stop = stopFor(result)
  if (stop !== undefined) return { kind: 'stopped', stop }
  if (isMisdirected(result) && rules.retryUnprocessed) return { kind: 'misdirected' }
  const isUnprocessed = isRateLimited(result) || (result.kind === 'network' && !result.sent)
  if (isUnprocessed && rules.retryUnprocessed && thread.tries < MAX_TRIES) return { kind: 'again' }
  return { kind: 'failed', outcome: classify(result) }
}

const PROXY_EXAMPLE = 'http://user:password@proxy.example.com:3128'

/** Returns why no further call can be answered: the key, the quota or the login at a proxy. */
function stopFor(result: AttemptResult): Stop | undefined {
  if (isProxyLogin(result)) {
    const onTheWay =
      'a proxy on the way wants a login (407): set HTTPS_PROXY or HTTP_PROXY, like ' + PROXY_EXAMPLE
    return { kind: 'proxyRefused', message: result.kind === 'network' ? result.message : onTheWay }
  }
  if (result.kind !== 'rejection' || ![401, 402, 403].includes(result.httpStatus)) return undefined
  const { httpStatus, error } = result
  const { code, message } = error
  return httpStatus !== 401 && isQuotaRefusal(result)
    ? { kind: 'quotaUsedUp', httpStatus, ...(code !== undefined && { code }), message }
    : { kind: 'keyRefused', httpStatus, message }
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

/** Applies a decision to its thread, and returns the records; `at` is in milliseconds since the epoch. */
export function applyDecision(
  thread: ThreadState,
  decision: Decision,
  attempt: number,
  at: number,
): JournalRecord[] {
  const { repeat, conversation } = thread
  switch (decision.kind) {
    case 'answered': {
      const { contextLost, conversationId } = decision
      const question = currentTurn(thread).index
      thread.contextLost = contextLost
      thread.next += 1
      if (turnsLeft(thread) > 0) thread.conversationId = conversationId
      thread.tries = 0
      thread.resumed = false
      return [
        { kind: 'outcome', at, question, repeat, conversation, outcome: 'answered', attempt, contextLost },
      ]
    }
    case 'failed': {
      const failed = currentTurn(thread).index
      const later = thread.turns.slice(thread.next + 1)
      thread.next = thread.turns.length
      const place = { kind: 'outcome', at, repeat, conversation, contextLost: thread.contextLost } as const
      return [
        { ...place, question: failed, outcome: decision.outcome, attempt },
        ...later.map(({ index }) => ({ ...place, question: index, outcome: 'skipped' as const })),
      ]
    }
    case 'restart': {
      const question = thread.turns[0].index
      thread.next = 0
      thread.conversation += 1
      thread.conversationId = undefined
      thread.contextLost = false
      thread.restarted ||= decision.isCounted
      thread.resumed = false
      thread.tries = 0
      const { cause } = decision
      return [{ kind: 'restart', at, question, repeat, conversation: thread.conversation, cause }]
    }
    case 'again':
    case 'stopped':
    case 'misdirected':
    case 'abandoned':
      return []
  }
}
