// `run.json`: what a run is, written before its first call.
import * as z from 'zod'
import { GATE_RULES } from './comparison.ts'
import { PASS_POLICIES } from './turn.ts'
import { quotaSchema } from './quota.ts'
import { mergedSchema, shardSchema } from './shard.ts'
import { findLimitOptionsSchema, loadOptionsSchema } from './load.ts'
import { stateSchema } from './summary.ts'

export const FORMAT_VERSION = 1

/** The resolved options of a run under their names in camelCase; times in milliseconds. */
export const runOptions = z.object({
  rate: z.string().default('auto'),
  share: z.number().default(1),
  concurrency: z.union([z.int().positive(), z.literal('auto')]).default('auto'),
  limiter: z.enum(['local', 'redis']).default('local'),
  /** Of a shard: its own part of the calls, which may be none. */
  maxCalls: z.int().nonnegative().nullable().default(null),
  giveUpAfter: z.number().default(30 * 60_000),
  timeout: z.number().default(120_000),
  onAmbiguous: z.enum(['restart', 'fail']).default('restart'),
  /** Null where the files were recognised. */
  format: z.string().nullable().default(null),
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
  quota: quotaSchema.nullable().default(null),
  /** The way to it from the run folder, with `/`; null for none. */
  baseline: z.string().nullable().default(null),
  /** Null for the default rules. */
  failOn: z.array(z.enum(GATE_RULES)).nullable().default(null),
  alpha: z.number().default(0.05),
  margin: z.number().default(0.02),
  minOverlap: z.number().default(0.5),
})

/** Version 0.1 recorded some of them in groups. */
const ofVersion01 = z
  .object({
    giveUpAfterMs: z.number(),
    timeoutMs: z.number(),
    gates: z.object({ thresholds: z.array(z.string()), passPolicy: z.string() }).optional(),
    comparison: z.record(z.string(), z.unknown()).nullable().optional(),
    selection: z.object({ tags: z.array(z.string()) }).catchall(z.unknown()),
  })
  .catchall(z.unknown())

const runOptionsSchema = z.preprocess((recorded) => {
  const old = ofVersion01.safeParse(recorded)
  if (!old.success) return recorded
  const { giveUpAfterMs, timeoutMs, gates, comparison, selection, ...rest } = old.data
  const { tags, ...chosen } = selection
  return {
    ...rest,
    ...comparison,
    ...chosen,
    tag: tags,
    giveUpAfter: giveUpAfterMs,
    timeout: timeoutMs,
    threshold: gates?.thresholds ?? [],
    passPolicy: gates?.passPolicy ?? 'all',
  }
}, runOptions)

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
