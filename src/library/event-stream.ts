// From the records of a journal to the events of a run.
import type { AttemptResult } from '../domain/attempt.ts'
import type { JournalRecord, ResultRecord } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'
import type { RunEvent, TurnEvent } from './events.ts'

/** The events that a record makes, none for most kinds. `questionOf`: by its number in the run. */
export function createEventReader(
  questionOf: (index: number) => Question | undefined,
): (record: JournalRecord) => RunEvent | undefined {
  /** Each turn's last attempt, and its result, until the turn has ended. */
  const attempts = new Map<string, number>()
  const results = new Map<number, ResultRecord>()
  const forget = (turn: string): void => {
    results.delete(attempts.get(turn) ?? 0)
    attempts.delete(turn)
  }
  const idOf = (index: number): string => questionOf(index)?.id ?? ''
  return (record) => {
    switch (record.kind) {
      case 'intent': {
        const { at, attempt, question, repeat } = record
        forget(`${question} ${repeat}`)
        attempts.set(`${question} ${repeat}`, attempt)
        return { kind: 'attempt', at, attempt, question: idOf(question), repeat }
      }
      case 'result': {
        results.set(record.attempt, record)
        const { at, attempt, waitMs, serviceMs, result } = record
        const httpStatus = statusOf(result)
        return {
          kind: 'attemptEnded',
          at,
          attempt,
          result: result.kind,
          httpStatus,
          waitMs,
          latencyMs: serviceMs,
        }
      }
      case 'outcome': {
        const last = record.attempt === undefined ? undefined : results.get(record.attempt)
        forget(`${record.question} ${record.repeat}`)
        return turnEvent(record, questionOf(record.question), last)
      }
      case 'restart': {
        const { at, question, repeat, cause } = record
        return { kind: 'restart', at, question: idOf(question), repeat, cause }
      }
      case 'pace': {
        const { at, pace, pausedUntil, cause } = record
        return { kind: 'pace', at, pace, pausedUntil: pausedUntil ?? null, cause }
      }
      case 'sitting':
      case 'question':
      case 'set':
      case 'confirm':
      case 'dropped':
      case 'generator':
      case 'end':
        return undefined
    }
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
