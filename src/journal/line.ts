// Encodes journal records as lines with a checksum, and decodes them.
import { crc32 } from 'node:zlib'
import { journalRecordSchema, type JournalRecord } from '../domain/journal.ts'
import { isWithout, type Mask, maskValue } from '../domain/secret.ts'

/** Encodes one line without its line end, with secrets masked. */
export function encodeRecord(record: JournalRecord, mask: Mask | undefined): string {
  const text = JSON.stringify(record)
  const { kind } = record
  // In results, the endpoint client has already masked foreign text.
  const isPlain = kind === 'intent' || kind === 'outcome' || kind === 'result'
  const body =
    mask === undefined || isPlain || isWithout(text, mask) ? text : JSON.stringify(maskValue(record, mask))
  return `${body.slice(0, -1)},"sum":"${checksum(body)}"}`
}

export type JournalLine =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'garbled'; readonly reason: string }

/** Decodes a line, whatever is in it. Never throws. */
export function decodeLine(line: string): JournalLine {
  const split = splitSum(line)
  if (split === undefined) return { kind: 'garbled', reason: 'its checksum is missing' }
  if (checksum(split.body) !== split.sum) return { kind: 'garbled', reason: 'its checksum is wrong' }
  let json: unknown
  try {
    json = JSON.parse(split.body)
    // Version 0.2 called a session a sitting.
    if (typeof json === 'object' && json !== null && 'sitting' in json)
      json = { ...json, kind: 'session', session: json.sitting }
  } catch {
    return { kind: 'garbled', reason: 'not JSON' }
  }
  const parsed = journalRecordSchema.safeParse(json)
  if (parsed.success) return { kind: 'record', record: parsed.data }
  const issue = parsed.error.issues[0]
  return { kind: 'garbled', reason: `not a journal record (${issue?.path.join('.')}: ${issue?.message})` }
}

/** Decodes a line that was valid before. If its checksum is correct, it need not be validated again. */
export function decodeAgain(line: string): JournalLine {
  const split = splitSum(line)
  if (split === undefined || checksum(split.body) !== split.sum) return decodeLine(line)
  return { kind: 'record', record: JSON.parse(split.body) as JournalRecord }
}

const OTHER_KINDS = ['sitting', ...journalRecordSchema.options.map(({ shape }) => shape.kind.value)].filter(
  (kind) => kind !== 'intent',
)
const OTHER_START = new RegExp(`^\\{"kind":"(?:${OTHER_KINDS.join('|')})"`)

/** Says if an unreadable line may be an intent, so that an attempt may have been sent. */
export const mayBeIntent = (line: string): boolean => !OTHER_START.test(line)

/**
 * Returns the CRC-32, as eight hex digits: it detects any error burst of up to 32 bits, and all but one in
 * 2^32 of other errors.
 */
function checksum(body: string): string {
  const sum = crc32(body)
  // In halves: V8 converts integers above 2^31 as fractions, which takes four times as long.
  const hex = (half: number): string => half.toString(16).padStart(4, '0')
  return hex(sum >>> 16) + hex(sum & 0xffff)
}

const SUM_LENGTH = ',"sum":"00000000"}'.length

function splitSum(line: string): { readonly body: string; readonly sum: string } | undefined {
  const [, sum] = /^,"sum":"([0-9a-f]{8})"\}$/.exec(line.slice(-SUM_LENGTH)) ?? []
  return sum === undefined ? undefined : { body: `${line.slice(0, -SUM_LENGTH)}}`, sum }
}
