// What a journal holds beside the turns that stand: confirmations, questions that left the set, lost attempts.
import type { UsageClass } from '../domain/usage.ts'
import type { Slot } from './slots.ts'

export const slotKey = ({ index, repeat }: Pick<Slot<unknown>, 'index' | 'repeat'>): string =>
  `${index} ${repeat}`

/** What was asked again to confirm a slot, by the slot's key. `confirmedBy`: a confirmation's repeat to the one it confirms. */
export function groupConfirmations<P>(
  slots: readonly Slot<P>[],
  confirmedBy: ReadonlyMap<number, number>,
): Map<string, Slot<P>[]> {
  const grouped = new Map<string, Slot<P>[]>()
  if (confirmedBy.size === 0) return grouped
  for (const slot of slots) {
    const repeat = confirmedBy.get(slot.repeat)
    if (repeat === undefined) continue
    const key = slotKey({ index: slot.index, repeat })
    grouped.set(key, [...(grouped.get(key) ?? []), slot])
  }
  return grouped
}

/** What the account holds beside the turns that stand. A lost attempt was begun, and nobody knows more. */
export function usageElsewhere(
  all: Iterable<Slot<unknown>>,
  standing: readonly Slot<unknown>[],
  confirmations: ReadonlyMap<string, readonly Slot<unknown>[]>,
  attemptsLost: number,
): { readonly usage: Record<UsageClass, number>; readonly rateLimited: number } {
  const usage = { certain: 0, possible: attemptsLost, notCounted: 0 }
  // What confirms a turn is counted with it.
  const stands = new Set(standing.flatMap((slot) => [slot, ...(confirmations.get(slotKey(slot)) ?? [])]))
  let rateLimited = 0
  for (const slot of all) {
    if (stands.has(slot)) continue
    usage.certain += slot.usage.certain
    usage.possible += slot.usage.possible
    usage.notCounted += slot.usage.notCounted
    rateLimited += slot.rateLimited
  }
  return { usage, rateLimited }
}
