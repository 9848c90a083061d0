// `run.json`: what a run is, written before its first call.
import * as z from 'zod'
import { baselineOptionsSchema } from './comparison/rules.ts'
import { gateOptionsSchema, NO_GATES } from './gate.ts'
import { quotaSchema } from './quota.ts'
import { mergedSchema, shardSchema } from './shard.ts'
import { findLimitOptionsSchema } from './load/find-limit.ts'
import { loadOptionsSchema } from './load/load-options.ts'
import { stateSchema } from './summary.ts'

export const FORMAT_VERSION = 1

/** Options that decide what is asked and how an answer is understood; a resume must agree on them. */
export const runOptionsSchema = z.object({
  rate: z.string(),
  /** Part of the limit to use at most. */
  share: z.number(),
  concurrency: z.union([z.int().positive(), z.literal('auto')]),
  /** Who shares the limit: the processes of one machine, or all that use the same Redis. */
  limiter: z.enum(['local', 'redis']).default('local'),
  /** Of a part of a run: its own part of the calls, which may be none. */
  maxCalls: z.int().nonnegative().nullable(),
  giveUpAfterMs: z.number(),
  timeoutMs: z.number(),
  onAmbiguous: z.enum(['restart', 'fail']).default('restart'),
  /** What the files were said to be; null where they were recognised. */
  format: z.string().nullable().default(null),
  /** How often each question is asked. */
  repeat: z.int().positive().default(1),
  gates: gateOptionsSchema.default(NO_GATES),
  /** What usage is measured against, for the reports alone; null where it is not known. */
  quota: quotaSchema.nullable().default(null),
  /** What the run is compared with at its end; null for nothing. */
  comparison: baselineOptionsSchema.nullable().default(null),
  rotatingIds: z.boolean(),
  hashEndUserRefs: z.boolean(),
  /** Fingerprint of the key that references were hashed with; absent where none were. */
  hashKey: z.string().optional(),
  groundedSources: z.array(z.string()),
  selection: z.object({
    tags: z.array(z.string()),
    grep: z.string().nullable(),
    sample: z.int().positive().nullable(),
    seed: z.int(),
  }),
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
    /**
     * Of a sandbox that answered from other articles than those of the package: the way to them from the run folder, with
     * `/`. A resume answers from the same.
     */
    knowledgeBase: z.string().optional(),
  }),
  datasets: z.array(
    z.object({
      /** The file's name. */
      path: z.string(),
      /** The way to it from the run folder, with `/`; a resume looks whether it has changed. */
      source: z.string().optional(),
      digest: z.string(),
      /** Empty for a file of one column. */
      delimiter: z.string().optional(),
      turns: z.int(),
    }),
  ),
  /** The sets' own columns, in order: what `results.csv` goes on with. */
  columns: z.array(z.string()),
  options: runOptionsSchema,
  /** Of a load test; null for a run. */
  load: loadOptionsSchema.nullable().default(null),
  /** Of a search for the organization's limit (`load --find-limit`); absent for all else. */
  findLimit: findLimitOptionsSchema.optional(),
  /** Of a part of a run (`--shard`). */
  shard: shardSchema.optional(),
  /** Of a run that `merge` has joined. */
  merged: mergedSchema.optional(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** `running` in a finished process's folder means that the process died. */
  state: z.union([stateSchema, z.literal('running')]),
  warnings: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>
