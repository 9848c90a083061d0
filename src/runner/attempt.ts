// One attempt of a turn: its intent is recorded before it is sent, its result and the decision afterwards.
import type { AssistRequest, AttemptReport } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { IntentRecord, JournalRecord, ResultRecord } from '../domain/journal.ts'
import { decide, type Decision, type TurnRules } from './decide.ts'
import { follow } from './follow.ts'
import { currentTurn, buildRequest, type ThreadState } from './thread-state.ts'

export interface AttemptPorts {
  /**
   * Sends one request once everything recorded so far is in the journal. One of the caller's two is called, once: what
   * `failed` gets kept the request from leaving.
   */
  readonly send: (request: AssistRequest, signal: AbortSignal, caller: Caller) => void
  /** Appends a record; an error ends the run. `thread`: whose result or outcome it is. */
  readonly record: (record: JournalRecord, thread?: ThreadState) => void
  readonly clock: Clock
}

export interface Caller {
  readonly ended: (report: AttemptReport) => void
  readonly failed: (error: unknown) => void
}

export interface Sending {
  /** Number of the attempt in the run, from 1. */
  readonly attempt: number
  readonly runId: string
  /** Gives the attempt up. */
  readonly abandon: AbortSignal
  /** Of a load test. */
  readonly due?: { readonly arrival: number; readonly dueAt: number }
}

/** Sends the turn at hand; reports to `caller`. Throws what recording throws: nothing was sent then. */
export function sendTurn(
  thread: ThreadState,
  ports: AttemptPorts,
  { attempt, runId, abandon, due }: Sending,
  caller: Caller,
): void {
  const { record, clock } = ports
  const { repeat, conversation, conversationId = null } = thread
  const question = currentTurn(thread).index
  thread.tries += 1
  if (thread.pending !== undefined) record(thread.pending)
  thread.pending = undefined
  const at = clock.wall()
  const intent: IntentRecord = { kind: 'intent', at, attempt, question, repeat, conversation, conversationId }
  if (due !== undefined) {
    intent.arrival = due.arrival
    intent.dueAt = due.dueAt
  }
  record(intent)
  ports.send(buildRequest(thread, runId), abandon, caller)
}

/** Records the result, decides, and carries the decision out on the thread. `at`: milliseconds since the epoch. */
export function settleTurn(
  thread: ThreadState,
  { record }: Pick<AttemptPorts, 'record'>,
  rules: TurnRules,
  result: ResultRecord,
): Decision {
  record(result, thread)
  const decision = decide(thread, result.result, rules)
  for (const one of follow(thread, decision, result.attempt, result.at)) record(one, thread)
  return decision
}
