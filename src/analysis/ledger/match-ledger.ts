// Brings attempts and rows of the ledger together: by conversation, by end user, and what is left by time.
import { BUCKET_MS } from '../../domain/ledger.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'
import type { Identities } from './identities.ts'
import { at, matchByTime, matchInOrder, part, stepOf, type Pairing, type Timing } from './pairing.ts'

/** Fills the pairing. `rotatingIds`: the endpoint names a conversation anew with each answer. */
export function matchLedger(
  pairing: Pairing,
  identities: Identities,
  timing: Timing,
  rotatingIds: boolean,
): void {
  const { calls, entries, left } = pairing
  /** A fresh conversation whose id never reached us. */
  const isUnknown = (call: number): boolean => {
    const { returnedId, sentId } = at(calls, call)
    return returnedId === undefined && (sentId === undefined || rotatingIds)
  }
  for (const group of [...identities.conversations, ...identities.askedConversations]) {
    matchByTime(pairing, group.calls, group.entries, timing, 'conversation')
    matchInOrder(pairing, group.calls, group.entries, 'conversation')
  }
  for (const group of identities.users) {
    const rows = group.entries.filter((entry) => (left[entry] ?? 0) > 0)
    const [others, open] = split(rows, (entry) => identities.otherConversations.has(entry))
    const known = open.filter((entry) => identities.conversations.length === 0 || !isNamed(pairing, entry))
    const unknown = group.calls.filter(isUnknown)
    matchByTime(pairing, group.calls, known, timing, 'user')
    matchByTime(pairing, unknown, others, timing, 'user')
    // A person whom the set names may have asked at other times as well.
    if (!group.isOnlyOurs) continue
    matchInOrder(pairing, group.calls, known, 'user')
    matchInOrder(pairing, unknown, others, 'user')
  }
  const free = [...entries.keys()].filter(
    (entry) =>
      (left[entry] ?? 0) > 0 &&
      !identities.own.has(entry) &&
      // Where the ledger names our end users, a row of another is not ours, whatever its time.
      (identities.users.length === 0 || entries[entry]?.endUserRef === undefined) &&
      stepOf(entries[entry]) < BUCKET_MS,
  )
  const [others, open] = split(free, (entry) => identities.otherConversations.has(entry))
  const waiting = [...calls.keys()].filter((call) => pairing.matches[call] === undefined)
  matchByTime(pairing, waiting, open, timing, 'time')
  matchByTime(pairing, waiting.filter(isUnknown), others, timing, 'time')
  partChanceMatches(pairing, free, timing)
}

/**
 * Refused calls that a stray row of other traffic happens to fall on are no proof that refusals are counted. Were the rows
 * strewn by chance, a call would meet one with 1 − e^(−density × width); a number within two standard deviations of what that
 * gives, and one more, says nothing, and is taken back.
 */
function partChanceMatches(pairing: Pairing, free: readonly number[], timing: Timing): void {
  const { calls, entries, left } = pairing
  const byTime = [...calls.keys()].filter(
    (call) => at(calls, call).usage === 'notCounted' && pairing.matches[call]?.method === 'time',
  )
  if (byTime.length === 0) return
  const [start, end] = spanOf(calls, timing)
  const stray = free.reduce((sum, entry) => {
    const time = entries[entry]?.at
    return time !== undefined && time >= start && time <= end ? sum + (left[entry] ?? 0) : sum
  }, 0)
  // Nothing else is there that could have fallen on them.
  if (stray === 0) return
  const density = (stray + byTime.length) / Math.max(1, end - start)
  const width = (call: AccountCall): number => call.until - call.from + 2 * timing.toleranceMs
  const expected = calls
    .filter(({ usage }) => usage === 'notCounted')
    .reduce((sum, call) => sum + 1 - Math.exp(-density * width(call)), 0)
  if (byTime.length > expected + 2 * Math.sqrt(expected) + 1) return
  for (const call of byTime) part(pairing, call)
}

function spanOf(calls: readonly AccountCall[], { offsetMs, toleranceMs }: Timing): [number, number] {
  let [start, end] = [Infinity, -Infinity]
  for (const { from, until } of calls) {
    start = Math.min(start, from)
    end = Math.max(end, until)
  }
  return [start + offsetMs - toleranceMs, end + offsetMs + toleranceMs]
}

const isNamed = ({ entries }: Pairing, entry: number): boolean =>
  at(entries, entry).conversationId !== undefined

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const first: T[] = []
  const second: T[] = []
  for (const one of all) (isFirst(one) ? first : second).push(one)
  return [first, second]
}
