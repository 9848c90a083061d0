// The usage ledger and the conversations, in memory: gone when the process ends.
import * as z from 'zod'
import { compareTexts } from '../domain/text.ts'
import type { RefusalCause } from './contract.ts'

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

const turnSchema = z.object({
  at: z.number(),
  message: z.string(),
  answer: z.string(),
  contextSource: z.string(),
  /** Slug of the article that grounded the answer, and the heading of the section; null for model-only. */
  article: z.string().nullable(),
  section: z.string().nullable(),
  /** Of model-only: slug of the article that came nearest; null where none shares a word with the question. */
  nearest: z.string().nullable(),
})
const conversationSchema = z.object({
  id: z.string(),
  organization: z.string(),
  /** Of the turn that opened it: groups an end user's conversations. */
  endUserRef: z.string().nullable(),
  openedAt: z.number(),
  turns: z.array(turnSchema),
})
export type Conversation = z.output<typeof conversationSchema>

interface Usage {
  /** All calls, refused ones included. */
  calls: number
  /** Those that count as usage. */
  counted: number
  wordsIn: number
  wordsOut: number
  outcomes: Record<CallOutcome, number>
}

interface UsageOfDay extends Usage {
  /** Null for calls whose key was missing or unknown. */
  readonly organization: string | null
  /** UTC, `2026-01-31`. */
  readonly day: string
}

/** UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Sorted by organization (those without one first), then day. */
export function usageByDay(calls: Iterable<Call>): UsageOfDay[] {
  const days = new Map<string, UsageOfDay>()
  for (const call of calls) {
    const day = dayOf(call.at)
    const key = `${day} ${call.organization ?? ''}`
    const usage = days.get(key) ?? { organization: call.organization, day, ...emptyUsage() }
    days.set(key, usage)
    add(usage, call)
  }
  return [...days.values()].sort(
    (one, other) =>
      compareTexts(one.organization ?? '', other.organization ?? '') || compareTexts(one.day, other.day),
  )
}

export function totalUsage(calls: Iterable<Call>): Usage {
  const total = emptyUsage()
  for (const call of calls) add(total, call)
  return total
}

function emptyUsage(): Usage {
  const outcomes = Object.fromEntries(CALL_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    CallOutcome,
    number
  >
  return { calls: 0, counted: 0, wordsIn: 0, wordsOut: 0, outcomes }
}

function add(usage: Usage, call: Call): void {
  usage.calls += 1
  usage.counted += call.counted ? 1 : 0
  usage.wordsIn += call.wordsIn
  usage.wordsOut += call.wordsOut
  usage.outcomes[call.outcome] += 1
}
