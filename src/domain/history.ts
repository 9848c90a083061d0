// Figures of many runs over time: what `history --json` prints, and what its renderers read.
import * as z from 'zod'
import type { SettingDifference } from './comparison/comparison.ts'
import { type Quota, quotaSchema, type UsageRange, usageRangeSchema, usageSchema } from './quota.ts'
import { type RunState, type Summary, summarySchema } from './summary.ts'

export const HISTORY_FORMAT_VERSION = 1

/** A share with its 95 % interval; all null where nothing counts toward it. */
export interface ShareOfRun {
  readonly rate: number | null
  readonly low: number | null
  readonly high: number | null
  /** How many independent questions it is worth; not a whole number. */
  readonly effective: number | null
}

/** What stands between a run and the one before it of its series, so that their figures are not plainly of the same. */
export interface ChangesBefore {
  /** The question set was edited: its digest is another. */
  readonly questions: boolean
  /** Settings that differ and may move a figure. */
  readonly settings: readonly SettingDifference[]
}

export interface HistoryRun {
  readonly id: string
  /** From the folder of the history, with `/`; `.` for that folder itself. */
  readonly folder: string
  /** Whom this run asked: in one series keys may differ, and with them what an organization that nobody named is called. */
  readonly organization: string
  /** Whether `report.html` stands in it. */
  readonly hasPage: boolean
  readonly startedAt: string
  readonly endedAt: string | null
  readonly state: RunState
  readonly verdict: Summary['verdict']
  readonly exitCode: number
  readonly harnessVersion: string
  /** Turns of the set with their repeats, and those that were asked. */
  readonly turns: number
  readonly asked: number
  readonly answered: number
  readonly coverage: ShareOfRun
  /** Passed ÷ (passed + failed). */
  readonly passed: ShareOfRun
  readonly errors: { readonly rate: number | null; readonly count: number }
  /** Service time of answers; null without any. */
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null }
  /** 429s ÷ attempts. */
  readonly rate429: number | null
  readonly usage: UsageRange & { readonly attempts: number }
  readonly quota: Quota | null
  /** What the month of its start had used with this run, UTC; runs and load tests of the organization that the history found. */
  readonly month: MonthSoFar
  /** Questions that differ among repeats; null where each was asked once. */
  readonly flaky: number | null
  readonly gaps: { readonly topics: number; readonly questions: number }
  readonly changes: ChangesBefore
}

export interface MonthSoFar extends UsageRange {
  /** `max` ÷ what the month has of the allowance that the run recorded; null without one. */
  readonly share: number | null
}

/** The figures that are held against earlier runs. */
export type JudgedFigure = 'coverage' | 'passed'

/** A share in one run held against an earlier one of the series, by their summaries alone. */
export interface ShareChange {
  /** Place of the earlier run in `runs`. */
  readonly since: number
  /** The later rate minus the earlier one. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Whether the interval, widened for the number of such looks, leaves out 0. */
  readonly isMoreThanNoise: boolean
  /** The question set was edited in between; settings were. */
  readonly isOfOtherQuestions: boolean
  readonly isOfOtherSettings: boolean
}

/** What can be said of a share at its latest complete run. */
export interface ShareStory {
  readonly figure: JudgedFigure
  /** Against the complete run before; null for none. */
  readonly sinceBefore: ShareChange | null
  /** Against the first of the last so many complete runs; null where that is the one before. */
  readonly sinceFirst: ShareChange | null
  /**
   * The latest is lower (higher) than every run after the one at this place; null for that place: than all of `runs` other ones.
   * Undefined where fewer than five runs lie between, or it is neither.
   */
  readonly extreme?: {
    readonly kind: 'lowest' | 'highest'
    readonly since: number | null
    readonly runs: number
  }
  /** The level has moved, and since when: places of the last run before and of the first run since. */
  readonly step?: {
    readonly last: number
    readonly first: number
    readonly before: number
    readonly now: number
    readonly runsBefore: number
    readonly runsSince: number
    /** From one run to the next by half of the way at least, and never so far elsewhere; else little by little. */
    readonly isAbrupt: boolean
    readonly p: number
  }
}

/** Runs whose figures are of the same thing: same target and organization, same files, same part of them, same repeats. */
export interface HistorySeries {
  /** For people; unique in the history. */
  readonly name: string
  readonly target: string
  /** Of the latest run. */
  readonly organization: string
  readonly sandbox: boolean
  readonly sets: readonly string[]
  /** The part of the set in words; empty for all of it. */
  readonly part: string
  readonly repeat: number
  /** By start; at least one. */
  readonly runs: readonly HistoryRun[]
  /** Of the latest complete run; empty where there is none. */
  readonly story: readonly ShareStory[]
}

/** Usage of an organization in a calendar month of UTC, by the starts of what used it. */
export interface MonthOfUse extends UsageRange {
  readonly organization: string
  /** `2026-11`. */
  readonly month: string
  readonly runs: number
  /** Load tests, and searches for the limit. */
  readonly loads: number
  /** The latest allowance that was recorded in the month; null for none. */
  readonly quota: Quota | null
  /** `max` ÷ what the month has of it. */
  readonly share: number | null
}

/** A folder that is in no series, and why. */
export interface LeftOut {
  readonly folder: string
  readonly kind: 'unreadable' | 'load' | 'copy' | 'part'
  readonly reason: string
}

export interface History {
  readonly formatVersion: typeof HISTORY_FORMAT_VERSION
  readonly harnessVersion: string
  /** Those with most runs first. */
  readonly series: readonly HistorySeries[]
  /** By organization, then by month. */
  readonly months: readonly MonthOfUse[]
  /** In the order of their folders. */
  readonly leftOut: readonly LeftOut[]
  /** Runs that were found and not asked for: begun before `--since`, or of other targets. */
  readonly notAskedFor: { readonly earlier: number; readonly otherTargets: number }
}

const { run, turns, state, verdict, coverage, errors, latencyMs, expectations } = summarySchema.shape

/** Whoever wrote the file: a chart has no place for a share that is none. */
const share = z.number().min(0).max(1)
const maybeShare = share.nullable()

export const recordedSummarySchema = z.object({
  formatVersion: z.literal(1),
  run: run.pick({ groundedSources: true }).extend({ quota: quotaSchema.nullable().default(null) }),
  state,
  verdict,
  exitCode: z.int(),
  turns: turns.pick({ total: true, answered: true }),
  coverage: coverage.pick({ questions: true, effective: true }).extend({
    rate: maybeShare,
    low: maybeShare,
    high: maybeShare,
    cluster: z.object({ low: share, high: share }).nullable(),
  }),
  expectations: expectations.pick({ passed: true, failed: true }).extend({ rate: maybeShare }),
  errors: errors.pick({ errors: true, asked: true }).extend({ rate: maybeShare }),
  latencyMs: latencyMs.pick({ p50: true, p95: true }),
  quota: usageSchema.pick({ attempts: true, min: true, max: true }),
  pacing: z.object({ rate429: maybeShare }),
  // Of lists the counts alone are kept: of many runs they would fill the memory.
  flaky: z.array(z.unknown()).transform(({ length }) => length),
  gaps: z.array(z.object({ questions: z.array(z.unknown()) })).transform((all) => ({
    topics: all.length,
    questions: all.reduce((sum, { questions }) => sum + questions.length, 0),
  })),
})
export type RecordedSummary = z.infer<typeof recordedSummarySchema>

/** What a load test's report, or that of a search for the limit, says of the quota. */
export const recordedUsageSchema = z.object({
  formatVersion: z.literal(1),
  run: z.object({ quota: quotaSchema.nullable().default(null) }),
  quota: usageRangeSchema,
})
export type RecordedUsage = z.infer<typeof recordedUsageSchema>

export const HISTORY_COLUMNS = [
  'series',
  'started_at',
  'ended_at',
  'run',
  'folder',
  'target',
  'organization',
  'question_sets',
  'part',
  'repeat',
  'state',
  'verdict',
  'exit_code',
  'harness_version',
  'turns',
  'asked',
  'answered',
  'coverage',
  'coverage_low',
  'coverage_high',
  'passed',
  'passed_low',
  'passed_high',
  'errors',
  'error_count',
  'latency_p50_ms',
  'latency_p95_ms',
  'rate_429',
  'attempts',
  'usage_min',
  'usage_max',
  'month_usage_min',
  'month_usage_max',
  'quota_calls',
  'quota_period',
  'month_quota_share',
  'flaky',
  'gap_topics',
  'gap_questions',
  'questions_changed',
  'settings_changed',
] as const

/** Whether a run is of other questions or settings than the run before. */
export const isBreak = ({ changes }: Pick<HistoryRun, 'changes'>): boolean =>
  changes.questions || changes.settings.length > 0
