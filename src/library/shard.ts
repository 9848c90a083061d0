// `--shard`, and a shard's part of the call budget.
import type { Shard } from '../domain/shard.ts'

/** Undefined if it is not `2/4`. */
export function parseShard(text: string): Pick<Shard, 'index' | 'of'> | undefined {
  const [, first, second] = /^\s*(\d{1,5})\s*\/\s*(\d{1,5})\s*$/.exec(text) ?? []
  const [index, of] = [Number(first), Number(second)]
  return first !== undefined && index >= 1 && index <= of ? { index, of } : undefined
}

/** Near-equal parts that add up to the whole. */
export const partOfBudget = (whole: number, { index, of }: Pick<Shard, 'index' | 'of'>): number =>
  Math.floor(whole / of) + (index <= whole % of ? 1 : 0)

/** The smallest whole that has a part of this size (at least 1). */
export const budgetForPart = (part: number, { index, of }: Pick<Shard, 'index' | 'of'>): number =>
  (part - 1) * of + index
