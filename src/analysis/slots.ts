// The turns of a run by number and repeat, as the journal leaves them.
import type { Outcome } from '../domain/outcome.ts'
import type { UsageClass } from '../domain/quota.ts'

/** A turn of one repeat. `P` is where the journal keeps a record. */
export interface Slot<P> {
  readonly index: number
  readonly repeat: number
  readonly conversation: number
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  /** The last attempt with a result in the conversation that stands. */
  readonly last: { readonly attempt: number; readonly place: P } | undefined
  /** Milliseconds that its attempts in that conversation waited, over all. */
  readonly waitMs: number
  /** An attempt of the conversation that stands has no result: nobody knows its state. */
  readonly dangling: boolean
  readonly usage: Readonly<Record<UsageClass, number>>
  readonly rateLimited: number
}

/** While the journal is read. */
export type OpenSlot<P> = { -readonly [K in Exclude<keyof Slot<P>, 'usage'>]: Slot<P>[K] } & {
  readonly usage: Record<UsageClass, number>
}

/** What a turn is before the journal says anything of it. */
export function newSlot<P>(index: number, repeat: number): OpenSlot<P> {
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

/** The turn stands as never asked, in this conversation; what its attempts cost stays. */
export function restartSlot(slot: OpenSlot<unknown>, conversation: number): void {
  Object.assign(slot, {
    conversation,
    outcome: undefined,
    contextLost: false,
    last: undefined,
    waitMs: 0,
    dangling: false,
  })
}

export class Slots<P> {
  /** In the order of their making. */
  readonly all: OpenSlot<P>[] = []
  /** By repeat, then by the question's number. */
  readonly #byRepeat = new Map<number, Map<number, OpenSlot<P>>>()

  /** The slot, made where it is not there yet. */
  make(index: number, repeat: number): OpenSlot<P> {
    const known = this.find(index, repeat)
    if (known !== undefined) return known
    const slot = newSlot<P>(index, repeat)
    this.all.push(slot)
    const ofRepeat = this.#byRepeat.get(repeat) ?? new Map<number, OpenSlot<P>>()
    this.#byRepeat.set(repeat, ofRepeat.set(index, slot))
    return slot
  }

  find(index: number, repeat: number): OpenSlot<P> | undefined {
    return this.#byRepeat.get(repeat)?.get(index)
  }

  /** What is known of a turn; of one that was never made, what stands before anything is. */
  read(index: number, repeat: number): Slot<P> {
    return this.find(index, repeat) ?? newSlot(index, repeat)
  }
}
