// The assistant's turn: continues or opens the conversation, answers, and remembers.
import { randomUUID } from 'node:crypto'
import { KNOWLEDGE_BASE_SOURCE, type AssistReplyBody, type AssistRequestBody } from '../contract/schemas.ts'
import type { Desk } from '../desk.ts'
import type { Conversation } from '../ledger/conversation.ts'

/** `isLost`: the conversation is not found, although it is there. */
export function converse(
  { ask, config, store }: Desk,
  organization: string,
  { message, conversationId, endUserRef }: AssistRequestBody,
  now: number,
  isLost: boolean,
): AssistReplyBody {
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
  const contextSource = isGrounded ? KNOWLEDGE_BASE_SOURCE : config.assistant.modelOnlySource
  conversation.turns.push({
    at: now,
    message,
    answer: answer.message,
    contextSource,
    article: isGrounded ? answer.article.slug : null,
    section: isGrounded ? answer.section.heading : null,
  })
  store.keepConversation(conversation)
  return {
    conversationId: conversation.id,
    message: answer.message,
    status: config.assistant.successStatus,
    contextSource,
  }
}
