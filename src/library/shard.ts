// A shard's option and its part of the call budget.
import type { Shard } from '../domain/shard.ts'

/** What `--shard` says, read once more where its meaning is needed. */
export function parseShard(text: string): Pick<Shard, 'index' | 'of'> | undefined {
  const [, first, second] = /^\s*(\d{1,5})\s*\/\s*(\d{1,5})\s*$/.exec(text) ?? []
  const [index, of] = [Number(first), Number(second)]
  return first !== undefined && index >= 1 && index <= of ? { index, of } : undefined
}

/** Near-equal parts of a whole number that add up to it exactly; `index` from 1. */
export const partOfBudget = (whole: number, { index, of }: Pick<Shard, 'index' | 'of'>): number =>
  Math.floor(whole / of) + (index <= whole % of ? 1 : 0)

/** The smallest whole of which the part is as large as this (1 at least). */
export const budgetForPart = (part: number, { index, of }: Pick<Shard, 'index' | 'of'>): number =>
  (part - 1) * of + index
