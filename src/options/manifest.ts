// `run.json`: the manifest of a run, written before its first call.
import * as z from 'zod'
import { type Quota, recordedQuotaSchema } from '../domain/quota.ts'
import { shardSchema } from '../domain/shard.ts'
import { findLimitOptionsSchema, loadOptionsSchema } from '../domain/load.ts'
import { stateSchema } from '../domain/summary.ts'
import { PART_COLUMN } from '../domain/viewed-set.ts'
import { asTyped } from './faults.ts'
import { describeValue, optionNames } from './settings.ts'
import { isFlag, optionEntries, type Option, type OptionName, type Options } from './table.ts'

export const FORMAT_VERSION = 1

type RecordedName = {
  [Name in OptionName]: Options[Name] extends { isRecorded: true } ? Name : never
}[OptionName]

type Stored<One extends Option> =
  | z.output<One['value']['typed']>
  | (One extends { default: unknown } | { value: { stored: z.ZodType<boolean> } } ? never : null)

/** Holds times in milliseconds; null for an option that has no value. */
export type RecordedOptions = {
  [Name in RecordedName]: Name extends 'quota' ? Quota | null : Stored<Options[Name]>
}

const recorded = optionEntries.flatMap(([name, option]) => {
  if (option.isRecorded !== true) return []
  const { stored } = option.value
  const byDefault = isFlag(option) ? false : option.default
  return [[name, byDefault === undefined ? stored.nullable().default(null) : stored.default(byDefault)]]
})

export const recordedOptions = z.object({
  ...Object.fromEntries(recorded),
  quota: recordedQuotaSchema,
}) as unknown as z.ZodType<RecordedOptions>

const common = {
  formatVersion: z.literal(FORMAT_VERSION),
  harnessVersion: z.string(),
  runId: z.string(),
  target: z.object({
    name: z.string(),
    baseUrl: z.string(),
    organization: z.string(),
    apiKeyEnv: z.string(),
    /** Holds the first 8 hex digits of SHA-256 of the key, which itself is written nowhere. */
    keyFingerprint: z.string(),
    sandbox: z.boolean(),
    /** Stands for articles other than the shipped ones: relative to the run folder, with `/`. */
    knowledgeBase: z.string().optional(),
  }),
  datasets: z.array(
    z.object({
      path: z.string(),
      /** Is relative to the run folder, with `/`. */
      source: z.string(),
      digest: z.string(),
      turns: z.int(),
    }),
  ),
  columns: z.array(z.string()),
  options: recordedOptions,
  /** Stands in load tests of version 0.3, too. */
  shard: shardSchema.optional(),
  merged: z.object({ parts: z.array(z.object({ runId: z.string() })) }).optional(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** Is `running` without a process if that died. */
  state: z.union([stateSchema, z.literal('running')]),
  warnings: z.array(z.string()),
}

const runManifestSchema = z.object({ kind: z.literal('run'), ...common })
const loadManifestSchema = z.object({ kind: z.literal('load'), ...common, load: loadOptionsSchema })
const searchManifestSchema = z.object({
  kind: z.literal('search'),
  ...common,
  findLimit: findLimitOptionsSchema,
})

export const manifestSchema = z.discriminatedUnion('kind', [
  runManifestSchema,
  loadManifestSchema,
  searchManifestSchema,
])

export interface RunManifest extends z.infer<typeof runManifestSchema> {}
export interface LoadManifest extends z.infer<typeof loadManifestSchema> {}
export interface SearchManifest extends z.infer<typeof searchManifestSchema> {}
export type Manifest = RunManifest | LoadManifest | SearchManifest

/** Its set was made of another run's questions, which it names. */
export const isPart = ({ columns }: Manifest): boolean => columns.includes(PART_COLUMN)

export const quotaOf = (quota: number | undefined, before: Quota | null): Quota | null =>
  quota === undefined ? before : { calls: quota, period: 'month' }

const SENT = optionNames(({ phase }) => phase === 'ask')

export const sentOptions = ({ options }: Manifest): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (SENT.has(name) ? [[asTyped(name), value]] : [])),
  )

/** Lists the entries of `now` that `before` has with another value, as texts for messages. */
export const differencesBetween = (
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
) =>
  Object.keys(now)
    .map((name) => ({ name, before: describeValue(before[name]), now: describeValue(now[name]) }))
    .filter((value) => value.before !== value.now)
