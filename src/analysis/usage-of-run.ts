// How many calls of a run were counted, over all of its sittings: without its answers.
import type { UsageRange } from '../domain/quota.ts'
import { accountOf } from './quota-account.ts'
import type { RunIndex } from './run-index.ts'

export function usageOfRun({ everySlot, attemptsLost }: RunIndex<unknown>): UsageRange {
  // A lost attempt was begun, and nobody knows more.
  const sum = { certain: 0, possible: attemptsLost, notCounted: 0 }
  for (const { usage } of everySlot) {
    sum.certain += usage.certain
    sum.possible += usage.possible
    sum.notCounted += usage.notCounted
  }
  const { min, max } = accountOf(sum)
  return { min, max }
}
