// What a journal holds beside the turns that stand: questions that left the set, lost attempts.
import type { UsageClass } from '../domain/quota.ts'
import type { Slot } from './slots.ts'

type Account = { readonly usage: Record<UsageClass, number>; readonly rateLimited: number }

/** What the account holds beside the turns that stand. A lost attempt was begun, and nobody knows more. */
export function usageElsewhere(
  all: Iterable<Slot<unknown>>,
  standing: readonly Slot<unknown>[],
  attemptsLost: number,
): Account {
  const usage = { certain: 0, possible: attemptsLost, notCounted: 0 }
  let rateLimited = 0
  const add = (slot: Slot<unknown>, sign: 1 | -1): void => {
    usage.certain += sign * slot.usage.certain
    usage.possible += sign * slot.usage.possible
    usage.notCounted += sign * slot.usage.notCounted
    rateLimited += sign * slot.rateLimited
  }
  for (const slot of all) add(slot, 1)
  for (const slot of standing) add(slot, -1)
  return { usage, rateLimited }
}
