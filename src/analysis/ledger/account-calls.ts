// The attempts of a run, one by one, out of its journal: when each was under way, what it came to, whose ids it carried.
import type { AttemptResult } from '../../domain/attempt.ts'
import type { JournalRecord, ResultRecord } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'
import { usageClassOf } from '../../domain/usage.ts'
import { threadKey } from '../threads-of-run.ts'

export interface CallGathererOptions {
  readonly runId: string
  /** Of a joined run: those under which its parts were asked. */
  readonly partIds?: readonly string[]
  readonly timeoutMs: number
  readonly countRejected: boolean
}

export interface CallGatherer {
  add(record: JournalRecord): void
  /** `begun`: how many attempts there were in all; what the journal has lost of them may have been counted at any time. */
  finish(begun: number): AccountCall[]
}

interface Begun {
  readonly attempt: number
  readonly at: number | undefined
  readonly question: Question | undefined
  readonly repeat: number | undefined
  readonly conversation: number | undefined
  readonly sentId: string | undefined
  result: ResultRecord | undefined
  /** Its intent is lost, and no outcome says that its result was taken. */
  isLost: boolean
}

export function createCallGatherer({
  runId,
  partIds = [],
  timeoutMs,
  countRejected,
}: CallGathererOptions): CallGatherer {
  const questions: (Question | undefined)[] = []
  const threads = new Map<string, Set<number>>()
  const begun = new Map<number, Begun>()
  let [firstAt, lastAt] = [Infinity, -Infinity]

  const refsOf = ({ question, repeat, conversation }: Begun): string[] => {
    if (question === undefined) return []
    if (question.endUserRef !== undefined) return [question.endUserRef]
    // One per run, thread and conversation, named after the thread's first question: whichever that was then.
    const members = threads.get(threadKey(question)) ?? []
    return [runId, ...partIds].flatMap((id) =>
      [...members].map((index) => `${id}-${index + 1}-${repeat}-${conversation}`),
    )
  }

  return {
    add: (record) => {
      if (record.kind !== 'question') {
        firstAt = Math.min(firstAt, record.at)
        lastAt = Math.max(lastAt, record.at)
      }
      switch (record.kind) {
        case 'question': {
          questions[record.index] = record.question
          const key = threadKey(record.question)
          threads.set(key, (threads.get(key) ?? new Set()).add(record.index))
          return
        }
        case 'intent': {
          const { attempt, at, repeat, conversation, conversationId } = record
          const question = questions[record.question]
          const sentId = conversationId ?? undefined
          begun.set(attempt, {
            attempt,
            at,
            question,
            repeat,
            conversation,
            sentId,
            result: undefined,
            isLost: false,
          })
          return
        }
        case 'result': {
          const known = begun.get(record.attempt)
          if (known !== undefined) known.result = trimmed(record)
          else begun.set(record.attempt, orphan(record))
          return
        }
        case 'outcome': {
          const known = record.attempt === undefined ? undefined : begun.get(record.attempt)
          if (known?.isLost === true) {
            const { repeat, conversation } = record
            const question = questions[record.question]
            begun.set(known.attempt, { ...known, question, repeat, conversation, isLost: false })
          }
          return
        }
        case 'sitting':
        case 'set':
        case 'restart':
        case 'confirm':
        case 'pace':
        case 'dropped':
        case 'generator':
        case 'end':
          return
      }
    },
    finish: (count) => {
      const calls = [...begun.values()].map((one): AccountCall => {
        const { attempt, at, question, repeat, sentId, result, isLost } = one
        const ended = result?.at
        const sent = result === undefined ? at : result.at - result.serviceMs
        return {
          attempt,
          usage: isLost ? 'possible' : usageClassOf(result?.result, countRejected),
          from: Math.min(sent ?? at ?? firstAt, at ?? Infinity),
          until: ended ?? (at ?? lastAt) + timeoutMs,
          sentId,
          returnedId: result?.result.kind === 'reply' ? result.result.reply.conversationId : undefined,
          refs: refsOf(one),
          questionId: question?.id,
          repeat,
          came: wordOf(result?.result),
        }
      })
      const lost = Array.from({ length: Math.max(0, count - calls.length) }, (): AccountCall => ({
        attempt: undefined,
        usage: 'possible',
        from: firstAt,
        until: lastAt + timeoutMs,
        sentId: undefined,
        returnedId: undefined,
        refs: [],
        questionId: undefined,
        repeat: undefined,
        came: 'lost in a damaged journal',
      }))
      return [...calls.sort((a, b) => a.from - b.from || (a.attempt ?? 0) - (b.attempt ?? 0)), ...lost]
    },
  }
}

const orphan = (record: ResultRecord): Begun => ({
  attempt: record.attempt,
  at: undefined,
  question: undefined,
  repeat: undefined,
  conversation: undefined,
  sentId: undefined,
  result: trimmed(record),
  isLost: true,
})

/** The answers of a long run are not held. */
function trimmed(record: ResultRecord): ResultRecord {
  const { result } = record
  if (result.kind !== 'reply') return record
  const { conversationId } = result.reply
  const reply = { conversationId, message: '', status: '', contextSource: '' }
  return { ...record, result: { kind: 'reply', httpStatus: result.httpStatus, reply } }
}

function wordOf(result: AttemptResult | undefined): string {
  switch (result?.kind) {
    case undefined:
      return 'no result recorded'
    case 'reply':
      return 'answered'
    case 'malformed':
      return 'malformed answer'
    case 'rejection':
      return `HTTP ${result.httpStatus}`
    case 'timeout':
      return 'timeout'
    case 'network':
      return result.sent ? 'connection lost' : 'not connected'
    case 'abandoned':
      return 'given up'
  }
}
