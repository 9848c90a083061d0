// Records of the journal: what was sent and what came back, without any judgement.
import * as z from 'zod'
import { attemptResultSchema, isMisdirected } from './attempt.ts'
import { OUTCOMES } from './outcome.ts'
import { questionSchema } from './question.ts'
import { stopSchema } from './stop.ts'

/** Times are milliseconds since the Unix epoch. */
const at = z.number()
/** Questions are numbered in the run from 0, in the order of the set. */
const question = z.int().nonnegative()
const repeat = z.int().positive()
/** A thread's conversations are numbered from 1; a restart begins the next. */
const conversation = z.int().positive()
/** Threads in the timetable of a load test are numbered from 0. */
const arrival = z.int().nonnegative()
const attempt = z.int().positive()

export const journalRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), at, session: z.int().positive(), harnessVersion: z.string() }),
  /** All questions precede the first intent. A later record of the same number replaces the earlier one. */
  z.object({ kind: z.literal('question'), index: question, question: questionSchema }),
  /** The set is incomplete without this record, which follows those of its questions. */
  z.object({
    kind: z.literal('set'),
    at,
    digests: z.array(z.string()),
    /** Each row of consecutive questions has its first and last number, in the order of the set. */
    ranges: z.array(z.tuple([question, question])),
    repeats: z.int().positive(),
  }),
  /** It is written before the attempt is sent. */
  z.object({
    kind: z.literal('intent'),
    at,
    attempt,
    question,
    repeat,
    conversation,
    conversationId: z.string().nullable(),
    arrival: arrival.optional(),
    /** A load test's call was due then, to a fraction of a millisecond. */
    dueAt: at.optional(),
  }),
  z.object({
    kind: z.literal('result'),
    at,
    attempt,
    /** It waits in the limiter, in backoff, for room under `--max-in-flight`. */
    waitMs: z.number(),
    serviceMs: z.number(),
    /** A load test has it: due to last byte (or failure), waiting and earlier attempts included. */
    responseMs: z.number().optional(),
    /**
     * A load test has it: due to sent, less `waitMs`, which is the delay of the load generator and of a new
     * connection. A call that is sent again counts from the limiter's permit.
     */
    lagMs: z.number().optional(),
    result: attemptResultSchema,
  }),
  z.object({
    kind: z.literal('outcome'),
    at,
    question,
    repeat,
    conversation,
    outcome: z.enum(OUTCOMES),
    attempt: attempt.optional(),
    contextLost: z.boolean(),
  }),
  /**
   * The thread of this first question starts again, in a conversation with this number: the outcomes of its
   * turns so far no longer count.
   */
  z.object({ kind: z.literal('restart'), at, question, repeat, conversation, cause: z.string() }),
  /**
   * `--confirm` sends the thread of this first question `times` more, since `questions` of it fail. `as` is
   * the repeat of the first new records.
   */
  z.object({
    kind: z.literal('confirm'),
    at,
    question,
    repeat,
    as: repeat,
    times: z.int().positive(),
    questions: z.array(question),
  }),
  /** The limiter changed its pace (calls a second, null for no limit) or paused the organization. */
  z.object({
    kind: z.literal('pace'),
    at,
    pace: z.number().nullable(),
    pausedUntil: z.number().optional(),
    cause: z.string(),
    policy: z.string().optional(),
    processes: z.int().optional(),
  }),
  /** The thread of this first question was due, but `--max-in-flight` calls were in flight. */
  z.object({ kind: z.literal('dropped'), at, arrival, dueAt: at, question, repeat }),
  /** A session ends. Its absence means that the process died. */
  z.object({ kind: z.literal('end'), at, stop: stopSchema }),
])

export interface Position {
  readonly journal: number
  readonly offset: number
  readonly length: number
}

export type JournalRecord = z.infer<typeof journalRecordSchema>
export type RecordOf<Kind extends JournalRecord['kind']> = Extract<JournalRecord, { readonly kind: Kind }>
export type IntentRecord = RecordOf<'intent'>
export type ResultRecord = RecordOf<'result'>

/** A result decided the outcome, unless the turn was skipped or the record is lost. */
export interface TurnEnded extends Omit<RecordOf<'outcome'>, 'kind'> {
  readonly kind: 'turnEnded'
  readonly result: ResultRecord | undefined
}
export type JournalEvent = Exclude<JournalRecord, RecordOf<'outcome'>> | TurnEnded

/**
 * Only this function relies on their order: `settleTurn` records an outcome right after its result, but for
 * redirects and 404s, which a run holds back. It keeps these and the last result, not those of all calls in
 * flight.
 */
export function createTurnJoiner(): (record: JournalRecord) => JournalEvent {
  let last: ResultRecord | undefined
  const held = new Map<number | undefined, ResultRecord>()
  return (record) => {
    if (record.kind === 'result') {
      last = record
      if (isMisdirected(record.result)) held.set(record.attempt, record)
    }
    if (record.kind !== 'outcome') return record
    const result = last?.attempt === record.attempt ? last : held.get(record.attempt)
    held.delete(record.attempt)
    return { ...record, kind: 'turnEnded', result }
  }
}
