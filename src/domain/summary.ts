// `summary.json`: the figures of a run, for thresholds and dashboards. Its JSON Schema is made from here.
import * as z from 'zod'
import { type ArticleRecord, type Cause, CAUSES, type DoubtfulFact, type NamedSection } from './articles.ts'
import { ledgerResultSchema, quotaSchema, usageSchema } from './quota.ts'
import { OUTCOMES } from './outcome.ts'
import { type Rating, RATINGS } from './review.ts'
import { shardPositionSchema } from './shard.ts'

/** It is null without a denominator, or with too few values. */
export const rate = z.number().nullable()
export const counts = z.record(z.string(), z.int())
export const ints = <Name extends string>(...names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Name, z.ZodInt>)

const messageSchema = z.object({ code: z.string(), text: z.string() })

const list = <Item extends z.ZodType>(what: string, item: Item) => z.array(item).describe(what)

export const latencySchema = z
  .object({ p50: rate, p90: rate, p95: rate, p99: rate, max: rate, mean: rate, count: z.int() })
  .describe('Milliseconds, percentiles by nearest rank; p99 is null for fewer than ten values')
export type Latency = z.infer<typeof latencySchema>

export const figuresSchema = z.object({
  turns: ints('total', ...OUTCOMES, 'contextLost', 'notSent'),
  contextSource: counts.describe('Over answered turns'),
  status: counts.describe('Over answered turns'),
  coverage: z.object({
    rate: rate.describe('grounded ÷ answered'),
    grounded: z.int().describe('Turns'),
    answered: z.int().describe('Turns answered with their context'),
    low: rate.describe('95 % Wilson interval on the questions; null for fewer than five threads'),
    high: rate,
    cluster: z
      .object({ low: z.number(), high: z.number(), threads: z.int() })
      .nullable()
      .describe(
        '95 % interval over threads, where they have several questions: reports show it in place of ' +
          'low and high',
      ),
    weighted: z
      .object({
        rate: rate.describe('grounded ÷ answered'),
        grounded: z.number().describe('Weights, each by the share of its answers that are grounded'),
        answered: z.number().describe('Weights of questions answered with their context'),
        low: rate
          .optional()
          .describe('95 % interval over threads, not by tag; null for fewer than five threads'),
        high: rate.optional(),
      })
      .optional()
      .describe('The same of the demand, in a set with the column weight'),
  }),
  expectations: z.object({
    rate: rate.describe('passed ÷ (passed + failed)'),
    passed: z.int().describe('Questions'),
    failed: z.int(),
    none: z.int().describe('Without expectations'),
    notGraded: z.int().describe('With expectations; ended in an error or without context'),
  }),
  errors: z.object({
    rate: rate.describe('errors ÷ sent'),
    errors: z.int().describe('Turns that ended in an error'),
    sent: z.int().describe('Turns with an outcome other than skipped'),
    byOutcome: counts,
    byHttpStatus: counts,
    byCode: counts,
  }),
  latencyMs: latencySchema.describe('Service time of answered turns'),
  failureLatencyMs: latencySchema.describe('Service time of turns that ended in an error'),
  waitMs: latencySchema.describe('Time in the limiter and in backoff'),
  quota: usageSchema.extend({ shareOfQuota: rate.describe('max ÷ the allowance of --quota') }),
})
export type Figures = z.infer<typeof figuresSchema>

export const stateSchema = z.enum(['complete', 'decided', 'incomplete', 'interrupted'])
export type RunState = z.infer<typeof stateSchema>

const sectionValueSchema = z.object({
  article: z.string().describe('Its id'),
  title: z.string(),
  section: z.string().describe('Its heading; empty before the first one'),
  url: z.string().nullable(),
  text: z.string().describe('The value; empty for a copy'),
})

export const articlesSchema = z.object({
  read: z.int(),
  unreached: z.int().describe('No question of the set was answered from it, or is near it'),
  sources: z.int().describe('Grounded answers with a likely source'),
  causes: z
    .object({ 'not-used': z.int(), 'no-article': z.int(), unclear: z.int() })
    .describe('Gap questions by cause'),
  decided: z.int().describe('Gap questions whose cause a person said'),
  line: z
    .object({
      tried: z.int().describe('Each question with its article, and with that article left out'),
      by: z
        .enum(['grounded', 'shipped'])
        .describe('Grounded questions of the run; below twenty, questions of the shipped sets'),
      decided: rate.describe('decided ÷ tried'),
      wrong: rate.describe('wrong ÷ decided'),
    })
    .describe('How often the line between the causes was wrong on questions whose article is known'),
  contradictions: z
    .array(
      z.object({
        kind: z.enum(['value', 'copy']).describe('Different values for one matter, or nearly the same text'),
        sections: z.tuple([sectionValueSchema, sectionValueSchema]),
      }),
    )
    .readonly()
    .describe('Pairs of articles, those first that the questions of the run reached; at most a hundred'),
  misfits: z
    .object({
      count: z.int(),
      items: z
        .array(
          z.object({
            id: z.string(),
            message: z.string(),
            source: z.string().describe('The likely source'),
            article: z.string().describe('The one that fits the question far better'),
          }),
        )
        .describe('The first two hundred'),
    })
    .describe('Grounded answers whose question fits another article far better than their likely source'),
})

export const unsupportedSchema = z.object({
  rate: rate.describe('answers ÷ checked'),
  answers: z.int().describe('Grounded answers with a fact that the articles do not bear out'),
  checked: z.int().describe('Grounded answers with a fact that can be looked for'),
  elsewhere: z
    .int()
    .describe('Of these, answers whose facts all stand in some article, perhaps for another matter'),
})

export const summarySchema = figuresSchema.extend({
  formatVersion: z.literal(2),
  run: z.object({
    id: z.string(),
    harnessVersion: z.string(),
    target: z.string(),
    organization: z.string(),
    origin: z.string(),
    datasets: z.array(z.object({ path: z.string(), digest: z.string(), turns: z.int() })),
    selection: z.string().optional().describe('Options that chose a part: --tag, --grep, --sample'),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    sessions: z.int(),
    groundedSources: z.array(z.string()),
    quota: quotaSchema.nullable().describe('The allowance that usage is measured against'),
  }),
  state: stateSchema,
  verdict: z
    .enum(['passed', 'failed', 'done', 'incomplete', 'part'])
    .describe(
      'done: nothing was required of the answers; part: a shard that is done and fails nothing, ' +
        'merge judges the whole',
    ),
  exitCode: z.int(),
  reason: z.string().describe('Why, in one line'),
  reasons: list('The same, each with its code', messageSchema),
  shard: shardPositionSchema.optional(),
  pacing: z.object({
    rate429: rate.describe('429s ÷ attempts'),
    rateLimited: z.int(),
    policy: z
      .string()
      .optional()
      .describe('The policy that the endpoint announced and that last set the pace; absent if none did'),
    accepted: z
      .object({ perSecond: z.number(), forMs: z.number() })
      .nullable()
      .describe('Calls accepted a second, and for how long; null if none was'),
    calls: z
      .object({
        from: z.string(),
        binMs: z.number().positive().describe('Calls count in the bin in which they ended'),
        answered: z.array(z.int()).describe('Answers'),
        refused: z.array(z.int()).describe('429s'),
        failed: z.array(z.int()).describe('Any other end, such as a 5xx or a timeout'),
      })
      .nullable(),
    changes: list(
      'The pace over time; the first ten thousand changes',
      z.object({
        at: z.string(),
        pace: rate.describe('Calls a second; null for no limit'),
      }),
    ),
  }),
  tags: z.record(z.string(), figuresSchema).describe('The figures of turns, by tag'),
  thresholds: z.array(
    z.object({
      expression: z.string(),
      /** The unit is the metric's; null without a denominator, which fails the threshold. */
      value: rate,
      passed: z.boolean(),
      reason: messageSchema,
    }),
  ),
  gates: list(
    'Thresholds, rules about turns and rules of the comparison: a complete run passes if all of them do',
    z.object({ name: z.string(), passed: z.boolean(), reason: messageSchema }),
  ),
  mustPass: list(
    'must_pass questions that failed',
    z.object({
      id: z.string(),
      graded: z.boolean().describe('An answer failed its expectations, else there was none in its context'),
    }),
  ),
  comparison: z
    .object({
      baseline: z.string().describe('Its name in reports'),
      verdict: z.enum(['passed', 'failed', 'done']),
      reason: z.string(),
    })
    .nullable(),
  flaky: list(
    'Questions whose repeats differ',
    z.object({
      id: z.string(),
      message: z.string(),
      answered: z.int().describe('Repeats answered with their context'),
      passRate: rate.describe('passed ÷ (passed + failed)'),
      groundingRate: rate.describe('grounded ÷ answered'),
    }),
  ),
  confirmations: list(
    'With --confirm: questions that failed and were sent again; all other figures count one answer of each',
    z.object({
      id: z.string(),
      message: z.string(),
      answers: z.int().describe('Answers, the first one included'),
      failed: z.int().describe('Of these, those that failed'),
      ungrounded: z.int().describe('Of these, those that are not grounded'),
      confirmed: z
        .boolean()
        .describe('More than half failed, or were not grounded, as the first one; otherwise it is flaky'),
    }),
  ).optional(),
  gaps: list(
    'Questions that no article answered, by topic; the largest two hundred',
    z.object({
      name: z.string(),
      weight: z
        .number()
        .describe('Its questions, each by its weight and the share of its answers that are gaps'),
      questions: z.array(z.string()),
      cause: z.enum(CAUSES).optional().describe('With articles'),
      article: z.string().optional().describe('The id of the nearest one, where it was not used'),
    }),
  ),
  articles: articlesSchema.optional().describe('With --articles, and for a sandbox'),
  unsupported: unsupportedSchema.optional().describe('With articles: facts of grounded answers'),
  reviews: ints('reviewed', ...RATINGS, 'changed', 'new')
    .nullable()
    .describe('Answers by their review'),
  ledger: ledgerResultSchema.optional(),
  warnings: z.array(messageSchema),
})
export type Summary = z.infer<typeof summarySchema>
export type ThresholdResult = Summary['thresholds'][number]
export type GateOutcome = Summary['gates'][number]
export type RepeatedQuestion = Summary['flaky'][number]
export type Confirmation = NonNullable<Summary['confirmations']>[number]

export interface ListedQuestion {
  readonly id: string
  readonly message: string
}

export interface SummaryDetails {
  readonly threads: number
  /** All gap questions count; only the heaviest are grouped. */
  readonly gaps: { readonly count: number; readonly items: readonly GapCluster[] }
  /** The first two hundred answers are listed that differ from the reviewed one. */
  readonly awaited: readonly (ListedQuestion & { readonly before: Rating; readonly note: string })[]
  /** The first two hundred answers are listed with a fact that their articles do not bear out. */
  readonly doubtful: {
    readonly count: number
    readonly items: readonly (ListedQuestion & { readonly facts: readonly DoubtfulFact[] })[]
  }
  readonly articles: readonly ArticleRecord[] | null
}

export interface GapQuestion extends ListedQuestion {
  /** The first answer that was not grounded, cut; the first gaps of a set alone have it. */
  readonly answer?: string | undefined
  readonly near?: NamedSection | undefined
}

export interface GapCluster {
  /**
   * It is the central question, cut at 60 characters, then after a `·` the terms that the questions share.
   */
  readonly name: string
  readonly weight: number
  /** The heaviest comes first, then by id; never empty. */
  readonly questions: readonly GapQuestion[]
  readonly cause?: Cause
  readonly article?: NamedSection
}
