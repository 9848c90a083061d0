// A session of a run while it sends: how far it is, and whether its verdict is certain.
import type { JournalEvent } from '../../domain/journal.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import type { RunProgress } from '../../domain/progress.ts'
import type { Question } from '../../domain/question.ts'
import { isGrounded } from '../../domain/turn.ts'
import { createAccount } from '../figures/account.ts'
import type { Decider } from './decider.ts'
import { createSlots, type OpenSlot } from '../figures/slots.ts'

interface SentThread {
  readonly turns: readonly { readonly index: number; readonly question: Question }[]
  readonly repeat: number
  /** The index of its first turn that this session sends. */
  readonly next: number
}

/** Nothing of a session that sends is read again. */
const NOWHERE = { journal: 0, offset: 0, length: 0 }

export type RunCounts = ReturnType<typeof createRunCounts>

/**
 * Counts with each record: a run may have 100,000 turns. Turns that ended in an earlier session are not
 * counted. Without a `decider`, the run sends everything.
 */
export function createRunCounts(
  threads: readonly SentThread[],
  groundedSources: readonly string[],
  decider?: Decider,
) {
  const account = createAccount()
  const conversations = new Map(threads.map(({ turns }) => [turns[0]?.index, turns]))
  const threadOf = (first: number): number[] => (conversations.get(first) ?? []).map(({ index }) => index)
  const slots = createSlots()
  // A turn is done that was skipped, or answered without its context.
  const counts = { open: 0, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  type TurnState = keyof typeof counts
  const states = new Map<OpenSlot, TurnState>()
  const count = (slot: OpenSlot): void => {
    const before = states.get(slot)
    if (before !== undefined) counts[before] -= 1
    const { outcome } = slot
    const grounded = isGrounded(slot, groundedSources)
    let state: TurnState = outcome === undefined ? 'open' : isErrorOutcome(outcome) ? 'error' : 'done'
    if (grounded !== undefined) state = grounded ? 'grounded' : 'ungrounded'
    counts[state] += 1
    states.set(slot, state)
  }
  /** Counts what is sent of the threads, and returns all their turns. */
  const expect = (sent: readonly SentThread[]) =>
    sent.flatMap(({ turns, next, repeat }) =>
      turns.map(({ index, question }, at) => {
        const turn = Object.assign(slots.make(index, repeat), { question })
        if (at >= next) count(turn)
        return turn
      }),
    )
  const judged = expect(threads).sort((a, b) => a.index - b.index || a.repeat - b.repeat)
  for (const turn of decider?.recorded ?? []) {
    const slot = slots.make(turn.index, turn.repeat)
    if (turn.outcome !== undefined && !states.has(slot)) Object.assign(slot, turn)
  }
  return {
    expect,
    add: (event: JournalEvent): void => {
      account.add(event)
      for (const slot of slots.add(event, NOWHERE, threadOf)) {
        count(slot)
        const { question } = slot
        if (decider !== undefined && question !== undefined && event.kind === 'turnEnded')
          slot.grade = decider.gradeOf({ ...slot, question }, event.result?.result)
      }
    },
    isDecided: decider && ((): boolean => decider.isDecided(judged)),
    progress: (): RunProgress => ({
      of: 'run',
      total: states.size,
      done: states.size - counts.open,
      answered: counts.grounded + counts.ungrounded,
      grounded: counts.grounded,
      errors: counts.error,
      attempts: account.counts.sent,
      rateLimited: account.counts.rateLimited,
      ended: account.counts.ended,
      inFlight: account.inFlight.size,
      oldestAt: account.inFlight.values().next().value ?? null,
    }),
  }
}
