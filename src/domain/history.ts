// Figures of many runs over time: what `history` reads of each `summary.json` and prints as JSON.
import * as z from 'zod'
import type { Message } from './format.ts'
import { recordedQuotaSchema, usageRangeSchema } from './quota.ts'
import { summarySchema } from './summary.ts'

/** Foreign files may hold any number. */
const share = z.number().min(0).max(1)
const rate = share.nullable()
const { run } = summarySchema.shape

/** Every version of `summary.json` has these fields. */
export const recordedSummarySchema = z.object({
  run: run.pick({ id: true, target: true, organization: true, datasets: true, selection: true }).extend({
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    quota: recordedQuotaSchema,
  }),
  ...summarySchema.pick({ state: true, verdict: true, exitCode: true, shard: true }).shape,
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
  thresholds: z.array(z.object({ expression: z.string(), value: z.number().nullable() })).default([]),
})

export interface FoundRun extends z.infer<typeof recordedSummarySchema> {
  /** The path is relative to the history's folder, with `/`; `.` is that folder itself. */
  readonly folder: string
}

export interface HistoryRun extends FoundRun {
  /** A set's digest, or the number of its questions that were sent, is not that of the run before. */
  readonly questionsChanged: boolean
  /**
   * It is `coverage.rate` less that of the last complete run before it: 0.02 is two points. Null if one of
   * them has no value, for the first run, and for runs that are not complete.
   */
  readonly groundedChange: number | null
}

/** The runs have one target and the same question sets, or the same part of them. */
export interface HistorySeries {
  readonly name: string
  readonly target: string
  readonly organization: string
  readonly sets: readonly string[]
  readonly runs: readonly HistoryRun[]
  /** It is undefined for fewer than eight complete runs. */
  readonly gate?: GateTrial | undefined
}

/** The gate tried on neighbouring nights between which nobody changed articles, set or baseline. */
export interface GateTrial {
  readonly nights: number
  /** So many of these nights would have failed without a reason. */
  readonly failed: readonly { readonly folder: string; readonly reason: string }[]
  readonly rate: { readonly estimate: number; readonly low: number; readonly high: number } | null
  /** Nights are not tried where something was edited before them. */
  readonly edited: number
  /** Of so many of the nights tried it is not recorded whether articles were edited. */
  readonly unrecorded: number
  /** The median night would have shown a loss of this share 4 times in 5; null where none would. */
  readonly detectableDrop: number | null
  readonly loose: readonly LooseThreshold[]
  /** Questions that lost or gained most often between these nights, at most ten. */
  readonly flips: readonly { readonly id: string; readonly message: string; readonly times: number }[]
}

/** A threshold so far from what was ever measured that it guards nothing. */
export interface LooseThreshold {
  readonly expression: string
  /** The value nearest to the limit, of so many runs, in the unit of the metric. */
  readonly nearest: number
  readonly runs: number
  readonly tight: string
}

export interface LeftOut {
  readonly folder: string
  readonly reason: Message
}

export interface History {
  readonly formatVersion: 2
  readonly harnessVersion: string
  readonly series: readonly HistorySeries[]
  readonly leftOut: readonly LeftOut[]
}
