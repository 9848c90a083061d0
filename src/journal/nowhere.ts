// A journal that is written nowhere: its lines are made as for a file, so that whoever warms up does what will be done.
import type { Secret } from '../domain/secret.ts'
import { createSumLines } from './line-bytes.ts'
import { encodeAll, encodeRecord } from './line.ts'
import type { JournalWriter } from './write.ts'

export function openNowhere(secret: Secret): JournalWriter {
  const sumLines = createSumLines()
  return {
    append: (record) => void encodeRecord(record, secret),
    appendAll: (records, replyJsons = []) => void sumLines(encodeAll(records, secret, replyJsons)),
    commit: async () => undefined,
    close: async () => undefined,
  }
}
