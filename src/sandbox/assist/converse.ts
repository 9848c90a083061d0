// The assistant's turn: continues or opens the conversation, answers, and remembers.
import { randomUUID } from 'node:crypto'
import { KNOWLEDGE_BASE_SOURCE, type AssistReplyBody, type AssistRequestBody } from '../contract/schemas.ts'
import type { Desk } from '../desk.ts'
import type { Conversation } from '../ledger/conversation.ts'

export interface Converse {
  readonly reply: AssistReplyBody
  /** The article that answered, or came nearest, for the log: `vpn`, `nearest vpn`, `no article near`. */
  readonly note: string
}

/** `isLost`: the conversation is not found, although it is there. */
export function converse(
  { ask, config, store }: Desk,
  organization: string,
  { message, conversationId, endUserRef }: AssistRequestBody,
  now: number,
  isLost: boolean,
): Converse {
  const found = conversationId && !isLost ? store.findConversation(conversationId) : undefined
  // An id of another organization is refused like one that never was: nobody learns that it exists.
  const known = found?.organization === organization ? found : undefined
  const conversation: Conversation =
    known && !config.rotatingIds
      ? known
      : {
          id: randomUUID(),
          organization,
          endUserRef: known?.endUserRef ?? endUserRef ?? null,
          openedAt: known?.openedAt ?? now,
          turns: [...(known?.turns ?? [])],
        }
  const answer = ask(message, conversation.turns)
  const isGrounded = answer.kind === 'grounded'
  const article = isGrounded ? answer.article.slug : null
  const nearest = isGrounded ? null : (answer.nearest?.slug ?? null)
  const contextSource = isGrounded ? KNOWLEDGE_BASE_SOURCE : config.assistant.modelOnlySource
  conversation.turns.push({
    at: now,
    message,
    answer: answer.message,
    contextSource,
    article,
    section: isGrounded ? answer.section.heading : null,
    nearest,
  })
  store.keepConversation(conversation)
  return {
    reply: {
      conversationId: conversation.id,
      message: answer.message,
      status: config.assistant.successStatus,
      contextSource,
    },
    note: article ?? (nearest === null ? 'no article near' : `nearest ${nearest}`),
  }
}
