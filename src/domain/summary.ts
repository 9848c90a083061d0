// `summary.json`: the figures of a run, for thresholds and dashboards. Its JSON Schema is made from here.
import * as z from 'zod'
import { type ArticleRecord, type Cause, CAUSES, type DoubtfulFact, type NamedSection } from './articles.ts'
import { ledgerResultSchema, quotaSchema, usageSchema } from './quota.ts'
import type { Outcome } from './outcome.ts'
import type { Rating } from './review.ts'
import { shardPositionSchema } from './shard.ts'

/** It is null without a denominator, or with too few values. */
export const rate = z.number().nullable()
export const counts = z.record(z.string(), z.int())
/** Makes counts of these meanings. */
export const ints = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  z.object(
    Object.fromEntries(
      Object.entries<string>(meanings).map(([name, meaning]) => [name, z.int().describe(meaning)]),
    ) as Record<Name, z.ZodInt>,
  )

const messageSchema = z.object({
  code: z.string().describe('What a program compares: it stays from version to version'),
  text: z.string().describe('A sentence for people'),
})
const [reason, id, message, passed] = [
  messageSchema.describe('Why'),
  z.string().describe('The id of the question'),
  z.string().describe('Its text'),
  z.boolean().describe('False fails the run'),
]
const time = z.string().describe('ISO 8601, UTC')

const list = <Item extends z.ZodType>(what: string, item: Item) => z.array(item).describe(what)

export const latencySchema = z
  .object({
    p50: rate.describe('Half took at most so many milliseconds; null without values, as all of these'),
    p90: rate.describe('9 of 10 took at most so long'),
    p95: rate.describe('19 of 20 took at most so long'),
    p99: rate.describe('99 of 100 took at most so long; null for fewer than ten values'),
    max: rate.describe('The longest'),
    mean: rate.describe('The average'),
    count: z.int().describe('Values'),
  })
  .describe('Milliseconds, percentiles by nearest rank')
export type Latency = z.infer<typeof latencySchema>

const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  answered: "A 2xx of the contract's shape",
  refused: 'A 3xx or 4xx, but for 429',
  rate_limited: 'Given up on 429',
  server_error: 'A 5xx',
  timeout: 'No answer within --timeout',
  network_error: 'No connection, or one that broke',
  malformed: "A 2xx that is not the contract's shape",
  skipped: 'Not sent, since a turn before it in its conversation ended in an error',
}

export const figuresSchema = z.object({
  turns: ints({
    total: 'Questions of the run, each as often as --repeat says',
    ...OUTCOME_MEANINGS,
    contextLost: 'Without the turns before: the endpoint has opened another conversation',
    notSent: 'Without an outcome: a resume sends them',
  }),
  contextSource: counts.describe('Over answered turns'),
  status: counts.describe('Over answered turns'),
  coverage: z.object({
    rate: rate.describe('grounded ÷ answered'),
    grounded: z.int().describe('Turns'),
    answered: z.int().describe('Turns answered with their context'),
    low: rate.describe('95 % Wilson interval on the questions; null for fewer than five threads'),
    high: rate.describe('Its upper end'),
    cluster: z
      .object({
        low: z.number().describe('Its lower end'),
        high: z.number().describe('Its upper end'),
        threads: z.int().describe('Conversations'),
      })
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
        high: rate.optional().describe('Its upper end'),
      })
      .optional()
      .describe('The same of the demand, in a set with the column weight'),
  }),
  expectations: z.object({
    rate: rate.describe('passed ÷ (passed + failed)'),
    passed: z.int().describe('Questions that met theirs, by --pass-policy'),
    failed: z.int().describe('Questions that did not'),
    none: z.int().describe('Without expectations'),
    notGraded: z.int().describe('With expectations; ended in an error or without context'),
  }),
  errors: z.object({
    rate: rate.describe('errors ÷ sent'),
    errors: z.int().describe('Turns that ended in an error'),
    sent: z.int().describe('Turns with an outcome other than skipped'),
    byOutcome: counts.describe('Of these, by outcome'),
    byHttpStatus: counts.describe('Of these, by the last status; none without one'),
    byCode: counts.describe('Of these, by error.code or the code of the connection; none without one'),
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
  title: z.string().describe('Its title'),
  section: z.string().describe('Its heading; empty before the first one'),
  url: z.string().nullable().describe('Its address, where it has one'),
  text: z.string().describe('The value; empty for a copy'),
})

export const articlesSchema = z.object({
  read: z.int().describe('Articles'),
  unreached: z.int().describe('No question of the set was answered from it, or is near it'),
  sources: z.int().describe('Grounded answers with a likely source'),
  causes: z
    .object({
      'not-used': z.int().describe('An article on the topic is there'),
      'no-article': z.int().describe('Nothing close is there'),
      unclear: z.int().describe('Neither is safe to say'),
    })
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
        sections: z.tuple([sectionValueSchema, sectionValueSchema]).describe('One of each article'),
      }),
    )
    .readonly()
    .describe('Pairs of articles, those first that the questions of the run reached; at most a hundred'),
  misfits: z
    .object({
      count: z.int().describe('Answers'),
      items: z
        .array(
          z.object({
            id,
            message,
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
  formatVersion: z.literal(2).describe('2; another one has other fields'),
  run: z.object({
    id: z.string().describe('Random; a resume keeps it'),
    harnessVersion: z.string().describe('The version that started it'),
    target: z.string().describe('Its name in the config file, or default or sandbox'),
    organization: z.string().describe('Whose rate limit it shared'),
    origin: z.string().describe('The address of the desk'),
    datasets: list(
      'Its question sets, in order',
      z.object({
        path: z.string().describe('As it was given'),
        digest: z.string().describe('SHA-256 of its bytes'),
        turns: z.int().describe('Questions that the run took from it'),
      }),
    ),
    selection: z.string().optional().describe('Options that chose a part: --tag, --grep, --sample'),
    startedAt: time,
    endedAt: time.nullable().describe('ISO 8601, UTC; null before its first record'),
    sessions: z.int().describe('Processes that worked on it: one, and one for each resume and shard'),
    groundedSources: z.array(z.string()).describe('Values of contextSource that count as grounded'),
    quota: quotaSchema.nullable().describe('The allowance that usage is measured against'),
  }),
  state: stateSchema.describe('complete, decided (--until-decided), incomplete or interrupted'),
  verdict: z
    .enum(['passed', 'failed', 'done', 'incomplete', 'part'])
    .describe(
      'passed, failed or incomplete; done: nothing was required of the answers; ' +
        'part: a shard that is done and fails nothing, merge judges the whole',
    ),
  exitCode: z.int().describe('That of the command'),
  reason: z.string().describe('Why, in one line'),
  reasons: list('The same, each with its code', messageSchema),
  shard: shardPositionSchema.optional(),
  pacing: z.object({
    rate429: rate.describe('429s ÷ attempts'),
    rateLimited: z.int().describe('429s'),
    policy: z
      .string()
      .optional()
      .describe('The policy that the endpoint announced and that last set the pace; absent if none did'),
    accepted: z
      .object({
        perSecond: z.number().describe('Calls a second'),
        forMs: z.number().describe('Milliseconds'),
      })
      .nullable()
      .describe('Calls accepted a second, and for how long; null if none was'),
    calls: z
      .object({
        from: time,
        binMs: z.number().positive().describe('Calls count in the bin in which they ended'),
        answered: z.array(z.int()).describe('Answers'),
        refused: z.array(z.int()).describe('429s'),
        failed: z.array(z.int()).describe('Any other end, such as a 5xx or a timeout'),
      })
      .nullable()
      .describe('Calls over time, in bins of equal length; null without one'),
    changes: list(
      'The pace over time; the first ten thousand changes',
      z.object({
        at: time,
        pace: rate.describe('Calls a second; null for no limit'),
      }),
    ),
  }),
  tags: z.record(z.string(), figuresSchema).describe('The figures of turns, by tag'),
  thresholds: list(
    'Those of --threshold, in order',
    z.object({
      expression: z.string().describe('As it was given'),
      value: rate.describe("In the figure's unit; null without a denominator, which fails the threshold"),
      passed,
      reason,
    }),
  ),
  gates: list(
    'Thresholds, rules about turns and rules of the comparison: a complete run passes if all of them do',
    z.object({ name: z.string().describe('A threshold, or the name of a rule'), passed, reason }),
  ),
  mustPass: list(
    'must_pass questions that failed',
    z.object({
      id,
      graded: z.boolean().describe('An answer failed its expectations, else there was none in its context'),
    }),
  ),
  comparison: z
    .object({
      baseline: z.string().describe('Its name in reports'),
      verdict: z.enum(['passed', 'failed', 'done']).describe('passed, failed; done: no rule was to be kept'),
      reason: z.string().describe('Why, in one line'),
    })
    .nullable()
    .describe('With the baseline; null without one'),
  flaky: list(
    'Questions whose repeats differ',
    z.object({
      id,
      message,
      answered: z.int().describe('Repeats answered with their context'),
      passRate: rate.describe('passed ÷ (passed + failed)'),
      groundingRate: rate.describe('grounded ÷ answered'),
    }),
  ),
  confirmations: list(
    'With --confirm: questions that failed and were sent again; all other figures count one answer of each',
    z.object({
      id,
      message,
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
      name: z.string().describe('Its central question, then the words that they share'),
      weight: z
        .number()
        .describe('Its questions, each by its weight and the share of its answers that are gaps'),
      questions: z.array(z.string()).describe('Their ids, the heaviest first'),
      cause: z.enum(CAUSES).optional().describe('With articles'),
      article: z.string().optional().describe('The id of the nearest one, where it was not used'),
    }),
  ),
  articles: articlesSchema.optional().describe('With --articles, and for a sandbox'),
  unsupported: unsupportedSchema.optional().describe('With articles: facts of grounded answers'),
  reviews: ints({
    reviewed: 'Answers with a rating',
    good: 'Of these',
    acceptable: 'Of these',
    poor: 'Of these',
    changed: 'Answers that differ from the one that was rated: they need a review',
    new: 'Answers without a rating',
  })
    .nullable()
    .describe('Answers by their review; null without any'),
  ledger: ledgerResultSchema.optional(),
  warnings: list('What a reader of the figures should know', messageSchema),
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
  readonly repeat: number
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
