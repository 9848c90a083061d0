// Threads that no sitting has begun yet, in the order in which they are to be: sorted once, a number each.
import { NumberList } from '../columns/number-list.ts'
import type { Sequence } from '../columns/sequence.ts'
import { turnsLeft, type ThreadState } from './thread-state.ts'

export interface WaitingList {
  readonly size: number
  /** The next one, opened. */
  peek(): ThreadState | undefined
  take(): ThreadState | undefined
}

/** The order is that of the ready queue. Each thread is looked at once, and opened again when it is the next. */
export function createWaitingList(threads: Sequence<ThreadState>): WaitingList {
  const order = inOrder(threads)
  let taken = 0
  let next: ThreadState | undefined
  return {
    get size() {
      return order.length - taken
    },
    peek: () => {
      const place = order[taken]
      if (place !== undefined) next ??= threads.at(place)
      return next
    },
    take: () => {
      const place = order[taken]
      const thread = next ?? (place === undefined ? undefined : threads.at(place))
      next = undefined
      if (place !== undefined) taken += 1
      return thread
    },
  }
}

/** Places of the threads that are not at their end: those refused once first, then the most turns left, then the set's order. */
function inOrder(threads: Sequence<ThreadState>): Uint32Array {
  const places = new NumberList()
  const [lefts, orders, repeats] = [new NumberList(), new NumberList(), new NumberList()]
  const wasRefused = new NumberList(Uint8Array)
  let place = 0
  for (const thread of threads) {
    lefts.set(place, turnsLeft(thread))
    orders.set(place, thread.order)
    repeats.set(place, thread.repeat)
    wasRefused.set(place, thread.tries > 0 ? 1 : 0)
    if (turnsLeft(thread) > 0) places.push(place)
    place += 1
  }
  const compare = (a: number, b: number): number =>
    wasRefused.at(b) - wasRefused.at(a) ||
    lefts.at(b) - lefts.at(a) ||
    orders.at(a) - orders.at(b) ||
    repeats.at(a) - repeats.at(b)
  return Uint32Array.from(places).sort(compare)
}
