// What asks and what records, put together: an intent stands in the journal before its request leaves.
import type { JournalRecord } from '../domain/journal.ts'
import type { AssistClient } from '../endpoint/client.ts'
import type { JournalWriter } from '../journal/write.ts'
import type { AttemptPorts } from '../runner/attempt.ts'

export type AskingPorts = Pick<AttemptPorts, 'send' | 'record'>

/** `onRecord` sees every record once it is on its way to the journal. */
export function createAskingPorts(
  client: AssistClient,
  journal: JournalWriter,
  onRecord: (record: JournalRecord) => void,
): AskingPorts {
  return {
    record: (one) => {
      journal.append(one)
      onRecord(one)
    },
    /** The intents of one turn of the event loop are written in one go. */
    send: (request, signal, { ended, failed }) => {
      const intent = journal.appended()
      client.send(request, signal, { leaves: () => journal.flush(intent), ended, failed })
    },
  }
}
