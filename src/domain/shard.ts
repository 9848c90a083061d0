// A shard: part of a run, sent by its own process. `merge` joins the shards.
import * as z from 'zod'

export const shardPositionSchema = z.object({
  index: z.int().positive().describe('From 1'),
  of: z.int().positive().describe('Shards of the whole run'),
})
export type ShardPosition = z.infer<typeof shardPositionSchema>

export const shardSchema = shardPositionSchema.extend({
  whole: z.object({
    questions: z.int().nonnegative(),
    /** Each file has its number of questions, in the order of the manifest's. */
    turns: z.array(z.int().nonnegative()),
    content: z.string(),
  }),
})
export type Shard = z.infer<typeof shardSchema>

export const describeShard = ({ index, of }: ShardPosition): string => `shard ${index} of ${of}`

export function parseShard(text: string): ShardPosition | undefined {
  const [, first, second] = /^\s*(\d{1,5})\s*\/\s*(\d{1,5})\s*$/.exec(text) ?? []
  const [index, of] = [Number(first), Number(second)]
  return first !== undefined && index >= 1 && index <= of ? { index, of } : undefined
}

/** The budgets of calls are nearly equal, and add up to the whole. */
export const partOfBudget = (whole: number, { index, of }: ShardPosition): number =>
  Math.floor(whole / of) + (index <= whole % of ? 1 : 0)

/** Finds the smallest whole that gives this shard a budget of this size (at least 1). */
export const budgetForPart = (part: number, { index, of }: ShardPosition): number => (part - 1) * of + index
