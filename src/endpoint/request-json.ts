// What a turn sends, as JSON.
import type { AssistRequest } from '../domain/attempt.ts'

/** What JSON writes as it is; other letters may be, too: `JSON.stringify` knows. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** What `JSON.stringify` says of the request, in a third of its time where the texts are plain. */
export function requestJson({ message, conversationId, endUserRef }: AssistRequest): string {
  const id = conversationId === undefined ? '' : `,"conversationId":${quoted(conversationId)}`
  const ref = endUserRef === undefined ? '' : `,"endUserRef":${quoted(endUserRef)}`
  return `{"message":${quoted(message)}${id}${ref}}`
}

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
