// A journal record to a line and back.
import { journalRecordSchema, type JournalRecord } from '../domain/journal.ts'
import { maskValue, type Secret } from '../domain/secret.ts'

/** One line without its end; the key is hidden, wherever in the record it came from. */
export function encodeRecord(record: JournalRecord, secret: Secret | undefined): string {
  const line = JSON.stringify(record)
  const isClean = secret === undefined || !secret.forms.some((form) => line.includes(form))
  return isClean ? line : JSON.stringify(maskFields(record, secret))
}

/** Fields whose values are words of the journal's own: a key that happens to be one must not break them. */
const OWN_WORDS = new Set(['kind', 'outcome', 'over', 'signal'])

function maskFields(value: unknown, secret: Secret): unknown {
  if (Array.isArray(value)) return value.map((item) => maskFields(item, secret))
  if (typeof value !== 'object' || value === null) return maskValue(value, secret)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      OWN_WORDS.has(name) ? item : maskFields(item, secret),
    ]),
  )
}

export type Line =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'garbled'; readonly reason: string }

/** Never throws. */
export function decodeLine(line: string): Line {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return { kind: 'garbled', reason: 'not JSON' }
  }
  const parsed = journalRecordSchema.safeParse(json)
  if (parsed.success) return { kind: 'record', record: parsed.data }
  const issue = parsed.error.issues[0]
  return { kind: 'garbled', reason: `not a journal record (${issue?.path.join('.')}: ${issue?.message})` }
}
