// What is wrong with a journal that holds nothing: a report of it would write over figures with none.
import { statSync } from 'node:fs'

/** `is missing` or `is empty`; undefined where it holds something. */
export function journalFault(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return 'is missing'
  return size === 0 ? 'is empty' : undefined
}
