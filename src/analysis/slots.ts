// The turns of a run by number and repeat, with what the journal says of each: a few bytes a turn, and no object.
import { CountList } from '../columns/count-list.ts'
import { NumberList } from '../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../columns/sequence.ts'
import { OUTCOMES, type Outcome } from '../domain/outcome.ts'
import type { UsageClass } from '../domain/usage.ts'
import type { PlaceList } from './keeping.ts'

/** A turn of one repeat as the journal leaves it. `P` is where the journal keeps a record. */
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

/** What a turn is before the journal says anything of it. */
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

/** First and last number of each run of questions in the order of the set, and how often each is asked. */
interface Standing {
  readonly ranges: readonly (readonly [number, number])[]
  readonly repeats: number
}

const CONTEXT_LOST = 1
const DANGLING = 2

/** Slots are numbered from 0 in the order of their making; the number is good for as long as the table is. */
export class Slots<P> {
  /** By repeat, then by the question's number: the slot's number plus one; 0 stands for none. */
  readonly #byRepeat = new Map<number, NumberList | Map<number, number>>()
  readonly #places: PlaceList<P>
  readonly #indices = new NumberList()
  readonly #repeats = new CountList()
  /** Less one: nearly all turns are asked in the first. */
  readonly #conversations = new CountList()
  readonly #outcomes = new NumberList(Uint8Array)
  readonly #flags = new NumberList(Uint8Array)
  readonly #attempts = new NumberList()
  readonly #waits = new NumberList(Float64Array)
  readonly #rateLimited = new CountList()
  readonly #usage = { certain: new CountList(), possible: new CountList(), notCounted: new CountList() }

  constructor(places: PlaceList<P>) {
    this.#places = places
  }

  get size(): number {
    return this.#indices.length
  }

  /** Few questions are asked in this repeat: it confirms others. To be said before the first of them. */
  declareFew(repeat: number): void {
    if (!this.#byRepeat.has(repeat)) this.#byRepeat.set(repeat, new Map())
  }

  /** The number of a slot, which is made where it is not there yet. */
  make(index: number, repeat: number): number {
    let ofRepeat = this.#byRepeat.get(repeat)
    if (ofRepeat === undefined) this.#byRepeat.set(repeat, (ofRepeat = new NumberList()))
    const known = numberIn(ofRepeat, index)
    if (known !== 0) return known - 1
    const slot = this.size
    ofRepeat.set(index, slot + 1)
    this.#indices.push(index)
    this.#repeats.set(slot, repeat)
    return slot
  }

  find(index: number, repeat: number): number | undefined {
    const ofRepeat = this.#byRepeat.get(repeat)
    const known = ofRepeat === undefined ? 0 : numberIn(ofRepeat, index)
    return known === 0 ? undefined : known - 1
  }

  /** What is known of a turn; of one that was never made, what stands before anything is. */
  read(index: number, repeat: number): Slot<P> {
    const slot = this.find(index, repeat)
    return slot === undefined ? newSlot(index, repeat) : this.at(slot)
  }

  at(slot: number): Slot<P> {
    const attempt = this.#attempts.at(slot)
    return {
      index: this.#indices.at(slot),
      repeat: this.#repeats.at(slot),
      conversation: this.conversationOf(slot),
      outcome: OUTCOMES[this.#outcomes.at(slot) - 1],
      contextLost: (this.#flags.at(slot) & CONTEXT_LOST) !== 0,
      last: attempt === 0 ? undefined : { attempt, place: this.#places.at(slot) },
      waitMs: this.#waits.at(slot),
      dangling: (this.#flags.at(slot) & DANGLING) !== 0,
      usage: {
        certain: this.#usage.certain.at(slot),
        possible: this.#usage.possible.at(slot),
        notCounted: this.#usage.notCounted.at(slot),
      },
      rateLimited: this.#rateLimited.at(slot),
    }
  }

  conversationOf(slot: number): number {
    return this.#conversations.at(slot) + 1
  }

  lastAttemptOf(slot: number): number | undefined {
    const attempt = this.#attempts.at(slot)
    return attempt === 0 ? undefined : attempt
  }

  setConversation(slot: number, conversation: number): void {
    this.#conversations.set(slot, conversation - 1)
  }

  /** The turn stands as never asked, in this conversation; what its attempts cost stays. */
  restart(slot: number, conversation: number): void {
    this.setConversation(slot, conversation)
    this.#outcomes.set(slot, 0)
    this.#flags.set(slot, 0)
    this.#attempts.set(slot, 0)
    this.#waits.set(slot, 0)
  }

  setDangling(slot: number, isDangling: boolean): void {
    this.#setFlag(slot, DANGLING, isDangling)
  }

  addUsage(slot: number, usage: UsageClass, more: number): void {
    this.#usage[usage].add(slot, more)
  }

  addRateLimited(slot: number): void {
    this.#rateLimited.add(slot, 1)
  }

  settle(slot: number, attempt: number, place: P, waitMs: number): void {
    this.#attempts.set(slot, attempt)
    this.#places.set(slot, place)
    this.#waits.add(slot, waitMs)
  }

  end(slot: number, outcome: Outcome, contextLost: boolean): void {
    this.#outcomes.set(slot, OUTCOMES.indexOf(outcome) + 1)
    this.#setFlag(slot, CONTEXT_LOST, contextLost)
  }

  #setFlag(slot: number, flag: number, isSet: boolean): void {
    const others = this.#flags.at(slot) & ~flag
    this.#flags.set(slot, isSet ? others | flag : others)
  }

  /** All that were made, in the order of their making. */
  all(): Sequence<Slot<P>> {
    return sequenceOf(this.size, (slot) => this.at(slot))
  }

  /** What stands, in the order of the set, then by repeat. */
  inOrder({ ranges, repeats }: Standing): Sequence<Slot<P>> {
    const starts: number[] = [0]
    for (const [first, last] of ranges)
      starts.push((starts.at(-1) ?? 0) + Math.max(0, last - first + 1) * repeats)
    let range = 0
    return sequenceOf(starts.at(-1) ?? 0, (place) => {
      // Mostly asked for in their order: the range of the last one is looked at first.
      if (place < (starts[range] ?? 0)) range = 0
      while (place >= (starts[range + 1] ?? Infinity)) range += 1
      const within = place - (starts[range] ?? 0)
      const index = (ranges[range]?.[0] ?? 0) + Math.floor(within / repeats)
      return this.read(index, (within % repeats) + 1)
    })
  }
}

const numberIn = (ofRepeat: NumberList | Map<number, number>, index: number): number =>
  ofRepeat instanceof Map ? (ofRepeat.get(index) ?? 0) : ofRepeat.at(index)
