// A shard: one of several parts of a run, asked by a process of its own and joined with the others by `merge`.
import * as z from 'zod'
import { usageRangeSchema } from './quota.ts'

export const shardSchema = z.object({
  /** Which part, from 1. */
  index: z.int().positive(),
  /** Of how many. */
  of: z.int().positive(),
  /** The budget of the whole run (`--max-calls`); `options.maxCalls` is this part's. */
  maxCalls: z.int().positive().nullable(),
  /** Questions of the whole were numbered below this when the run was started, those of the other parts among them. */
  numbered: z.int().nonnegative(),
  /** What all parts hold together; null where a changed set was taken on and the other parts are not known any more. */
  whole: z
    .object({
      questions: z.int().nonnegative(),
      threads: z.int().nonnegative(),
      /** Questions of each file, in the order of the manifest's. */
      turns: z.array(z.int().nonnegative()),
      /** SHA-256 of all questions as they were read, whatever the bytes of their files; absent in runs of version 0.1.0. */
      content: z.string().optional(),
    })
    .nullable(),
})
export type Shard = z.infer<typeof shardSchema>

/** In the manifest of a run that `merge` has joined: which runs its parts were. */
export const mergedSchema = z.object({
  of: z.int().positive(),
  parts: z.array(
    z.object({
      index: z.int().positive(),
      runId: z.string(),
      startedAt: z.string(),
      /** Calls counted when it was joined; absent in runs that version 0.1.0 has joined. */
      usage: usageRangeSchema.optional(),
      /** Its share of the calls was used up before all of it was asked. */
      endedByBudget: z.literal(true).optional(),
    }),
  ),
})

/** In the summary of a part: what is judged of the whole alone, as it was written. */
export const partResultSchema = z.object({
  index: z.int().positive(),
  of: z.int().positive(),
  judgedByMerge: z.array(z.string()),
})
export type PartResult = z.infer<typeof partResultSchema>

/** `shard 2 of 4`. */
export const describeShard = ({ index, of }: Pick<Shard, 'index' | 'of'>): string => `shard ${index} of ${of}`
