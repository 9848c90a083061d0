// `run.json`: the manifest of a run, written before its first call.
import * as z from 'zod'
import { GATE_RULES } from '../domain/comparison.ts'
import { PASS_POLICIES } from '../domain/turn.ts'
import { recordedQuotaSchema } from '../domain/quota.ts'
import { shardSchema } from '../domain/shard.ts'
import { findLimitOptionsSchema, loadOptionsSchema } from '../domain/load.ts'
import { stateSchema } from '../domain/summary.ts'

export const FORMAT_VERSION = 1

/** The resolved options under their names in camelCase; times in milliseconds. */
export const runOptions = z.object({
  rate: z.string().default('auto'),
  share: z.number().default(1),
  concurrency: z.union([z.int().positive(), z.literal('auto')]).default('auto'),
  limiter: z.enum(['local', 'redis']).default('local'),
  /** For a shard, its share of the budget, which may be 0. */
  maxCalls: z.int().nonnegative().nullable().default(null),
  giveUpAfter: z.number().default(30 * 60_000),
  timeout: z.number().default(120_000),
  onAmbiguous: z.enum(['restart', 'fail']).default('restart'),
  /** Null if it was detected. */
  format: z.string().nullable().default(null),
  column: z.array(z.string()).default([]),
  repeat: z.int().positive().default(1),
  rotatingIds: z.boolean().default(false),
  hashEndUserRefs: z.boolean().default(false),
  tag: z.array(z.string()).default([]),
  grep: z.string().nullable().default(null),
  sample: z.int().positive().nullable().default(null),
  seed: z.int().default(1),
  groundedSources: z.array(z.string()).default(['KNOWLEDGE_BASE']),
  threshold: z.array(z.string()).default([]),
  passPolicy: z.enum(PASS_POLICIES).default('all'),
  quota: recordedQuotaSchema,
  /** Relative to the run folder, with `/`. */
  baseline: z.string().nullable().default(null),
  /** Null for the default rules. */
  failOn: z.array(z.enum(GATE_RULES)).nullable().default(null),
  alpha: z.number().default(0.05),
  margin: z.number().default(0.02),
  minOverlap: z.number().default(0.5),
})

export const manifestSchema = z.object({
  formatVersion: z.literal(FORMAT_VERSION),
  harnessVersion: z.string(),
  runId: z.string(),
  target: z.object({
    name: z.string(),
    baseUrl: z.string(),
    organization: z.string(),
    /** The environment variable that held the key. */
    apiKeyEnv: z.string(),
    /** First 8 hex digits of SHA-256 of the key; the key itself is written nowhere. */
    keyFingerprint: z.string(),
    sandbox: z.boolean(),
    /** Articles of the sandbox, other than the shipped ones: relative to the run folder, with `/`. */
    knowledgeBase: z.string().optional(),
  }),
  datasets: z.array(
    z.object({
      /** The file's name. */
      path: z.string(),
      /** Relative to the run folder, with `/`. */
      source: z.string().optional(),
      digest: z.string(),
      /** Empty for a file of one column. */
      delimiter: z.string().optional(),
      turns: z.int(),
    }),
  ),
  /** The sets' own columns, in order, as `results.csv` appends them. */
  columns: z.array(z.string()),
  options: runOptions,
  /** Of a load test; null for a run. */
  load: loadOptionsSchema.nullable().default(null),
  /** Of `load --find-limit`. */
  findLimit: findLimitOptionsSchema.optional(),
  shard: shardSchema.optional(),
  /** Of a merged run: its shards. */
  merged: z.object({ parts: z.array(z.object({ runId: z.string() })) }).optional(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** `running` without a process: it died. */
  state: z.union([stateSchema, z.literal('running')]),
  warnings: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>
