// Events of a run, for programs that watch it. No event contains the key.
import { type AssistReply, type AttemptResult, replyOf, statusOf, unreadHeaders } from '../domain/attempt.ts'
import type { Clock } from '../domain/clock.ts'
import { rateText } from '../domain/format.ts'
import type { JournalEvent, TurnEnded } from '../domain/journal.ts'
import type { LimitFinding } from '../domain/limit.ts'
import type { LoadSnapshot, RunProgress } from '../domain/progress.ts'
import type { Outcome } from '../domain/outcome.ts'
import { currentTurn, type ThreadState } from './thread.ts'

/** Is one event; `at` counts milliseconds since the Unix epoch. */
export type RunEvent = { readonly at: number } & (
  | StartedEvent
  | AttemptEvent
  | TurnEvent
  | PaceEvent
  /** Comes five times a second, and at the end. */
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** Is a warning, such as a remark on a question set or a changed key. */
  | { readonly kind: 'note'; readonly text: string }
  /** Says that every call has returned; the reports are being written. */
  | { readonly kind: 'reporting'; readonly folder: string }
  | EndedEvent
)

/** Says that the folder exists; nothing has been sent. */
export interface StartedEvent {
  readonly kind: 'started'
  readonly folder: string
  readonly runId: string
  readonly isResumed: boolean
  /** Counts the turns to be sent, repeats included. */
  readonly turns: number
  readonly threads: number
  readonly target: string
  readonly baseUrl: string
  readonly isSandbox: boolean
  readonly keyFingerprint: string
  /** Is `2/4`; null for a whole run. */
  readonly shard: string | null
}

export interface AttemptEvent {
  readonly kind: 'attempt'
  readonly attempt: number
  readonly result: AttemptResult
  /** Counts milliseconds in the limiter and in pauses. */
  readonly waitMs: number
  /** Counts milliseconds from sending to the last byte. */
  readonly serviceMs: number
  readonly question: string
  /** Counts from 1. */
  readonly repeat: number
  /** Numbers the thread's conversations from 1; a restart opens the next. */
  readonly conversation: number
}

export interface TurnEvent {
  readonly kind: 'turn'
  readonly id: string
  readonly thread: string
  readonly turn: number
  readonly message: string
  readonly repeat: number
  readonly outcome: Outcome
  readonly contextLost: boolean
  /** Holds the answer with its `contextSource` and `status`; null if there is none. */
  readonly reply: AssistReply | null
  /** Is that of the last attempt; null if none was sent. */
  readonly httpStatus: number | null
  readonly latencyMs: number | null
}

/** Says that the limiter changed its pace (calls a second; null for no limit), or paused. */
export interface PaceEvent {
  readonly kind: 'pace'
  readonly pace: number | null
  /** Is null if nothing is paused. */
  readonly pausedUntil: number | null
  readonly cause: string
}

/** Says that the reports are written. */
export interface EndedEvent {
  readonly kind: 'ended'
  readonly folder: string
  readonly verdict: string
  readonly exitCode: number
  readonly reason: string
}

export type { RunProgress }
export type Progress = RunProgress | LoadProgress | SearchProgress

export interface LoadProgress {
  readonly of: 'load'
  readonly snapshot: LoadSnapshot
}
/** Counts the calls of `load --find-limit` so far, and says what it does and which limit they show. */
export interface SearchProgress {
  readonly of: 'search'
  readonly sent: number
  readonly budget: number
  readonly refused: number
  readonly inFlight: number
  readonly tookMs: number
  /** Is like `looking for a second rule, until 1 min 30 s`, counted from the first call. */
  readonly doing: string
  readonly finding: LimitFinding | null
}

export type EventSink = ReturnType<typeof createEventSink>

/** Passes events to a listener, and keeps the notes. Its first error is a note: the run goes on. */
export function createEventSink(listener: ((event: RunEvent) => void) | undefined, clock: Clock) {
  const notes: string[] = []
  let hasFailed = false
  const keep = (error: unknown): void => {
    if (!hasFailed) notes.push(`onEvent failed: ${error instanceof Error ? error.message : String(error)}`)
    hasFailed = true
  }
  const emit = (event: RunEvent): void => {
    try {
      // Not awaited, but its rejection must not end the process.
      const returned: unknown = listener?.(event)
      if (returned instanceof Promise) returned.catch(keep)
    } catch (error) {
      keep(error)
    }
  }
  return {
    emit,
    notes: notes as readonly string[],
    /** What was said already is not said again. */
    note: (text: string): void => {
      if (notes.includes(text)) return
      notes.push(text)
      emit({ kind: 'note', at: clock.wall(), text })
    },
  }
}

/**
 * Emits what the events of the journal tell (those of attempts and turns if `wantsCalls`), and names once a
 * policy that sets the pace, and a header that is not read. It keeps no map of what is under way: entries
 * that come and go with each call would outlive it in V8's old generation, and were a third of the cost of a
 * call.
 */
export function createWatch(wantsCalls: boolean, { emit, note }: EventSink) {
  const policies = new Set<string>()
  return (event: JournalEvent, thread?: ThreadState): void => {
    if (event.kind === 'pace') {
      const { at, pace, pausedUntil = null, cause, policy } = event
      if (policy !== undefined && !policies.has(policy)) {
        policies.add(policy)
        note(`the endpoint allows ${policy}: this policy sets the pace, ${rateText(pace)}`)
      }
      emit({ kind: 'pace', at, pace, pausedUntil, cause })
    } else if (event.kind === 'result') {
      const { at, attempt, waitMs, serviceMs, result } = event
      for (const name of unreadHeaders(result))
        note(`the endpoint's header ${name} is too long and is not read`)
      if (!wantsCalls || thread === undefined) return
      const { repeat, conversation } = thread
      const question = currentTurn(thread).question.id
      emit({ kind: 'attempt', at, attempt, question, repeat, conversation, result, waitMs, serviceMs })
    } else if (event.kind === 'turnEnded' && wantsCalls && thread !== undefined)
      emit(turnEvent(event, thread))
  }
}

function turnEvent(ended: TurnEnded, { turns }: ThreadState): TurnEvent & { readonly at: number } {
  const { at, repeat, outcome, contextLost, result: record } = ended
  const planned = turns.find(({ index }) => index === ended.question)
  if (planned === undefined) throw new Error(`question ${ended.question} is not one of its thread`)
  const { id, thread, turn, message } = planned.question
  return {
    kind: 'turn',
    at,
    id,
    thread,
    turn,
    message,
    repeat,
    outcome,
    contextLost,
    reply: replyOf(record?.result) ?? null,
    httpStatus: statusOf(record?.result) ?? null,
    latencyMs: record?.serviceMs ?? null,
  }
}
