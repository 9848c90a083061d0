// One line of the usage ledger: a call that was made, and what became of it.
import * as z from 'zod'
import type { RefusalCause } from '../contract/refusal.ts'

/**
 * `answered`: a whole reply of the contract's shape went out. `faulted`: a fault struck. The others are
 * refusals, named by their cause; they never count as usage.
 */
export const CALL_OUTCOMES = [
  'answered',
  'faulted',
  'invalid',
  'unauthorized',
  'forbidden',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'quota_exhausted',
] as const satisfies readonly ('answered' | 'faulted' | RefusalCause)[]
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

export const callSchema = z.object({
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  /** Null where the key was missing or unknown. */
  organization: z.string().nullable(),
  /** First 8 hex digits of SHA-256 of the key that was sent, never the key. */
  keyFingerprint: z.string().nullable(),
  conversationId: z.string().nullable(),
  endUserRef: z.string().nullable(),
  outcome: z.enum(CALL_OUTCOMES),
  /** The fault that struck, where one did. */
  fault: z.string().nullable(),
  /** Whether it is usage and counts toward the quota: the assistant has processed it. */
  counted: z.boolean(),
  /** Tokens, in words; 0 where nothing was processed. */
  wordsIn: z.int(),
  wordsOut: z.int(),
})
export type Call = z.output<typeof callSchema>

export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0
