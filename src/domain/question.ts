// A question of a set and its expectations; the account that `validate` gives of sets.
import * as z from 'zod'
import type { ArticleMatch } from './articles.ts'

const expectationsSchema = z.object({
  /** The answer must have this `contextSource`, or (`not`) must not have it. */
  source: z.object({ not: z.boolean(), value: z.string() }).optional(),
  contains: z.array(z.string()).optional(),
  notContains: z.array(z.string()).optional(),
  /** It is the source of a JavaScript regular expression, flags `iu`. */
  regex: z.string().optional(),
  /** Token F1 scores the reference answer; it passes at `minSimilarity` (0 to 1) or above. */
  answer: z.object({ text: z.string(), minSimilarity: z.number() }).optional(),
  maxLatencyMs: z.number().optional(),
})
export type Expectations = z.infer<typeof expectationsSchema>

export const EXPECTATION_COLUMNS = {
  source: 'expect_source',
  contains: 'expect_contains',
  notContains: 'expect_not_contains',
  regex: 'expect_regex',
  answer: 'expect_answer',
  maxLatencyMs: 'max_latency_ms',
} as const satisfies Record<keyof Expectations, string>

/** zod's own record drops `__proto__`, which a column may be called. */
const cellsSchema = z.custom<Readonly<Record<string, string>>>(
  (cells) => cells instanceof Object && Object.values(cells).every((cell) => typeof cell === 'string'),
)

export const questionSchema = z.object({
  id: z.string(),
  /** It is unique within its file. */
  thread: z.string(),
  /** Turns count from 1 without gaps. */
  turn: z.int().positive(),
  message: z.string(),
  endUserRef: z.string().optional(),
  tags: z.array(z.string()),
  expect: expectationsSchema.optional(),
  mustPass: z.boolean(),
  /** It stands for this demand, above 0; absent is 1. Only the weighted figures count it. */
  weight: z.number().positive().optional(),
  /** The set's columns by name are as written; `results.csv` appends them. */
  cells: cellsSchema,
  file: z.int().nonnegative(),
  line: z.int().positive(),
})
export type Question = z.infer<typeof questionSchema>

/** An id is derived where the set gives none: people cannot find it there. */
export const DERIVED_ID = /^q-[0-9a-f]{16}$/

export const areWeighted = (questions: readonly (Question | undefined)[]): boolean =>
  questions.some((question) => question?.weight !== undefined)

export interface Survey {
  readonly files: readonly {
    readonly path: string
    readonly digest: string
    readonly encoding: string
    readonly delimiter: string
    readonly sheet?: string | undefined
    readonly rows: number
    /** Each header has the column that it was read as, in order; null for one that keeps its name. */
    readonly columns: readonly { readonly header: string; readonly column: string | null }[]
  }[]
  readonly threads: number
  readonly turns: number
  readonly longestThread: number
  readonly tags: Readonly<Record<string, number>>
  readonly singleTags: readonly ({ readonly tag: string } & Place)[]
  readonly expectations: Readonly<Record<string, number>>
  readonly mustPass: number
  /** Conversations with equal messages when folded are a group, each by its first question. */
  readonly equalQuestions: readonly (readonly Pick<Question, 'id' | 'file' | 'line' | 'message'>[])[]
  readonly articles?: ArticleMatch
  /** It holds the file's index, the line, and kinds such as `e-mail address`. */
  readonly personalData: readonly ({ readonly kinds: readonly string[] } & Place)[]
  readonly warnings: readonly string[]
}

type Place = Pick<Question, 'file' | 'line'>
