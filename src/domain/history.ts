// Figures of many runs over time: what `history` reads of a `summary.json`, and what `history --json` prints.
import * as z from 'zod'
import type { Message } from './messages.ts'
import { quotaSchema, type Quota, usageRangeSchema, type UsageRange } from './quota.ts'
import { type RunState, type Summary, summarySchema } from './summary.ts'

/** A share of all, 0 to 1. Whoever wrote the file: a chart has no place for others. */
const share = z.number().min(0).max(1)
const rate = share.nullable()
const { run, state, verdict } = summarySchema.shape

/** The fields that every version of `summary.json` has, and no more. */
export const recordedSummarySchema = z.object({
  run: run.pick({ id: true, target: true, organization: true, datasets: true }).extend({
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    quota: quotaSchema.nullable().default(null),
  }),
  state,
  verdict,
  exitCode: z.int(),
  /** Of a shard. */
  shard: z.object({ index: z.int(), of: z.int() }).optional(),
  turns: z.object({ total: z.int(), answered: z.int() }),
  coverage: z.object({
    rate,
    low: rate,
    high: rate,
    cluster: z.object({ low: share, high: share }).nullable().default(null),
  }),
  expectations: z.object({ rate }),
  errors: z.object({ rate }),
  latencyMs: z.object({ p95: z.number().nullable() }),
  quota: usageRangeSchema,
})
export type RecordedSummary = z.infer<typeof recordedSummarySchema>

/** Candidate − the complete run before; null where one of them has no value. */
export interface HistoryChange {
  /** Shares: 0.02 is two points. */
  readonly grounded: number | null
  readonly passed: number | null
  readonly errors: number | null
  /** Milliseconds. */
  readonly p95: number | null
  /** Of the calls at most. */
  readonly calls: number
}

/** Rates are 0 to 1, and null where nothing counts toward them. */
export interface HistoryRun {
  readonly id: string
  /** From the folder of the history, with `/`; `.` for that folder itself. */
  readonly folder: string
  /** Whether it holds `report.html`. */
  readonly hasPage: boolean
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly endedAt: string | null
  readonly state: RunState
  readonly verdict: Summary['verdict']
  readonly exitCode: number
  /** Turns of the sets with their repeats, and those with an answer. */
  readonly turns: number
  readonly answered: number
  /** The 95 % interval is over threads where the summary has one. */
  readonly coverage: {
    readonly rate: number | null
    readonly low: number | null
    readonly high: number | null
  }
  readonly passed: { readonly rate: number | null }
  readonly errors: { readonly rate: number | null }
  readonly latencyMs: { readonly p95: number | null }
  readonly usage: UsageRange
  readonly quota: Quota | null
  /** A question set has another digest, or other questions of it were sent, than in the run before. */
  readonly questionsChanged: boolean
  /** Null for runs that are not complete, and for the first one. */
  readonly change: HistoryChange | null
}

/** Runs of one target and the same question sets. */
export interface HistorySeries {
  readonly name: string
  readonly target: string
  readonly organization: string
  /** Names of the files. */
  readonly sets: readonly string[]
  /** By start; at least one. */
  readonly runs: readonly HistoryRun[]
}

/** Calls of an organization's runs that started in a month of UTC. */
export interface MonthOfUse extends UsageRange {
  readonly organization: string
  /** `2026-11`. */
  readonly month: string
  readonly runs: number
  /** The latest allowance that a run recorded; null for none. */
  readonly quota: Quota | null
  /** `max` ÷ what the month has of it. */
  readonly share: number | null
}

/** A run folder without a place in the history. */
export interface LeftOut {
  readonly folder: string
  readonly reason: Message
}

export interface History {
  readonly formatVersion: 2
  readonly harnessVersion: string
  /** Those with most runs first. */
  readonly series: readonly HistorySeries[]
  /** By organization, then by month. */
  readonly months: readonly MonthOfUse[]
  /** In the order of their folders. */
  readonly leftOut: readonly LeftOut[]
}
