// The figures of a run: what thresholds and dashboards read from `summary.json`. The JSON Schema comes from here.
import * as z from 'zod'
import { ledgerResultSchema, quotaSchema, usageSchema } from './quota.ts'
import { limitFindingSchema } from './limit.ts'
import { messageSchema } from './messages.ts'
import { OUTCOMES } from './outcome.ts'
import type { AwaitedReview } from './review.ts'
import { partResultSchema } from './shard.ts'

/** `null` where there is no denominator, or too little to tell. */
const rate = z.number().nullable()
const counts = z.record(z.string(), z.int())

export const latencySchema = z
  .object({ p50: rate, p90: rate, p95: rate, p99: rate, max: rate, mean: rate, count: z.int() })
  .describe('Milliseconds, percentiles by nearest rank; p99 is null for fewer than ten values')
export type Latency = z.infer<typeof latencySchema>

const interval = z.object({ low: z.number(), high: z.number() })

export const coverageSchema = z
  .object({
    rate: rate.describe('grounded ÷ answered'),
    grounded: z.int().describe('Turns'),
    answered: z.int().describe('Turns answered with their context'),
    low: rate.describe('95 % Wilson interval on the questions; null for fewer than five threads'),
    high: rate,
    questions: z.int().describe('Questions with an answer, however often they were sent'),
    cluster: interval
      .extend({ threads: z.int() })
      .nullable()
      .describe('95 % interval over threads, where threads have several questions'),
    lostToErrors: z.int().describe('Turns that ended in an error, or were skipped after one'),
    lostToContext: z.int().describe('Turns answered without their context'),
  })
  .describe('Grounded answers')
export type Coverage = z.infer<typeof coverageSchema>

export const expectationFiguresSchema = z
  .object({
    rate: rate.describe('passed ÷ (passed + failed)'),
    passed: z.int(),
    failed: z.int(),
    none: z.int().describe('Without expectations'),
    notGraded: z.int().describe('With expectations; ended in an error or without context'),
    notAsked: z
      .int()
      .optional()
      .describe('With expectations and no outcome yet; absent where every turn was sent'),
  })
  .describe('Questions by what became of their expectations')

export const turnCountsSchema = z.object({
  total: z.int(),
  ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, z.int()])) as Record<
    (typeof OUTCOMES)[number],
    z.ZodInt
  >),
  contextLost: z.int(),
  notAsked: z.int(),
})
export type TurnCounts = z.infer<typeof turnCountsSchema>

export const errorsSchema = z.object({
  rate: rate.describe('errors ÷ asked'),
  errors: z.int().describe('Turns that ended in an error'),
  asked: z.int().describe('Turns with an outcome other than skipped'),
  byOutcome: counts,
  byHttpStatus: counts,
  byCode: counts,
})

export const figuresSchema = z.object({
  turns: turnCountsSchema,
  contextSource: counts.describe('Over answered turns'),
  status: counts.describe('Over answered turns'),
  coverage: coverageSchema,
  expectations: expectationFiguresSchema,
  errors: errorsSchema,
  latencyMs: latencySchema.describe('Service time of answered turns'),
  failureLatencyMs: latencySchema.describe('Service time of turns that ended in an error'),
  waitMs: latencySchema.describe('Time in the limiter and in backoff'),
  quota: usageSchema.extend({ shareOfQuota: rate.default(null).describe('max ÷ the allowance of --quota') }),
})
export type Figures = z.infer<typeof figuresSchema>

export const stateSchema = z.enum(['complete', 'incomplete', 'interrupted'])
export type RunState = z.infer<typeof stateSchema>

/** Counts of consecutive bins of `binMs` milliseconds, the first one beginning at `from`; all three lists are as long. */
const callsOverTimeSchema = z.object({
  from: z.string(),
  binMs: z.number().positive(),
  /** The endpoint took the call: any status but 429, an error among them. */
  taken: z.array(z.int()),
  /** 429. */
  refused: z.array(z.int()),
  /** No status came: never connected, timed out, cut off. */
  failed: z.array(z.int()),
})

export const thresholdResultSchema = z.object({
  /** As it was written, such as `coverage>=80%`. */
  expression: z.string(),
  metric: z.string(),
  tag: z.string().optional(),
  /** In the metric's unit; null where nothing counts toward it: such a threshold fails. */
  value: z.number().nullable(),
  passed: z.boolean(),
  reason: messageSchema,
})
export type ThresholdResult = z.infer<typeof thresholdResultSchema>

/** A `must_pass` question that has not passed. */
export const mustPassResultSchema = z.object({
  id: z.string(),
  /** What was wrong with the first answer that failed. */
  reason: z.string(),
  /** Whether an answer failed its expectations; else the question was not answered, or without its context. */
  graded: z.boolean(),
})
export type MustPassResult = z.infer<typeof mustPassResultSchema>

/** A gate of the run: a threshold, a rule about turns, or a rule of the comparison with the baseline. */
export const gateOutcomeSchema = z.object({ name: z.string(), passed: z.boolean(), reason: messageSchema })
export type GateOutcome = z.infer<typeof gateOutcomeSchema>

/** What the comparison with the baseline came to, as `summary.json` holds it. */
export const baselineResultSchema = z.object({
  /** How reports call the baseline. */
  baseline: z.string(),
  verdict: z.enum(['passed', 'failed']),
  reason: z.string(),
})
export type BaselineResult = z.infer<typeof baselineResultSchema>

export const repeatedQuestionSchema = z.object({
  id: z.string(),
  /** Repeats with an outcome other than `skipped`. */
  asked: z.int(),
  /** Repeats answered with their context. */
  answered: z.int(),
  /** Passed ÷ (passed + failed); null where nothing was graded. */
  passRate: rate,
  /** Grounded ÷ answered; null without answers. */
  groundingRate: rate,
  /** Some repeats passed, others failed. */
  passFlaky: z.boolean(),
  /** Some answers were grounded, others not. */
  groundFlaky: z.boolean(),
  /** Not all answers are the same once folded. */
  answersDiffer: z.boolean(),
  /** Mean token F1 of pairs of answers, 0 to 1; null for fewer than two answers. */
  agreement: rate,
})
export type RepeatedQuestion = z.infer<typeof repeatedQuestionSchema>

export const summarySchema = figuresSchema.extend({
  formatVersion: z.literal(2),
  run: z.object({
    id: z.string(),
    harnessVersion: z.string(),
    target: z.string(),
    organization: z.string(),
    origin: z.string(),
    datasets: z.array(z.object({ path: z.string(), digest: z.string(), turns: z.int() })),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    sessions: z.int(),
    groundedSources: z.array(z.string()),
    quota: quotaSchema.nullable().default(null).describe('The allowance that usage is measured against'),
  }),
  state: stateSchema,
  verdict: z
    .enum(['passed', 'failed', 'incomplete', 'part'])
    .describe('part: a shard that is done and fails nothing; merge judges the whole'),
  exitCode: z.int(),
  reason: z.string().describe('Why, in one line'),
  reasons: z.array(messageSchema).describe('The same, each with its code and values'),
  shard: partResultSchema.optional().describe('Of a shard'),
  pacing: z.object({
    rate429: rate.describe('429s ÷ attempts'),
    rateLimited: z.int(),
    limit: limitFindingSchema
      .nullable()
      .describe('What the calls of the whole run show of the limit; null where no call was refused'),
    calls: callsOverTimeSchema.nullable().default(null),
    changes: z
      .array(
        z.object({
          at: z.string(),
          pace: rate.describe('Calls a second; null for no limit'),
          pausedUntil: z.string().optional(),
          cause: z.string(),
        }),
      )
      .describe('The pace over time'),
    changesLeftOut: z.int(),
  }),
  tags: z.record(z.string(), figuresSchema),
  thresholds: z.array(thresholdResultSchema),
  gates: z.array(gateOutcomeSchema).describe('All of them passed: so did a run that is done'),
  mustPass: z.array(mustPassResultSchema).describe('must_pass questions that failed'),
  comparison: baselineResultSchema.nullable(),
  flaky: z.array(repeatedQuestionSchema).describe('With --repeat; the first thousand'),
  gaps: z
    .array(z.object({ name: z.string(), weight: z.number(), questions: z.array(z.string()) }))
    .describe('Questions that no article answered, by topic; the largest two hundred'),
  reviews: z
    .object({
      reviewed: z.int(),
      good: z.int(),
      acceptable: z.int(),
      poor: z.int(),
      changed: z.int(),
      new: z.int(),
    })
    .nullable()
    .describe('Answers by what people think of them; null where no review is known'),
  ledger: ledgerResultSchema.optional(),
  warnings: z.array(messageSchema),
})
export type Summary = z.infer<typeof summarySchema>

/** Lists that reports show beside the figures; each may hold fewer than its count. */
export interface SummaryDetails {
  readonly threads: number
  readonly failures: Listed<FailedQuestion>
  readonly errors: Listed<FailedQuestion>
  readonly gaps: Listed<GapCluster>
  readonly flaky: Listed<FlakyQuestion>
  /** Answers that wait for a person, changed ones first. */
  readonly awaited: readonly AwaitedReview[]
}

export interface Listed<T> {
  readonly count: number
  /** In the order of the set. */
  readonly items: readonly T[]
}

export interface FailedQuestion {
  readonly id: string
  readonly message: string
  readonly why: readonly string[]
}

export interface FlakyQuestion {
  readonly id: string
  readonly message: string
  readonly passRate: number | null
  readonly groundingRate: number | null
}

export interface GapQuestion {
  readonly id: string
  readonly message: string
  /** How much it counts; 1 for a question that is sent once and is a gap. */
  readonly weight: number
  readonly tags: readonly string[]
}

/** Questions that one article may answer. */
export interface GapCluster {
  /** Its most central question, cut at 60 characters, and behind a `·` the terms that its questions share. */
  readonly name: string
  /** Sum of the questions' weights. */
  readonly weight: number
  /** Never empty; heaviest first, then by id. */
  readonly questions: readonly GapQuestion[]
}
