// What is wrong with a journal that holds nothing: a report of it would write over figures with none.
import { statSync } from 'node:fs'
import { journalsOf, readJournal } from '../journal/read.ts'

/** `is missing`, `is empty` or that no line can be read; undefined where it holds a record. Reads up to the first one. */
export async function journalFault(path: string): Promise<string | undefined> {
  const journals = journalsOf(path)
  if (journals.length === 0) return 'is missing'
  if (journals.every((one) => statSync(one).size === 0)) return 'is empty'
  for await (const { kind } of readJournal(path)) if (kind === 'record') return undefined
  return 'holds no line that can be read'
}
