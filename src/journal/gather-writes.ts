// A journal under load: records are gathered and written in one go, an intent still before its attempt is sent.
import type { JournalRecord } from '../domain/journal.ts'
import type { JournalWriter } from './write.ts'

/** Records in memory at most: the opening ones are as many as the set has questions. */
const MOST = 256

export interface GatheredJournal extends Omit<JournalWriter, 'append' | 'appendAll'> {
  /** `replyJson`: the JSON of the record's reply, where it is at hand. */
  append(record: JournalRecord, replyJson?: string): void
  /** How many records were appended so far: names the last of them for `flush`. */
  appended(): number
  /**
   * What was kept is in the file when this returns. Throws what kept the record from it that `appended` named, and all
   * that came after it.
   */
  flush(upTo: number): void
}

/**
 * `append` keeps a record; it is in the file after the next `flush` or `commit`, at the latest when the event loop has come
 * round. A process that is killed in between loses answers of that millisecond, as if it had been killed before they came;
 * their intents stand in the file. What could not be written is thrown by every `commit` from then on.
 */
export function gatherWrites(journal: JournalWriter): GatheredJournal {
  let records: JournalRecord[] = []
  let replyJsons: (string | undefined)[] = []
  let appended = 0
  /** `after`: so many records were written before. */
  let failure: { readonly error: unknown; readonly after: number } | undefined
  let immediate: NodeJS.Immediate | undefined

  const write = (): void => {
    clearImmediate(immediate)
    immediate = undefined
    if (records.length === 0) return
    const [gathered, known] = [records, replyJsons]
    records = []
    replyJsons = []
    try {
      journal.appendAll(gathered, known)
    } catch (error) {
      failure ??= { error, after: appended - gathered.length }
    }
  }
  const flush = (upTo: number): void => {
    write()
    if (failure !== undefined && upTo > failure.after) throw failure.error
  }
  return {
    append: (record, replyJson) => {
      appended += 1
      replyJsons.push(replyJson)
      if (records.push(record) >= MOST) write()
      else immediate ??= setImmediate(write)
    },
    appended: () => appended,
    flush,
    commit: async () => {
      flush(Infinity)
      await journal.commit()
    },
    close: async () => {
      write()
      await journal.close()
    },
  }
}
