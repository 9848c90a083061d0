// One attempt of a thread's turn: its intent is recorded before it is sent, its result and what follows after.
import type { AssistRequest, AttemptReport } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import type { JournalRecord, ResultRecord } from '../domain/journal.ts'
import { decide, type Decision, type TurnRules } from './decide.ts'
import { follow } from './follow.ts'
import { currentTurn, requestOf, type ThreadState } from './thread-state.ts'

export interface AttemptPorts {
  readonly ask: (request: AssistRequest, signal: AbortSignal) => Promise<AttemptReport>
  /** Returns when the record is written; what it throws ends the run. */
  readonly record: (record: JournalRecord) => void
  /** Resolves when what was recorded is as safe as the run asks for; an attempt is not sent before. */
  readonly commit: () => Promise<void>
  readonly clock: Clock
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

/** Sends the turn at hand. Throws what recording throws: nothing was sent then. */
export async function sendTurn(
  thread: ThreadState,
  { ask, record, commit, clock }: AttemptPorts,
  { attempt, runId, abandon, due }: Sending,
): Promise<AttemptReport> {
  const { repeat, conversation, conversationId = null } = thread
  const question = currentTurn(thread).index
  thread.tries += 1
  if (thread.pending !== undefined) record(thread.pending)
  thread.pending = undefined
  record({
    kind: 'intent',
    at: clock.wall(),
    attempt,
    question,
    repeat,
    conversation,
    conversationId,
    ...due,
  })
  await commit()
  return ask(requestOf(thread, runId), abandon)
}

/** Records the result, decides, and carries the decision out on the thread. `at`: milliseconds since the epoch. */
export function settleTurn(
  thread: ThreadState,
  { record }: Pick<AttemptPorts, 'record'>,
  rules: TurnRules,
  result: Omit<ResultRecord, 'kind'>,
): Decision {
  record({ kind: 'result', ...result })
  const decision = decide(thread, result.result, rules)
  for (const one of follow(thread, decision, result.attempt, result.at)) record(one)
  return decision
}
