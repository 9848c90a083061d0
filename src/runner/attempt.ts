// One attempt of a turn: records the intent, sends the request, records the result and what follows from it.
import type { AssistRequest, AttemptReport } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { IntentRecord, JournalRecord, ResultRecord } from '../domain/journal.ts'
import { decide, type Decision, type TurnRules } from './decide.ts'
import { applyDecision } from './apply-decision.ts'
import { currentTurn, buildRequest, type ThreadState } from './thread-state.ts'

export interface AttemptPorts {
  /**
   * Sends one request after all earlier records are in the journal. Calls either `ended` or `failed` of the caller,
   * once; `failed` means that nothing was sent.
   */
  readonly send: (request: AssistRequest, caller: Caller) => void
  /** Appends a record; an error ends the run. `thread`: the thread of a result or an outcome. */
  readonly record: (record: JournalRecord, thread?: ThreadState) => void
  readonly clock: Clock
}

export interface Caller {
  readonly ended: (report: AttemptReport) => void
  readonly failed: (error: unknown) => void
}

export interface SendOptions {
  /** Number of the attempt in the run, from 1. */
  readonly attempt: number
  readonly runId: string
  /** Only in a load test. */
  readonly due?: { readonly arrival: number; readonly dueAt: number }
}

/** Sends the thread's current turn. Throws if recording fails; then nothing was sent. */
export function sendTurn(
  thread: ThreadState,
  ports: AttemptPorts,
  { attempt, runId, due }: SendOptions,
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
  ports.send(buildRequest(thread, runId), caller)
}

/** Records the result, decides what follows, and applies the decision to the thread. */
export function settleTurn(
  thread: ThreadState,
  { record }: Pick<AttemptPorts, 'record'>,
  rules: TurnRules,
  result: ResultRecord,
): Decision {
  record(result, thread)
  const decision = decide(thread, result.result, rules)
  for (const one of applyDecision(thread, decision, result.attempt, result.at)) record(one, thread)
  return decision
}
