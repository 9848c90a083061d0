// Whose a row of the ledger is, by the ids in it: this run's, somebody else's, or nobody can tell.
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { AccountCall } from '../../domain/reconciliation.ts'

/** Attempts and rows that carry one id; indices, in the order of time. */
export interface Group {
  readonly calls: readonly number[]
  readonly entries: readonly number[]
}

export interface Identities {
  /** By conversation id: what came back, else what was sent. */
  readonly conversations: readonly Group[]
  /** By the id that was sent, where another came back: the ledger may still name the one that was asked for. */
  readonly askedConversations: readonly Group[]
  /** By end user. `isOnlyOurs`: the harness made the reference up for this run. */
  readonly users: readonly (Group & { readonly isOnlyOurs: boolean })[]
  /** Rows that carry this run's ids. */
  readonly own: ReadonlySet<number>
  /** Rows of conversations that this run knows nothing of, in a ledger that knows this run's. */
  readonly otherConversations: ReadonlySet<number>
}

export function identify(
  calls: readonly AccountCall[],
  entries: readonly LedgerEntry[],
  runIds: readonly string[],
): Identities {
  const byConversation = groupBy(calls, ({ returnedId, sentId }) => [returnedId ?? sentId].filter(isThere))
  const bySent = groupBy(calls, ({ sentId, returnedId }) =>
    [returnedId === undefined || returnedId === sentId ? undefined : sentId].filter(isThere),
  )
  const byUser = groupBy(calls, ({ refs }) => refs)
  const isOurs = (id: string): boolean => byConversation.has(id) || bySent.has(id)
  const ofConversation = groupBy(entries, ({ conversationId }) =>
    conversationId !== undefined && isOurs(conversationId) ? [conversationId] : [],
  )
  const ofUser = groupBy(entries, ({ endUserRef }) =>
    endUserRef !== undefined && byUser.has(endUserRef) ? [endUserRef] : [],
  )
  const conversations = join(byConversation, ofConversation, calls, entries)
  const askedConversations = join(bySent, ofConversation, calls, entries)
  const users = join(byUser, ofUser, calls, entries)
  const isOnlyOurs = (ref: string): boolean => runIds.some((runId) => ref.startsWith(`${runId}-`))
  const own = new Set<number>()
  const otherConversations = new Set<number>()
  for (const [index, { conversationId, endUserRef }] of entries.entries()) {
    if (conversationId !== undefined && isOurs(conversationId)) own.add(index)
    else if (endUserRef !== undefined && byUser.has(endUserRef) && isOnlyOurs(endUserRef)) own.add(index)
    if (conversationId !== undefined && conversations.length > 0 && !isOurs(conversationId))
      otherConversations.add(index)
  }
  return {
    conversations,
    askedConversations,
    users: users.map(({ id, ...group }) => ({ ...group, isOnlyOurs: isOnlyOurs(id) })),
    own,
    otherConversations,
  }
}

const isThere = (id: string | undefined): id is string => id !== undefined

function groupBy<T>(all: readonly T[], idsOf: (one: T) => readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, one] of all.entries())
    for (const id of idsOf(one)) {
      const group = groups.get(id)
      if (group === undefined) groups.set(id, [index])
      else group.push(index)
    }
  return groups
}

/** The ids that both sides have. */
function join(
  ofCalls: ReadonlyMap<string, number[]>,
  ofEntries: ReadonlyMap<string, number[]>,
  calls: readonly AccountCall[],
  entries: readonly LedgerEntry[],
): (Group & { readonly id: string })[] {
  const timeOf = (entry: number): number => entries[entry]?.at ?? Infinity
  const startOf = (call: number): number => calls[call]?.from ?? 0
  return [...ofCalls].flatMap(([id, group]) => {
    const rows = ofEntries.get(id)
    if (rows === undefined) return []
    return [
      {
        id,
        calls: group.toSorted((a, b) => startOf(a) - startOf(b) || a - b),
        entries: rows.toSorted((a, b) => (timeOf(a) === timeOf(b) ? a - b : timeOf(a) - timeOf(b))),
      },
    ]
  })
}
