// Which thread goes next, of threads that are asked many times over: memory for the set and the calls in flight, not for the repeats.
import { Heap } from '../../domain/heap.ts'

/** A thread on its way in one of its repeats. */
export interface Running {
  readonly chain: readonly number[]
  /** Of all threads, all of a repeat before those of the next; counted from the end, so that the last repeat's come before 0. */
  readonly order: number
  /** Place in `chain` of the turn that is asked, or the next to ask. */
  next: number
  endsAt: number
}

export const left = ({ chain, next }: Running): number => chain.length - next

/** Threads with so many turns left, in their order: those up to the cursor have been there, or are late. */
interface Level {
  /** Numbers of the threads that have so many turns or more. */
  readonly threads: number[]
  place: number
  /** Those of the level, from its first to below 0. */
  repeat: number
  /** The order of the first thread of its first repeat. */
  readonly firstOrder: number
  /** Those that the cursor passed over while they were in flight with more turns left. */
  readonly late: Heap<Running>
}

/**
 * Whoever has the most turns left goes first, then the order. So a level is begun only once nobody above it waits: all others
 * that ever come to it are there already, but for those in flight, and need not be held to be known.
 */
export class ReadyThreads {
  readonly #chains: readonly (readonly number[])[]
  /** By the number of turns left. */
  readonly #levels: readonly Level[]
  /** Nobody waits above it. */
  #top: number
  /** The order of those in flight that go on when they land. */
  readonly #goOn = new Set<number>()

  /** `repeatsOf`: how many, the last ones, are followed of the turns with so many left. */
  constructor(chains: readonly (readonly number[])[], repeatsOf: (turns: number) => number) {
    this.#chains = chains
    const longest = chains.reduce((most, { length }) => Math.max(most, length), 0)
    this.#levels = Array.from({ length: longest + 1 }, (_, turns) => ({
      threads: [],
      place: 0,
      repeat: -repeatsOf(turns),
      firstOrder: -repeatsOf(turns) * chains.length,
      late: new Heap<Running>((a, b) => a.order < b.order),
    }))
    for (const [thread, { length }] of chains.entries())
      for (let turns = 1; turns <= length; turns += 1) this.#levels[turns]?.threads.push(thread)
    this.#top = longest
  }

  isEmpty(): boolean {
    return this.#settle() === undefined
  }

  /** It is in flight from then on. Undefined where none is ready. */
  take(): Running | undefined {
    const level = this.#settle()
    if (level === undefined) return undefined
    const running = level.late.pop() ?? this.#begin(level)
    if (left(running) > 1) this.#goOn.add(running.order)
    return running
  }

  /** With turns left: `next` is the next of them. */
  land(running: Running): void {
    this.#goOn.delete(running.order)
    const turns = left(running)
    const level = this.#levels[turns]
    // Else the cursor is still to come to it, or its repeat is none of those that are followed there.
    if (level === undefined || running.order >= this.#orderAt(level) || running.order < level.firstOrder)
      return
    level.late.push(running)
    this.#top = Math.max(this.#top, turns)
  }

  /** The highest level at which one waits, its cursor on the first that does. */
  #settle(): Level | undefined {
    for (; this.#top > 0; this.#top -= 1) {
      const level = this.#levels[this.#top]
      if (level === undefined) continue
      if (level.late.size > 0) return level
      while (this.#goOn.has(this.#orderAt(level))) this.#advance(level)
      if (level.repeat < 0) return level
    }
    return undefined
  }

  #begin(level: Level): Running {
    const order = this.#orderAt(level)
    const chain = this.#chains[level.threads[level.place] ?? NaN] ?? []
    this.#advance(level)
    return { chain, order, next: chain.length - this.#top, endsAt: 0 }
  }

  /** Infinite behind the last. */
  #orderAt({ threads, place, repeat }: Level): number {
    const thread = threads[place]
    if (thread === undefined || repeat >= 0) return Infinity
    return repeat * this.#chains.length + thread
  }

  #advance(level: Level): void {
    level.place += 1
    if (level.place < level.threads.length) return
    level.place = 0
    level.repeat += 1
  }
}
