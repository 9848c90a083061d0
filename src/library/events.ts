// What a program can watch while a command works. No event holds the key.
import { type AttemptResult, describeError } from '../domain/attempt.ts'
import type { JournalRecord, ResultRecord } from '../domain/journal.ts'
import type { LimitFinding } from '../domain/limit.ts'
import type { LoadSnapshot } from '../domain/load.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'

/** `at`: milliseconds since the Unix epoch. */
export type RunEvent =
  | StartedEvent
  | AttemptEvent
  | TurnEvent
  | PaceEvent
  | ProgressEvent
  | NoteEvent
  | ReportingEvent
  | EndedEvent

/** The folder is made, and nothing is sent yet. */
export interface StartedEvent {
  readonly kind: 'started'
  readonly at: number
  /** Of the run; what its files are in. */
  readonly folder: string
  readonly runId: string
  readonly isResumed: boolean
  /** Turns to be sent, repeats included, and their conversations. */
  readonly turns: number
  readonly threads: number
  readonly target: string
  readonly baseUrl: string
  readonly isSandbox: boolean
  readonly keyFingerprint: string
  /** `2/4`; null for a whole run. */
  readonly shard: string | null
  /** What a load test or a search is about to offer, in sentences. */
  readonly plan: readonly string[]
}

/** What came of a call. */
export interface AttemptEvent {
  readonly kind: 'attempt'
  readonly at: number
  /** From 1, over the whole run. */
  readonly attempt: number
  /** Id of the question. */
  readonly question: string
  /** Which asking of the set, from 1. */
  readonly repeat: number
  /** Of the thread, from 1; a restart opens the next. */
  readonly conversation: number
  readonly result: AttemptResult['kind']
  readonly httpStatus: number | null
  /** The answer's `contextSource`, or what is said of a failure. */
  readonly words: string
  /** What the limiter and pauses took before it, milliseconds. */
  readonly waitMs: number
  /** Request sent to last byte, milliseconds. */
  readonly latencyMs: number
}

/** How a turn ended. Where its thread starts again, another event of the turn follows. */
export interface TurnEvent {
  readonly kind: 'turn'
  readonly at: number
  /** Id of the question. */
  readonly question: string
  readonly thread: string
  /** Position in the thread, from 1. */
  readonly turn: number
  readonly repeat: number
  readonly message: string
  readonly outcome: Outcome
  /** Null where there is none. */
  readonly answer: string | null
  readonly contextSource: string | null
  readonly status: string | null
  readonly contextLost: boolean
  readonly httpStatus: number | null
  /** Of the last attempt; null where none was sent. */
  readonly latencyMs: number | null
  readonly waitMs: number | null
}

/** The limiter changed its pace, or paused. */
export interface PaceEvent {
  readonly kind: 'pace'
  readonly at: number
  /** Calls a second; null for no limit. */
  readonly pace: number | null
  /** Null where nothing is paused. */
  readonly pausedUntil: number | null
  readonly cause: string
}

/** Five times a second, and at the end. */
export interface ProgressEvent {
  readonly kind: 'progress'
  readonly at: number
  readonly progress: Progress
}
export type Progress = RunProgress | LoadProgress | SearchProgress

/** Turns, but for `attempts` and `rateLimited`; a thread that starts again takes its turns back. */
export interface RunProgress {
  readonly of: 'run'
  readonly total: number
  readonly done: number
  readonly answered: number
  readonly grounded: number
  readonly errors: number
  readonly attempts: number
  /** Attempts that got 429. */
  readonly rateLimited: number
}
export interface LoadProgress {
  readonly of: 'load'
  readonly snapshot: LoadSnapshot
}
/** Of `load --find-limit`: calls, what is tried now, and what is known so far. */
export interface SearchProgress {
  readonly of: 'search'
  readonly sent: number
  readonly budget: number
  readonly refused: number
  readonly inFlight: number
  readonly tookMs: number
  readonly trying: 'burst' | 'probe' | 'sit' | 'rest' | null
  readonly finding: LimitFinding | null
}

/** What a person should know: a remark on a question set, another key than before. */
export interface NoteEvent {
  readonly kind: 'note'
  readonly at: number
  readonly text: string
}

/** Every call has come back; the reports are being written. */
export interface ReportingEvent {
  readonly kind: 'reporting'
  readonly at: number
  readonly folder: string
}

/** The reports are written. The result says the same, and more. */
export interface EndedEvent {
  readonly kind: 'ended'
  readonly at: number
  readonly folder: string
  readonly verdict: string
  readonly exitCode: number
  readonly reason: string
}

/** Whatever the listener does, the run goes on. */
export interface Teller {
  readonly tell: (event: RunEvent) => void
  readonly note: (text: string) => void
  /** Every note so far. */
  readonly notes: readonly string[]
  /** The first error of the listener; undefined where it threw none. */
  readonly error: () => unknown
}

export function createTeller(listener: ((event: RunEvent) => void) | undefined): Teller {
  const notes: string[] = []
  let failure: { readonly error: unknown } | undefined
  const keep = (error: unknown): void => {
    failure ??= { error }
  }
  const tell = (event: RunEvent): void => {
    try {
      // An async listener is none that we wait for, but its failure is no fault of the process.
      const returned: unknown = listener?.(event)
      if (returned instanceof Promise) returned.catch(keep)
    } catch (error) {
      keep(error)
    }
  }
  return {
    tell,
    notes,
    error: () => failure?.error,
    note: (text) => {
      notes.push(text)
      tell({ kind: 'note', at: Date.now(), text })
    },
  }
}

/** From the records of a journal to the events that they make, none for most kinds. */
export function createEventReader(
  turns: readonly PlannedTurn[],
): (record: JournalRecord) => RunEvent | undefined {
  const questions = new Map(turns.map(({ index, question }) => [index, question]))
  const idOf = (index: number): string => questions.get(index)?.id ?? ''
  /** Of attempts without a result, and results without an outcome. */
  const intents = new Map<number, Extract<JournalRecord, { kind: 'intent' }>>()
  const results = new Map<number, ResultRecord>()
  return (record) => {
    if (record.kind === 'intent') intents.set(record.attempt, record)
    if (record.kind === 'result') {
      const intent = intents.get(record.attempt)
      intents.delete(record.attempt)
      results.set(record.attempt, record)
      if (intent === undefined) return undefined
      const { at, attempt, waitMs, serviceMs, result } = record
      return {
        kind: 'attempt',
        at,
        attempt,
        question: idOf(intent.question),
        repeat: intent.repeat,
        conversation: intent.conversation,
        result: result.kind,
        httpStatus: statusOf(result),
        words: result.kind === 'reply' ? result.reply.contextSource : (describeError(result) ?? ''),
        waitMs,
        latencyMs: serviceMs,
      }
    }
    if (record.kind === 'outcome') {
      const last = record.attempt === undefined ? undefined : results.get(record.attempt)
      // Earlier attempts of the turn are told, too.
      results.delete(record.attempt ?? 0)
      return turnEvent(record, questions.get(record.question), last)
    }
    if (record.kind !== 'pace') return undefined
    const { at, pace, pausedUntil, cause } = record
    return { kind: 'pace', at, pace, pausedUntil: pausedUntil ?? null, cause }
  }
}

function turnEvent(
  { at, repeat, outcome, contextLost }: Extract<JournalRecord, { kind: 'outcome' }>,
  question: Question | undefined,
  last: ResultRecord | undefined,
): TurnEvent {
  const reply = last?.result.kind === 'reply' ? last.result.reply : undefined
  return {
    kind: 'turn',
    at,
    question: question?.id ?? '',
    thread: question?.thread ?? '',
    turn: question?.turn ?? 0,
    repeat,
    message: question?.message ?? '',
    outcome,
    answer: reply?.message ?? null,
    contextSource: reply?.contextSource ?? null,
    status: reply?.status ?? null,
    contextLost,
    httpStatus: last === undefined ? null : statusOf(last.result),
    latencyMs: last?.serviceMs ?? null,
    waitMs: last?.waitMs ?? null,
  }
}

const statusOf = (result: AttemptResult): number | null =>
  'httpStatus' in result ? (result.httpStatus ?? null) : null
