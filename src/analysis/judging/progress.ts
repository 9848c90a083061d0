// A session of a run while it sends: how far it is, and whether its verdict is certain.
import type { JournalEvent } from '../../domain/journal.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import type { RunProgress } from '../../domain/progress.ts'
import type { Question } from '../../domain/question.ts'
import { isGrounded } from '../../domain/turn.ts'
import { createAccount } from '../figures/account.ts'
import { createSlots, type OpenSlot } from '../figures/fold.ts'
import type { Decider } from './decided.ts'

interface SentThread {
  readonly turns: readonly { readonly index: number; readonly question: Question }[]
  readonly repeat: number
  readonly next: number
}

const NOWHERE = { journal: 0, offset: 0, length: 0 }

export type RunCounts = ReturnType<typeof createRunCounts>

/** Turns that ended in an earlier session are not counted. Without a `decider`, the run sends everything. */
export function createRunCounts(
  threads: readonly SentThread[],
  groundedSources: readonly string[],
  decider?: Decider,
) {
  const account = createAccount()
  const conversations = new Map(threads.map(({ turns }) => [turns[0]?.index, turns]))
  const threadOf = (first: number): number[] => (conversations.get(first) ?? []).map(({ index }) => index)
  const slots = createSlots()
  const sent = new Set<OpenSlot>()
  const expect = (some: readonly SentThread[]) =>
    some.flatMap(({ turns, next, repeat }) =>
      turns.map(({ index, question }, at) => {
        const turn = Object.assign(slots.make(index, repeat), { question })
        if (at >= next) sent.add(turn)
        return turn
      }),
    )
  const judged = expect(threads).sort((a, b) => a.index - b.index || a.repeat - b.repeat)
  for (const turn of decider?.recorded ?? []) {
    const slot = slots.make(turn.index, turn.repeat)
    if (turn.outcome !== undefined && !sent.has(slot)) Object.assign(slot, turn)
  }
  return {
    expect,
    add: (event: JournalEvent): void => {
      account.add(event)
      for (const slot of slots.add(event, NOWHERE, threadOf)) {
        sent.add(slot)
        const { question } = slot
        if (decider !== undefined && question !== undefined && event.kind === 'turnEnded')
          slot.grade = decider.gradeOf({ ...slot, question }, event.result?.result)
      }
    },
    isDecided: decider && ((): boolean => decider.isDecided(judged)),
    /** Goes through the turns of the session: 100,000 take some milliseconds. */
    progress: (): RunProgress => {
      const counts = { done: 0, answered: 0, grounded: 0, errors: 0 }
      for (const slot of sent) {
        if (slot.outcome === undefined) continue
        // A turn is done, too, that was skipped, or answered without its context.
        counts.done += 1
        if (isErrorOutcome(slot.outcome)) counts.errors += 1
        const grounded = isGrounded(slot, groundedSources)
        if (grounded !== undefined) counts.answered += 1
        if (grounded === true) counts.grounded += 1
      }
      return {
        of: 'run',
        total: sent.size,
        ...counts,
        attempts: account.counts.sent,
        rateLimited: account.counts.rateLimited,
        ended: account.counts.ended,
        inFlight: account.inFlight.size,
        oldestAt: account.inFlight.values().next().value ?? null,
      }
    },
  }
}
