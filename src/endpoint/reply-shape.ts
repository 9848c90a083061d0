// The contract's reply, checked by hand: every answer goes through here, and a schema takes as long as the parsing.
import type { AttemptResult } from '../domain/attempt.ts'

export type Reply = Extract<AttemptResult, { kind: 'reply' }>['reply']

/** The fields that the contract names, and how many others there are. */
export interface ReplyShape {
  readonly conversationId: string
  readonly message: string
  readonly status: string
  readonly contextSource: string
}

/** What `replySchema` takes is taken, and nothing else; what it says of the rest is said by it. */
export function isReply(json: unknown): json is ReplyShape & Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  const { conversationId, message, status, contextSource } = json as Readonly<Record<string, unknown>>
  return (
    typeof conversationId === 'string' &&
    typeof message === 'string' &&
    typeof status === 'string' &&
    typeof contextSource === 'string'
  )
}

/** Whether it has no field besides. */
export function isBare(reply: ReplyShape): boolean {
  let fields = 0
  for (const _ in reply) fields += 1
  return fields === 4
}

const SKELETON = '{"conversationId":"","message":"","status":"","contextSource":""}'.length
const [U, SLASH] = [0x75, 0x2f]

/**
 * Whether a text that was parsed to this reply is what `JSON.stringify` makes of it, up to the order of its fields: as
 * short as can be, so without white space or a field twice, and with no escape but those of two characters that
 * `JSON.stringify` has. A hundredth of the time that encoding it again takes.
 */
export function isJsonOf(text: string, reply: Reply): boolean {
  if (reply.extra !== undefined) return false
  const { conversationId, message, status, contextSource } = reply
  let length = SKELETON + conversationId.length + message.length + status.length + contextSource.length
  for (let place = text.indexOf('\\'); place !== -1; place = text.indexOf('\\', place + 2)) {
    const escaped = text.charCodeAt(place + 1)
    if (escaped === U || escaped === SLASH) return false
    length += 1
  }
  return text.length === length
}
