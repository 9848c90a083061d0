// Two files of a ledger that overlap would count calls twice: what is told of rows that stand in both.
import type { LedgerEntry } from '../../domain/ledger.ts'
import { digits } from '../../domain/digits.ts'

/** So large a part of the smaller file's rows is no chance. */
const SUSPICIOUS_SHARE = 0.5

/** A note for each pair of files of which one holds at least half of the other's rows, by time, ids, status and count. */
export function noteSameRows(
  entries: readonly LedgerEntry[],
  files: readonly { readonly name: string }[],
): string[] {
  if (files.length < 2) return []
  const rows = files.map(() => new Set<string>())
  for (const { file, at, conversationId, endUserRef, status, count } of entries)
    if (at !== undefined || conversationId !== undefined)
      rows[file]?.add(JSON.stringify([at, conversationId, endUserRef, status, count]))
  return rows.flatMap((one, first) =>
    rows.slice(first + 1).flatMap((other, offset) => {
      const [less, more] = one.size < other.size ? [one, other] : [other, one]
      const same = [...less].filter((row) => more.has(row)).length
      if (same === 0 || same < less.size * SUSPICIOUS_SHARE) return []
      const names = `${files[first]?.name} and ${files[first + 1 + offset]?.name}`
      return [
        `${digits(same)} different rows stand in both ${names}, and are counted twice: where they are the same calls, name only one of the files, or exports that do not overlap`,
      ]
    }),
  )
}
