// What a journal holds beside the turns that stand: confirmations, questions that left the set, lost attempts.
import type { UsageClass } from '../domain/quota.ts'
import type { Slot } from './slots.ts'

export const slotKey = ({ index, repeat }: Pick<Slot<unknown>, 'index' | 'repeat'>): string =>
  `${index} ${repeat}`

/** What was asked again to confirm a slot, by the slot's key. `confirmedBy`: a confirmation's repeat to the one it confirms. */
export function groupConfirmations<P>(
  slots: Iterable<Slot<P>>,
  confirmedBy: ReadonlyMap<number, number>,
): Map<string, Slot<P>[]> {
  const grouped = new Map<string, Slot<P>[]>()
  if (confirmedBy.size === 0) return grouped
  for (const slot of slots) {
    const repeat = confirmedBy.get(slot.repeat)
    if (repeat === undefined) continue
    const key = slotKey({ index: slot.index, repeat })
    const known = grouped.get(key)
    if (known === undefined) grouped.set(key, [slot])
    else known.push(slot)
  }
  for (const confirmations of grouped.values()) confirmations.sort((a, b) => a.repeat - b.repeat)
  return grouped
}

type Account = { readonly usage: Record<UsageClass, number>; readonly rateLimited: number }

/** What the account holds beside the turns that stand. A lost attempt was begun, and nobody knows more. */
export function usageElsewhere(
  all: Iterable<Slot<unknown>>,
  standing: readonly Slot<unknown>[],
  confirmations: ReadonlyMap<string, readonly Slot<unknown>[]>,
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
  for (const slot of standing) {
    add(slot, -1)
    // What confirms a turn is counted with it.
    if (confirmations.size > 0)
      for (const confirmation of confirmations.get(slotKey(slot)) ?? []) add(confirmation, -1)
  }
  return { usage, rateLimited }
}
