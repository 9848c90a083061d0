// The one reply that the benches' servers give: as long as an answer of some sentences.

export const REPLY_TEXT = JSON.stringify({
  conversationId: 'c0000000-0000-4000-8000-000000000000',
  message: 'x'.repeat(480),
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
})
