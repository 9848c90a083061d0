// From the records of a run to the state of each turn, for a folded journal and for a session that sends.
import { factsOf, isRateLimited, type ResultFacts } from '../../domain/attempt.ts'
import type { IntentRecord, JournalEvent, Position, ResultRecord } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import { NO_RESULT, type TurnFacts } from '../../domain/turn.ts'
import { usageClassOf } from './account.ts'

/** Usage is that of all attempts, earlier conversations included. Facts count once there is an outcome. */
export interface Slot extends TurnFacts {
  readonly conversation: number
  /** A journal may have lost it; only a session that sends has it for certain. */
  readonly question: Question | undefined
  readonly last: { readonly attempt: number; readonly position: Position } | undefined
  readonly waitMs: number
  /** An attempt in the current conversation has no result, so the conversation's state is unknown. */
  readonly dangling: boolean
}

export type OpenSlot = { -readonly [K in keyof Slot]: Slot[K] }

const USAGE_NAMES = ['certain', 'possible', 'notCounted', 'rateLimited'] as const

/** A run has many slots, and without spreads each takes half the memory. */
const newSlot = (index: number, repeat: number): OpenSlot => ({
  index,
  repeat,
  conversation: 1,
  question: undefined,
  outcome: undefined,
  contextLost: false,
  grade: 'notGraded',
  facts: NO_RESULT.facts,
  serviceMs: undefined,
  waitMs: 0,
  last: undefined,
  dangling: false,
  certain: 0,
  possible: 0,
  notCounted: 0,
  rateLimited: 0,
})

function resetSlot(slot: OpenSlot, conversation: number): OpenSlot {
  const { index, repeat, question, certain, possible, notCounted, rateLimited } = slot
  const usage = { certain, possible, notCounted, rateLimited }
  return Object.assign(slot, newSlot(index, repeat), { conversation, question, ...usage })
}

export function createSlots() {
  const byRepeat = new Map<number, OpenSlot[]>()
  const open = new Map<number, OpenSlot>()

  // Most results say the same.
  const shared = new Map<string, ResultFacts>()
  const share = (facts: ResultFacts): ResultFacts => {
    const key = JSON.stringify(facts)
    const known = shared.get(key) ?? facts
    shared.set(key, known)
    return known
  }

  const make = (index: number, repeat: number): OpenSlot => {
    const ofRepeat = byRepeat.get(repeat) ?? []
    byRepeat.set(repeat, ofRepeat)
    return (ofRepeat[index] ??= newSlot(index, repeat))
  }
  /** An attempt counts as possible usage until its result is read. */
  const addIntent = ({ attempt, question, repeat, conversation }: IntentRecord): void => {
    const slot = make(question, repeat)
    if (conversation > slot.conversation) resetSlot(slot, conversation)
    slot.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
  }
  const addResult = ({ attempt, result, waitMs, serviceMs }: ResultRecord, position: Position): void => {
    const slot = open.get(attempt)
    if (slot === undefined) return
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.possible -= 1
    slot[usageClassOf(result)] += 1
    if (isRateLimited(result)) slot.rateLimited += 1
    slot.last = { attempt, position }
    slot.waitMs += waitMs
    slot.serviceMs = serviceMs
    slot.facts = share(factsOf(result))
  }
  return {
    make,
    /** Returns the turns that ended, or that a restart opened again. */
    add: (
      event: JournalEvent,
      position: Position,
      threadOf: (index: number) => readonly number[],
    ): readonly OpenSlot[] => {
      if (event.kind === 'question') make(event.index, 1)
      else if (event.kind === 'intent') addIntent(event)
      else if (event.kind === 'result') addResult(event, position)
      else if (event.kind === 'turnEnded') {
        const slot = make(event.question, event.repeat)
        // An outcome does not count if its answer is lost: the turn is sent again.
        if (event.attempt !== undefined && event.attempt !== slot.last?.attempt) return []
        slot.outcome = event.outcome
        slot.contextLost = event.contextLost
        return [slot]
      } else if (event.kind === 'restart')
        return threadOf(event.question).map((index) =>
          resetSlot(make(index, event.repeat), event.conversation),
        )
      return []
    },
    /** Counts what it cost to send conversations again with the first ones. */
    joinUsage: (as: number, repeat: number): void => {
      for (const slot of Object.values(byRepeat.get(as) ?? [])) {
        const first = make(slot.index, repeat)
        for (const name of USAGE_NAMES) [first[name], slot[name]] = [first[name] + slot[name], 0]
      }
    },
    repeats: (): number => Math.max(1, ...byRepeat.keys()),
    read: (index: number, repeat: number): Slot => byRepeat.get(repeat)?.[index] ?? newSlot(index, repeat),
  }
}
