// A record as JSON. The three kinds that every call leaves are put together by hand: encoding them is most of a journal's cost.
import type { JournalRecord } from '../domain/journal.ts'
import { numberText } from './number-text.ts'

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/**
 * What `JSON.stringify` says of the record, up to the order of fields. `replyJson`: the JSON of its reply, where it is at
 * hand.
 */
export function recordText(record: JournalRecord, replyJson?: string): string {
  switch (record.kind) {
    case 'intent':
      return intentText(record)
    case 'result':
      return resultText(record, replyJson)
    case 'outcome':
      return outcomeText(record)
    case 'sitting':
    case 'question':
    case 'set':
    case 'restart':
    case 'confirm':
    case 'pace':
    case 'dropped':
    case 'generator':
    case 'end':
      return JSON.stringify(record)
  }
}

/** A field that is new in a record must be written here, too: this does not compile then. */
type Complete<R, Written extends keyof R> = [Exclude<keyof R, Written>] extends [never] ? R : never

type Intent = Complete<
  RecordOf<'intent'>,
  'kind' | 'at' | 'attempt' | 'question' | 'repeat' | 'conversation' | 'conversationId' | 'arrival' | 'dueAt'
>

function intentText(record: Intent): string {
  const { at, attempt, question, repeat, conversation, conversationId, arrival, dueAt } = record
  const id = conversationId === null ? 'null' : JSON.stringify(conversationId)
  return `{"kind":"intent","at":${numberText(at)},"attempt":${attempt},"question":${question},"repeat":${repeat},"conversation":${conversation},"conversationId":${id}${
    arrival === undefined ? '' : `,"arrival":${arrival}`
  }${optional('dueAt', dueAt)}}`
}

type Result = Complete<
  RecordOf<'result'>,
  'kind' | 'at' | 'attempt' | 'waitMs' | 'lagMs' | 'serviceMs' | 'responseMs' | 'result'
>

function resultText(record: Result, replyJson: string | undefined): string {
  const { at, attempt, waitMs, lagMs, serviceMs, responseMs, result } = record
  return `{"kind":"result","at":${numberText(at)},"attempt":${attempt},"waitMs":${numberText(waitMs)}${optional('lagMs', lagMs)},"serviceMs":${numberText(serviceMs)}${optional('responseMs', responseMs)},"result":${
    replyJson === undefined || result.kind !== 'reply' ? JSON.stringify(result) : replyText(result, replyJson)
  }}`
}

type Replied = Complete<
  Extract<RecordOf<'result'>['result'], { kind: 'reply' }>,
  'kind' | 'httpStatus' | 'reply' | 'headers'
>

function replyText({ httpStatus, headers }: Replied, replyJson: string): string {
  return `{"kind":"reply","httpStatus":${httpStatus},"reply":${replyJson}${
    headers === undefined ? '' : `,"headers":${headersText(headers)}`
  }}`
}

function headersText(headers: Readonly<Record<string, string>>): string {
  for (const _ in headers) return JSON.stringify(headers)
  return '{}'
}

type Ended = Complete<
  RecordOf<'outcome'>,
  'kind' | 'at' | 'question' | 'repeat' | 'conversation' | 'outcome' | 'attempt' | 'contextLost'
>

function outcomeText(record: Ended): string {
  const { at, question, repeat, conversation, outcome, attempt, contextLost } = record
  return `{"kind":"outcome","at":${numberText(at)},"question":${question},"repeat":${repeat},"conversation":${conversation},"outcome":"${outcome}"${
    attempt === undefined ? '' : `,"attempt":${attempt}`
  },"contextLost":${contextLost}}`
}

const optional = (name: string, value: number | undefined): string =>
  value === undefined ? '' : `,"${name}":${numberText(value)}`
