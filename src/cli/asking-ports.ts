// What asks and what records, put together: an intent stands in the journal before its request leaves.
import type { JournalRecord } from '../domain/journal.ts'
import type { AssistClient } from '../endpoint/client.ts'
import type { GatheredJournal } from '../journal/gather-writes.ts'
import type { Durability } from '../journal/write.ts'
import type { AttemptPorts } from '../runner/attempt.ts'

export type AskingPorts = Pick<AttemptPorts, 'ask' | 'send' | 'record' | 'commit'>

/** `onRecord` sees every record once it is on its way to the journal. */
export function createAskingPorts(
  client: AssistClient,
  journal: GatheredJournal,
  durability: Durability,
  onRecord: (record: JournalRecord) => void,
): AskingPorts {
  const record: AskingPorts['record'] = (one, replyJson) => {
    journal.append(one, replyJson)
    onRecord(one)
  }
  /** The intents of one turn of the event loop are written in one go. */
  const send: AskingPorts['send'] = (request, signal, { ended, failed }) => {
    const intent = journal.appended()
    client.send(request, signal, { leaves: () => journal.flush(intent), ended, failed })
  }
  const asked = { ask: client.ask, record, commit: async () => journal.commit() }
  // Waiting for the disk takes a promise.
  return durability === 'power' ? asked : { ...asked, send }
}
