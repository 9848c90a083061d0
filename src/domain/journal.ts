// Records of the journal: what was asked and what came back, never what we think of it.
import * as z from 'zod'
import { attemptResultSchema } from './attempt.ts'
import { OUTCOMES } from './outcome.ts'
import { questionSchema } from './question.ts'
import { stopSchema } from './stop.ts'

/** Milliseconds since the Unix epoch. */
const at = z.number()
/** Number of the question in the run, from 0: the order of the set. */
const question = z.int().nonnegative()
/** Which asking of the set, from 1. */
const repeat = z.int().positive()
/** Which conversation of the thread, from 1; a restart opens the next. */
const conversation = z.int().positive()

/** A sitting begins: the first, or a resume. */
export const sittingRecordSchema = z.object({
  kind: z.literal('sitting'),
  at,
  sitting: z.int().positive(),
  harnessVersion: z.string(),
})
/** A question of the set; all of them stand before the first intent. A later one of that number replaces it. */
export const questionRecordSchema = z.object({
  kind: z.literal('question'),
  index: question,
  question: questionSchema,
})
/**
 * The questions that stand from now on, after their records: the set is whole only with this one. Several of them where
 * a resume took on a changed set; the last one holds. Missing in journals of version 0.1.0.
 */
export const setRecordSchema = z.object({
  kind: z.literal('set'),
  at,
  /** SHA-256 of each file, in the order of the manifest's. */
  digests: z.array(z.string()),
  /** First and last number of each run of questions, in the order of the set. */
  ranges: z.array(z.tuple([question, question])),
  /** How often each is asked. */
  repeats: z.int().positive(),
})
/** Written before the attempt is sent. */
export const intentRecordSchema = z.object({
  kind: z.literal('intent'),
  at,
  attempt: z.int().positive(),
  question,
  repeat,
  conversation,
  /** What is sent, null in a first turn. */
  conversationId: z.string().nullable(),
  /** Of a load test: which arrival of the timetable the thread is, from 0. */
  arrival: z.int().nonnegative().optional(),
  /** Of a load test: when the call was due, to a fraction of a millisecond. */
  dueAt: at.optional(),
})
/**
 * What came of an attempt. `waitMs`: limiter and backoff before it, and room under `--max-in-flight`; `serviceMs`: sent to
 * last byte.
 */
export const resultRecordSchema = z.object({
  kind: z.literal('result'),
  at,
  attempt: z.int().positive(),
  waitMs: z.number(),
  serviceMs: z.number(),
  /** Of a load test: from the due moment to the last byte (or failure), waiting and earlier attempts included. */
  responseMs: z.number().optional(),
  /**
   * Of a load test: from the due moment until the request began to leave, less `waitMs`: what the generator was late, and
   * what a new connection took. Of a call that is asked again: from the limiter's leave.
   */
  lagMs: z.number().optional(),
  result: attemptResultSchema,
})
/** How a turn ended; `attempt` is the one that decided, absent for a skipped turn. */
export const outcomeRecordSchema = z.object({
  kind: z.literal('outcome'),
  at,
  question,
  repeat,
  conversation,
  outcome: z.enum(OUTCOMES),
  attempt: z.int().positive().optional(),
  contextLost: z.boolean(),
})
/** A thread starts again in a fresh conversation: the outcomes of its turns so far no longer stand. */
export const restartRecordSchema = z.object({
  kind: z.literal('restart'),
  at,
  /** The thread's first question. */
  question,
  repeat,
  /** The conversation that begins. */
  conversation,
  cause: z.string(),
})
/** A `must_pass` turn of the thread has failed: the thread is asked again, beside the answers that stand. */
export const confirmRecordSchema = z.object({
  kind: z.literal('confirm'),
  at,
  /** The thread's first question. */
  question,
  /** Whose answers are confirmed. */
  repeat,
  /** The number that the new conversation's records carry as their repeat; given once in a run. */
  as: repeat,
})
/** The limiter changed its pace (calls a second, null for no limit) or paused the organization. */
export const paceRecordSchema = z.object({
  kind: z.literal('pace'),
  at,
  pace: z.number().nullable(),
  /** Closed until, where it is closed. */
  pausedUntil: z.number().optional(),
  cause: z.string(),
  /** How many processes share the limit through Redis, where they do. */
  processes: z.int().optional(),
})
/** Of a load test: a thread was due and could not be sent, as `--max-in-flight` calls were under way. */
export const droppedRecordSchema = z.object({
  kind: z.literal('dropped'),
  at,
  arrival: z.int().nonnegative(),
  dueAt: at,
  /** The thread's first question. */
  question,
  repeat,
})
/** Version 0.1 wrote one a second of a load test; nothing is made of them. */
export const generatorRecordSchema = z.object({ kind: z.literal('generator'), at: z.number() })
/** A sitting ends. Its absence means that the process died. */
export const endRecordSchema = z.object({
  kind: z.literal('end'),
  at,
  stop: stopSchema,
})

export const journalRecordSchema = z.discriminatedUnion('kind', [
  sittingRecordSchema,
  questionRecordSchema,
  setRecordSchema,
  intentRecordSchema,
  resultRecordSchema,
  outcomeRecordSchema,
  restartRecordSchema,
  confirmRecordSchema,
  paceRecordSchema,
  droppedRecordSchema,
  generatorRecordSchema,
  endRecordSchema,
])
export type JournalRecord = z.infer<typeof journalRecordSchema>
export type SetRecord = z.infer<typeof setRecordSchema>
export type IntentRecord = z.infer<typeof intentRecordSchema>
export type ResultRecord = z.infer<typeof resultRecordSchema>
export type PaceRecord = z.infer<typeof paceRecordSchema>
