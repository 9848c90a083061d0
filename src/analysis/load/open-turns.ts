// Puts a load test's records together to turns: what is under way is held, what has come to its end is handed on.
import type { JournalRecord } from '../../domain/journal.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import { threadKey } from './thread-key.ts'

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>
type ResultOf = RecordOf<'result'>

/** A turn that was begun. Times in milliseconds. */
export interface LoadTurn {
  readonly question: number
  readonly repeat: number
  /** When its first call was due, since the epoch. */
  readonly dueAt: number
  /** The first of its conversation, and that conversation the first of the thread. */
  readonly opens: boolean
  waitMs: number
  /** The last attempt that ended. */
  last: ResultOf | undefined
}

export interface EndedTurn {
  readonly turn: LoadTurn
  readonly outcome: Outcome
  readonly contextLost: boolean
}

export interface OpenTurns {
  question(index: number, question: Question): void
  /** The turn, and whether this is its first attempt. */
  intent(record: RecordOf<'intent'>): { readonly turn: LoadTurn; readonly isNew: boolean }
  /** Undefined where the intent is lost. */
  result(record: ResultOf): LoadTurn | undefined
  /** Undefined for a skipped turn, and where nothing of it is known. */
  outcome(record: RecordOf<'outcome'>): EndedTurn | undefined
  /** Which thread of the set a question stands in. */
  readonly threadOf: (question: number) => number
  /** How many questions a thread of the set has. */
  readonly lengthOf: (thread: number) => number
  /** Attempts sent whose result has not come. */
  inFlight(): number
  /** Turns begun and not ended. */
  open(): number
}

/** Memory grows with the set and with what is under way, not with the calls. */
export function createOpenTurns(): OpenTurns {
  const threads = new Map<string, number>()
  const threadOfQuestion: number[] = []
  /** One a conversation: its turns go one after the other. */
  const open = new Map<number, LoadTurn>()
  const attempts = new Map<number, LoadTurn>()
  const lengths: number[] = []

  // A question whose record is lost is a thread of its own.
  const threadOf = (question: number): number => threadOfQuestion[question] ?? -1 - question
  const keyOf = (question: number, repeat: number): number => threadKey(threadOf(question), repeat)

  return {
    question: (index, { file, thread }) => {
      const name = `${file} ${thread}`
      const number = threads.get(name) ?? threads.size
      threads.set(name, number)
      // A resume may write a question again.
      if (threadOfQuestion[index] !== number) lengths[number] = (lengths[number] ?? 0) + 1
      threadOfQuestion[index] = number
    },
    intent: ({ at, attempt, question, repeat, conversation, conversationId, dueAt = at }) => {
      const key = keyOf(question, repeat)
      const known = open.get(key)
      const isNew = known?.question !== question
      const turn = isNew
        ? {
            question,
            repeat,
            dueAt,
            opens: conversationId === null && conversation === 1,
            waitMs: 0,
            last: undefined,
          }
        : known
      open.set(key, turn)
      attempts.set(attempt, turn)
      return { turn, isNew }
    },
    result: (record) => {
      const turn = attempts.get(record.attempt)
      if (turn === undefined) return undefined
      attempts.delete(record.attempt)
      turn.waitMs += record.waitMs
      turn.last = record
      return turn
    },
    outcome: ({ question, repeat, outcome, attempt, contextLost }) => {
      const key = keyOf(question, repeat)
      const turn = open.get(key)
      // An outcome whose attempt is lost decides nothing that could be measured.
      if (turn?.question !== question || attempt === undefined) return undefined
      open.delete(key)
      return { turn, outcome, contextLost }
    },
    threadOf,
    lengthOf: (thread) => lengths[thread] ?? 1,
    inFlight: () => attempts.size,
    open: () => open.size,
  }
}
