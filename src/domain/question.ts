// A question of a set, what it expects of its answer, and the thread it stands in.
import * as z from 'zod'

export const expectationsSchema = z.object({
  /** The `contextSource` the answer must carry, or (`not`) must not. */
  source: z.object({ not: z.boolean(), value: z.string() }).optional(),
  contains: z.array(z.string()).optional(),
  notContains: z.array(z.string()).optional(),
  /** Source of a JavaScript regular expression, flags `iu`. */
  regex: z.string().optional(),
  /** Reference answer, scored by token F1; passes from `minSimilarity` (0 to 1) on. */
  answer: z.object({ text: z.string(), minSimilarity: z.number() }).optional(),
  /** Milliseconds of service time. */
  maxLatencyMs: z.number().optional(),
})
export type Expectations = z.infer<typeof expectationsSchema>

export const questionSchema = z.object({
  /** Stable name across runs, once in a run. */
  id: z.string(),
  /** Name of the conversation, unique within its file. */
  thread: z.string(),
  /** Place in the thread, from 1 without gaps. */
  turn: z.int().positive(),
  /** As written, but for outer white space. */
  message: z.string(),
  endUserRef: z.string().optional(),
  tags: z.array(z.string()),
  expect: expectationsSchema.optional(),
  mustPass: z.boolean(),
  /** What people wrote beside the question, for the columns of `results.csv` of that name. */
  review: z.string().optional(),
  note: z.string().optional(),
  /** The set's own columns as they stand in the file, by name: what `results.csv` goes on with. */
  cells: z.record(z.string(), z.string()),
  /** Which of the run's files, from 0, and the line in it, from 1. */
  file: z.int().nonnegative(),
  line: z.int().positive(),
})
export type Question = z.infer<typeof questionSchema>

export interface Survey {
  readonly files: readonly {
    readonly path: string
    /** `sha256:` and the hex digest of the raw bytes. */
    readonly digest: string
    readonly encoding: string
    readonly delimiter: string
    readonly rows: number
  }[]
  readonly threads: number
  readonly turns: number
  /** Turns of the longest thread. */
  readonly longestThread: number
  /** Turns by tag. */
  readonly tags: Readonly<Record<string, number>>
  /** Turns that expect something, by column. */
  readonly expectations: Readonly<Record<string, number>>
  readonly mustPass: number
  readonly warnings: readonly string[]
}
