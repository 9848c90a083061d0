// The turns of a run by number and repeat, with what the journal says of each.
import type { SetRecord } from '../domain/journal.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { UsageClass } from '../domain/usage.ts'

/** A turn of one repeat. `P` is where the journal keeps a record. */
export interface Slot<P> {
  readonly index: number
  readonly repeat: number
  conversation: number
  outcome: Outcome | undefined
  contextLost: boolean
  /** The last attempt with a result in the conversation that stands. */
  last: { readonly attempt: number; readonly place: P; readonly serviceMs: number } | undefined
  waitMs: number
  /** An attempt of the conversation that stands has no result: nobody knows its state. */
  dangling: boolean
  readonly usage: Record<UsageClass, number>
  rateLimited: number
}

export interface Slots<P> {
  /** Made where it is not there yet. */
  of(index: number, repeat: number): Slot<P>
  all(): readonly Slot<P>[]
  /** What stands, in the order of the set, then by repeat; without a set, every question that was recorded. */
  inOrder(
    set: Pick<SetRecord, 'ranges' | 'repeats'> | undefined,
    questions: readonly (Question | undefined)[],
  ): Slot<P>[]
}

export function createSlots<P>(): Slots<P> {
  /** By repeat, from 1, then by number. */
  const byRepeat: Slot<P>[][] = []

  const of = (index: number, repeat: number): Slot<P> => {
    const ofRepeat = (byRepeat[repeat] ??= [])
    return (ofRepeat[index] ??= newSlot(index, repeat))
  }
  return {
    of,
    // `Object.values` passes over what is not there.
    all: () => Object.values(byRepeat).flatMap((ofRepeat) => Object.values(ofRepeat)),
    inOrder: (set, questions) => {
      const { ranges, repeats } = set ?? { ranges: [[0, questions.length - 1]] as const, repeats: 1 }
      const inOrder: Slot<P>[] = []
      for (const [first, last] of ranges)
        for (let index = first; index <= last; index += 1)
          for (let repeat = 1; repeat <= repeats; repeat += 1) inOrder.push(of(index, repeat))
      return inOrder
    },
  }
}

export function newSlot<P>(index: number, repeat: number): Slot<P> {
  return {
    index,
    repeat,
    conversation: 1,
    outcome: undefined,
    contextLost: false,
    last: undefined,
    waitMs: 0,
    rateLimited: 0,
    dangling: false,
    usage: { certain: 0, possible: 0, notCounted: 0 },
  }
}
