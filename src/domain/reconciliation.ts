// `ledger.json`: what the endpoint counted, held against the quota account of a run.
import * as z from 'zod'
import { LEDGER_ROLES, type LedgerEntry } from './ledger.ts'
import { usageSchema, type UsageClass } from './usage.ts'

const count = z.int().nonnegative()
const byClass = z.object({ certain: count, possible: count, notCounted: count })

/** An attempt of the run, as far as a ledger could know of it. */
export interface AccountCall {
  /** Undefined for one that a damaged journal has lost. */
  readonly attempt: number | undefined
  readonly usage: UsageClass
  /** When the endpoint may have had it: sent, and ended as we saw it; milliseconds since the epoch, our clock. */
  readonly from: number
  readonly until: number
  readonly sentId: string | undefined
  readonly returnedId: string | undefined
  /** What it may have sent as `endUserRef`; several where the set was changed meanwhile. */
  readonly refs: readonly string[]
  readonly questionId: string | undefined
  readonly repeat: number | undefined
  /** `answered`, `HTTP 429`, `timeout`, `no result recorded`. */
  readonly came: string
}

/** How an attempt and a row of the ledger were brought together. */
export const matchMethodSchema = z.enum(['conversation', 'user', 'time'])
export type MatchMethod = z.infer<typeof matchMethodSchema>

/**
 * `sure`: both sides name the same conversation or end user. `likely`: their times agree, and no other row of the ledger
 * and no other attempt fits; the row may be other traffic's all the same. `doubtful`: another row or attempt fits as well.
 */
export const sureness = z.enum(['sure', 'likely', 'doubtful'])
export type Sureness = z.infer<typeof sureness>

export const ledgerFileSchema = z.object({
  /** The file's name, without its folder. */
  name: z.string(),
  form: z.enum(['csv', 'json', 'ndjson']),
  /** `sha256:<hex>` of the raw bytes. */
  digest: z.string(),
  rows: count,
  /** The columns that were read, by what they hold. */
  columns: z.partialRecord(z.enum(LEDGER_ROLES), z.string()),
  /** Of them, what was guessed by name and content. */
  guessed: z.array(z.enum(LEDGER_ROLES)),
  /** Rows that the ledger itself does not count, and rows of another status than those asked for. */
  notCounting: count,
  /** Step of the times, milliseconds: 1000 for whole seconds, 3600000 for totals of an hour; null without times. */
  stepMs: z.number().nullable(),
  /** In which zone times without one were taken; null where every time has its own. */
  zone: z.string().nullable(),
})
export type LedgerFile = z.infer<typeof ledgerFileSchema>

/** Totals of a stretch of time, against the attempts that fall into it. */
const bucketSchema = z.object({
  from: z.string(),
  to: z.string(),
  ledger: count,
  /** Certain attempts wholly within it; certain and possible ones that touch it. */
  min: count,
  max: count,
  verdict: z.enum(['within', 'fewer', 'more']),
  /** How far outside. */
  by: count,
})
export type LedgerBucket = z.infer<typeof bucketSchema>

export const reconciliationSchema = z.object({
  formatVersion: z.literal(1),
  run: z.string(),
  files: z.array(ledgerFileSchema),
  /** `calls`: call by call. `totals`: totals of hours or days. `mixed`: some of both. `untimed`: one total alone. */
  mode: z.enum(['calls', 'totals', 'mixed', 'untimed']),
  /** First sending and last end of the run's attempts, by the harness's clock; null where nothing was sent. */
  span: z.object({ from: z.string(), to: z.string() }).nullable(),
  clock: z.object({
    /** What the ledger's clock is ahead of the harness's, milliseconds. */
    offsetMs: z.number(),
    /** Half the width of what fits as well. */
    uncertaintyMs: z.number(),
    from: z.enum(['given', 'conversation', 'user', 'alignment', 'none']),
    /** Pairs that agree with it, of how many. */
    agree: count,
    of: count,
  }),
  toleranceMs: z.number(),
  /** The account before. */
  account: usageSchema,
  /**
   * Calls that the ledger counts: inSpan + before + between + after + untimed = total. In the span: while the run was
   * asking; `between` are the pauses of five minutes and more, as between two sittings. Seen otherwise, each is matched,
   * unexplained, in `totals`, or `elsewhere`, and these add up to the total, too.
   */
  ledger: z.object({
    total: count,
    inSpan: count,
    before: count,
    between: count,
    after: count,
    untimed: count,
  }),
  /** Attempts with a row; the rest of each class has none, or stands in `inTotals`. */
  matched: z.object({
    ...byClass.shape,
    byMethod: z.record(matchMethodSchema, byClass),
    bySureness: z.record(sureness, byClass),
  }),
  unmatched: byClass,
  /** Attempts that were only compared as totals. */
  inTotals: byClass,
  /** Counted calls that no attempt explains: `own` with an id of this run, at any time; `others` in the span. */
  unexplained: z.object({ own: count, others: count }),
  /** Counted calls of rows that are totals, in hours or days that the run touches. */
  totals: count,
  /** Calls at other times, without an id of this run. */
  elsewhere: count,
  /** What was counted of this run, after all: the account made narrower. */
  counted: z.object({ min: count, max: count }),
  verdict: z.object({
    kind: z.enum(['within', 'below', 'above', 'withinButDiffers', 'unknown']),
    /** How far outside the account's interval. */
    by: count,
    words: z.string(),
  }),
  /** Attempts taken as not counted that the ledger counts: what they came to, and how many; the assumption is wrong. */
  countedRefusals: z.array(z.object({ what: z.string(), counted: count, of: count, sureness })),
  buckets: z.array(bucketSchema),
  notes: z.array(z.string()),
})
export type Reconciliation = z.infer<typeof reconciliationSchema>

/** One line of `ledger.csv`: an attempt, with its row where it has one, or a row that no attempt explains. */
export interface ReconciledCall {
  readonly kind: 'matched' | 'unmatched' | 'inTotals' | 'own' | 'others' | 'total' | 'elsewhere'
  readonly call: AccountCall | undefined
  readonly entry: LedgerEntry | undefined
  readonly method: MatchMethod | undefined
  readonly sureness: Sureness | undefined
  /** Calls of the row that stand here. */
  readonly count: number
}

/** What `summary.json` keeps of it. */
export const ledgerResultSchema = reconciliationSchema
  .pick({ verdict: true, counted: true })
  .extend({ files: z.array(z.string()), unexplained: count, countedRefusals: count })
export type LedgerResult = z.infer<typeof ledgerResultSchema>
