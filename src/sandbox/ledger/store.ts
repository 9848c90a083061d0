// Ledger and conversations, in memory: gone when the process ends.
import type { Call } from './call.ts'
import type { Conversation } from './conversation.ts'

export interface Store {
  readonly findConversation: (id: string) => Conversation | undefined
  readonly conversations: () => Iterable<Conversation>
  /** Keeps a conversation as it is now, in place of an earlier state of it. */
  readonly keepConversation: (conversation: Conversation) => void
  readonly appendCall: (call: Call) => void
  /** In the order of arrival. */
  readonly calls: () => Iterable<Call>
  readonly clear: () => void
}

export function memoryStore(): Store {
  const conversations = new Map<string, Conversation>()
  let calls: Call[] = []
  return {
    findConversation: (id) => conversations.get(id),
    conversations: () => conversations.values(),
    keepConversation: (conversation) => void conversations.set(conversation.id, conversation),
    appendCall: (call) => void calls.push(call),
    calls: () => calls,
    clear() {
      conversations.clear()
      calls = []
    },
  }
}
