// A journal under load: records are gathered and written in one go, an intent still before its attempt is sent.
import type { JournalRecord } from '../domain/journal.ts'
import type { JournalWriter } from './write.ts'

/** Records in memory at most: the opening ones are as many as the set has questions. */
const MOST = 256

/**
 * `append` keeps a record; it is in the file once the next `commit` has resolved, at the latest when the event loop has come
 * round. A process that is killed in between loses answers of that millisecond, as if it had been killed before they came;
 * their intents stand in the file. What could not be written is thrown by every `commit` from then on.
 */
export function gatherWrites(journal: JournalWriter): Omit<JournalWriter, 'appendAll'> {
  let gathered: JournalRecord[] = []
  let failure: { readonly error: unknown } | undefined
  let immediate: NodeJS.Immediate | undefined

  const flush = (): void => {
    clearImmediate(immediate)
    immediate = undefined
    if (gathered.length === 0) return
    const records = gathered
    gathered = []
    try {
      journal.appendAll(records)
    } catch (error) {
      failure ??= { error }
    }
  }
  return {
    append: (record) => {
      if (gathered.push(record) >= MOST) flush()
      else immediate ??= setImmediate(flush)
    },
    commit: async () => {
      flush()
      if (failure !== undefined) throw failure.error
      await journal.commit()
    },
    close: async () => {
      flush()
      await journal.close()
    },
  }
}
