// The figures of a run: what thresholds and dashboards read from `summary.json`.
import * as z from 'zod'
import { callsOverTimeSchema } from './calls-over-time.ts'
import { baselineResultSchema } from './comparison/rules.ts'
import { gateOutcomeSchema, mustPassResultSchema, thresholdResultSchema } from './gate.ts'
import type { Highlight } from './highlight.ts'
import { ledgerResultSchema, quotaSchema, usageSchema } from './quota.ts'
import { inferredLimitSchema, limitFindingSchema } from './limit.ts'
import { OUTCOMES } from './outcome.ts'
import { type RepeatedQuestion, repeatedQuestionSchema } from './repeats.ts'
import { type AwaitedReview, reviewCountsSchema } from './review.ts'
import { partResultSchema } from './shard.ts'

/** A share with its count; `null` where there is no denominator. */
const rate = z.number().nullable()
const counts = z.record(z.string(), z.int())

/** Milliseconds; `null` where nothing was measured. Percentiles by nearest rank. */
export const latencySchema = z.object({
  p50: rate,
  p90: rate,
  p95: rate,
  p99: rate,
  max: rate,
  mean: rate,
  count: z.int(),
})
export type Latency = z.infer<typeof latencySchema>

/** Grounded ÷ answered turns with their context. Counts are turns; the intervals count questions. */
export const coverageSchema = z.object({
  rate,
  grounded: z.int(),
  answered: z.int(),
  /** 95 % Wilson interval on the questions. */
  low: rate,
  high: rate,
  /** Questions with an answer, however often they were asked. */
  questions: z.int(),
  /** 95 % interval over threads, where threads have several questions; null elsewhere, and for a single thread. */
  cluster: z.object({ low: z.number(), high: z.number(), threads: z.int() }).nullable(),
  /** How many independent questions the answers are worth: fewer than `questions` where those of a thread agree. */
  effective: rate,
  /** Turns that ended in an error or were skipped after one, and turns answered without their context. */
  lostToErrors: z.int(),
  lostToContext: z.int(),
  /** So few questions, or so wide an interval, that the rate says little. */
  few: z.boolean(),
})
export type Coverage = z.infer<typeof coverageSchema>

/**
 * Questions by their grade; `rate` is passed ÷ (passed + failed). `notGraded`: had expectations, and ended in an error or without
 * context. `notAsked`: have expectations, and no outcome yet; absent where every turn was asked, and in summaries that
 * count them among `notGraded`, as the harness did at first.
 */
export const expectationFiguresSchema = z.object({
  rate,
  passed: z.int(),
  failed: z.int(),
  none: z.int(),
  notGraded: z.int(),
  notAsked: z.int().optional(),
})

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

/** Turns that ended in an error ÷ turns asked (those with an outcome other than `skipped`). */
export const errorsSchema = z.object({
  rate,
  errors: z.int(),
  asked: z.int(),
  byOutcome: counts,
  byHttpStatus: counts,
  byCode: counts,
})

export const figuresSchema = z.object({
  turns: turnCountsSchema,
  contextSource: counts,
  status: counts,
  coverage: coverageSchema,
  expectations: expectationFiguresSchema,
  errors: errorsSchema,
  latencyMs: latencySchema,
  failureLatencyMs: latencySchema,
  waitMs: latencySchema,
  /** `shareOfQuota`: `max` ÷ the allowance of `--quota`, whatever its period; null without one. */
  quota: usageSchema.extend({ shareOfQuota: rate.default(null) }),
})
export type Figures = z.infer<typeof figuresSchema>

export const stateSchema = z.enum(['complete', 'incomplete', 'interrupted'])
export type RunState = z.infer<typeof stateSchema>

/** The pace over time, calls a second; `null` for no limit. */
const paceChangeSchema = z.object({
  at: z.string(),
  pace: rate,
  pausedUntil: z.string().optional(),
  cause: z.string(),
})

export const summarySchema = figuresSchema.extend({
  formatVersion: z.literal(1),
  run: z.object({
    id: z.string(),
    harnessVersion: z.string(),
    target: z.string(),
    organization: z.string(),
    origin: z.string(),
    datasets: z.array(z.object({ path: z.string(), digest: z.string(), turns: z.int() })),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    sittings: z.int(),
    groundedSources: z.array(z.string()),
    /** The allowance that usage is measured against; null where none was given. */
    quota: quotaSchema.nullable().default(null),
  }),
  state: stateSchema,
  /** Why the run stopped, in words. */
  reason: z.string(),
  /** `part`: of a part of a run (`--shard`) that is done, and nothing in it fails the run; the run itself is not judged yet. */
  verdict: z.enum(['passed', 'failed', 'incomplete', 'part']),
  exitCode: z.int(),
  /** Of a part of a run; absent for a whole one. */
  shard: partResultSchema.optional(),
  pacing: z.object({
    rate429: rate,
    rateLimited: z.int(),
    /** What the run learned of the limit; null where it never met one. */
    limit: inferredLimitSchema.nullable(),
    /** What the calls of the whole run show of the limit; null where fewer than three were refused. */
    finding: limitFindingSchema.nullable().default(null),
    /** Calls over time, by what became of them; null where none ended. */
    calls: callsOverTimeSchema.nullable().default(null),
    changes: z.array(paceChangeSchema),
    /** How many more changes the journal holds than are listed. */
    changesLeftOut: z.int(),
  }),
  tags: z.record(z.string(), figuresSchema),
  thresholds: z.array(thresholdResultSchema),
  /** Every gate of the run: `passed` of all is the verdict of a run that is done. */
  gates: z.array(gateOutcomeSchema).default([]),
  /** `must_pass` questions whose first answer did not pass. */
  mustPass: z.array(mustPassResultSchema),
  /** Null where there was no baseline to compare with, or the run is not complete. */
  comparison: baselineResultSchema.nullable(),
  /** With repeats: questions whose verdict or grounding is not the same each time; the first thousand. */
  flaky: z.array(repeatedQuestionSchema),
  /** Questions that no article answered, by what they are about; the heaviest two hundred. */
  gaps: z.array(z.object({ name: z.string(), weight: z.number(), questions: z.array(z.string()) })),
  /** Answered from the knowledge base, but not as expected: the article is wrong, or it is the wrong article. */
  wrongAnswers: z.array(z.object({ id: z.string(), repeat: z.int(), failures: z.array(z.string()) })),
  /** What people think of the answers; null where no review is known. */
  reviews: reviewCountsSchema.nullable().default(null),
  /** What the organization's usage ledger says of the account; absent where none was held against it. */
  ledger: ledgerResultSchema.optional(),
  warnings: z.array(z.string()),
})
export type Summary = z.infer<typeof summarySchema>

/** A turn whose answer did not keep what the question expects. */
export interface FailedTurn {
  readonly id: string
  readonly message: string
  /** One for each expectation that was not kept. */
  readonly sentences: readonly string[]
}

export interface SummaryDetails {
  /** Of all questions, where the lists below may hold fewer. */
  readonly counts: QuestionCounts
  /** By id, of the questions that the summary lists without their words: those that must pass, and flaky ones. */
  readonly messages?: ReadonlyMap<string, string>
  /** Answers that were given without their conversation, by their source; the summary's sources have them, too. */
  readonly withoutContext?: ReadonlyMap<string, number>
  /** In the order of the set; may be fewer than failed. */
  readonly failures: readonly FailedTurn[]
  /** One a question, in the order of the set; may be fewer than there are. */
  readonly errors: readonly Highlight[]
  /** Heaviest first. */
  readonly gaps: readonly GapCluster[]
  readonly flaky: readonly RepeatedQuestion[]
  /** Grounded answers that failed: the article is wrong, or it is the wrong one. */
  readonly wrong: readonly FailedTurn[]
  /** Answers that wait for a person, changed ones first; may be fewer than there are. */
  readonly awaited: readonly AwaitedReview[]
}

export interface QuestionCounts {
  readonly questions: number
  /** How often each was asked, at most. */
  readonly repeats: number
  /** With a verdict on one of their answers at least. */
  readonly judged: number
  /** One of their answers failed its expectations at least. */
  readonly failed: number
  /** Of those, the ones that fail nothing: they passed when asked again, or often enough. */
  readonly forgiven: number
  /** Of those that are not forgiven, the ones that failed with an answer from the knowledge base. */
  readonly wrong: number
  /** Ended in an error once at least; were not asked, once at least, after an error in their conversation. */
  readonly errors: number
  readonly skipped: number
  /** Have no outcome, once at least. */
  readonly notAsked: number
  /** Answered, once at least, but not from the knowledge base, and no article is said not to be expected. */
  readonly gaps: number
  /** Of the gaps, the ones that were grouped into topics: the heaviest, as many as can be in a reasonable time. */
  readonly clustered: number
  /** Answered as the gaps were, as their set expects: no article is missing. */
  readonly uncovered: number
  /** Differ from one time to the next. */
  readonly flaky: number
}

export interface GapQuestion {
  readonly id: string
  readonly message: string
  /** How much it counts; 1 for a question that is asked once and always a gap. */
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
