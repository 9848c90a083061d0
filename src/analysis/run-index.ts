// What stands at the end of a journal: for each turn its last outcome, and what all its attempts cost.
import type { JournalRecord, PaceRecord } from '../domain/journal.ts'
import type { InferredLimit } from '../domain/limit.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Stop } from '../domain/stop.ts'
import { usageClassOf, type UsageClass } from '../domain/usage.ts'

/** A turn of one repeat. `P` is where the journal keeps a record. */
export interface Slot<P> {
  readonly index: number
  readonly repeat: number
  conversation: number
  outcome: Outcome | undefined
  contextLost: boolean
  /** The last attempt with a result in the conversation that stands. */
  last: { readonly place: P; readonly serviceMs: number } | undefined
  waitMs: number
  /** An attempt of the conversation that stands has no result: nobody knows its state. */
  dangling: boolean
  readonly usage: Record<UsageClass, number>
  rateLimited: number
}

export interface RunIndex<P> {
  readonly questions: readonly Question[]
  /** In the order of the set, then of the repeats. */
  readonly slots: readonly Slot<P>[]
  readonly attempts: number
  readonly sittings: number
  readonly paceChanges: readonly PaceRecord[]
  readonly paceChangesLeftOut: number
  /** The last that was learned of the limit. */
  readonly limit: InferredLimit | undefined
  readonly stop: Stop | undefined
  /** Milliseconds since the epoch of the last record. */
  readonly lastAt: number | undefined
}

/** As many changes of pace as a report shows; a run of days may have many more. */
const MOST_PACE_CHANGES = 10_000

export interface RunIndexer<P> {
  add(record: JournalRecord, place: P): void
  finish(): RunIndex<P>
}

export function createRunIndexer<P>(countRejected: boolean): RunIndexer<P> {
  const questions: Question[] = []
  const threads = new Map<string, number[]>()
  const slots = new Map<string, Slot<P>>()
  const open = new Map<number, Slot<P>>()
  const paceChanges: PaceRecord[] = []
  let [attempts, sittings, paceChangesLeftOut] = [0, 0, 0]
  let stop: Stop | undefined
  let limit: InferredLimit | undefined
  let lastAt: number | undefined

  const slotOf = (index: number, repeat: number): Slot<P> => {
    const key = `${index} ${repeat}`
    const known = slots.get(key)
    if (known !== undefined) return known
    const usage = { certain: 0, possible: 0, notCounted: 0 }
    const none = {
      outcome: undefined,
      contextLost: false,
      last: undefined,
      waitMs: 0,
      rateLimited: 0,
      dangling: false,
    }
    const slot = { index, repeat, conversation: 1, ...none, usage }
    slots.set(key, slot)
    return slot
  }

  const add = (record: JournalRecord, place: P): void => {
    if (record.kind !== 'question') lastAt = record.at
    switch (record.kind) {
      case 'sitting':
        sittings += 1
        stop = undefined
        return
      case 'question': {
        const { index, question } = record
        questions[index] = question
        const key = JSON.stringify([question.file, question.thread])
        threads.set(key, [...(threads.get(key) ?? []), index])
        slotOf(index, 1)
        return
      }
      case 'intent': {
        attempts = Math.max(attempts, record.attempt)
        const slot = slotOf(record.question, record.repeat)
        // Until its result is read: sent, and nobody knows what became of it.
        slot.usage.possible += 1
        slot.dangling = true
        open.set(record.attempt, slot)
        return
      }
      case 'result': {
        const slot = open.get(record.attempt)
        if (slot === undefined) return
        open.delete(record.attempt)
        slot.dangling = record.result.kind === 'abandoned' && record.result.sent
        slot.usage.possible -= 1
        slot.usage[usageClassOf(record.result, countRejected)] += 1
        if (record.result.kind === 'rejection' && record.result.httpStatus === 429) slot.rateLimited += 1
        slot.waitMs += record.waitMs
        slot.last = { place, serviceMs: record.serviceMs }
        return
      }
      case 'outcome': {
        const slot = slotOf(record.question, record.repeat)
        slot.outcome = record.outcome
        slot.contextLost = record.contextLost
        return
      }
      case 'restart': {
        const question = questions[record.question]
        const key = JSON.stringify([question?.file, question?.thread])
        for (const index of threads.get(key) ?? []) {
          const slot = slotOf(index, record.repeat)
          Object.assign(slot, { conversation: record.conversation, outcome: undefined, contextLost: false })
          Object.assign(slot, { last: undefined, waitMs: 0, dangling: false })
        }
        return
      }
      case 'pace':
        limit = record.limit ?? limit
        if (paceChanges.length < MOST_PACE_CHANGES) paceChanges.push(record)
        else paceChangesLeftOut += 1
        return
      case 'end':
        stop = record.stop
        return
    }
  }

  return {
    add,
    finish: () => {
      const inOrder = [...slots.values()].sort((a, b) => a.index - b.index || a.repeat - b.repeat)
      return {
        questions,
        slots: inOrder,
        attempts,
        sittings,
        paceChanges,
        paceChangesLeftOut,
        limit,
        stop,
        lastAt,
      }
    },
  }
}
