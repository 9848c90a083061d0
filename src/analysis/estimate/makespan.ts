// How long threads take, each a chain of turns, behind a pace and with so many calls in flight: bounds, and a simulation.
import { Heap } from '../../columns/heap.ts'

export interface Lanes {
  /** Milliseconds from one start to the next, 0 where nothing holds them back. */
  readonly gapMs: number
  /** Calls in flight at most; Infinity for no end. */
  readonly concurrency: number
}

export interface Bounds {
  readonly pace: number
  readonly longestThread: number
  readonly concurrency: number
}

/**
 * Milliseconds that no order of the calls undercuts; `chains`: each thread's answer times in the order of its turns. By the pace:
 * n calls start n − 1 gaps apart, and the last takes its time. By the longest thread: turns wait for each other, and for
 * the pace. By the calls in flight: all work ÷ their number (Graham 1966, the area bound).
 */
export function boundsOf(chains: readonly (readonly number[])[], { gapMs, concurrency }: Lanes): Bounds {
  let [calls, work, shortest, longest] = [0, 0, Infinity, 0]
  for (const chain of chains) {
    let chainMs = 0
    for (const [place, answerMs] of chain.entries()) {
      calls += 1
      work += answerMs
      shortest = Math.min(shortest, answerMs)
      chainMs += place === chain.length - 1 ? answerMs : Math.max(answerMs, gapMs)
    }
    longest = Math.max(longest, chainMs)
  }
  if (calls === 0) return { pace: 0, longestThread: 0, concurrency: 0 }
  return {
    pace: gapMs === 0 ? 0 : (calls - 1) * gapMs + shortest,
    longestThread: longest,
    concurrency: work / concurrency,
  }
}

interface Running {
  readonly chain: readonly number[]
  readonly order: number
  next: number
  endsAt: number
}

const left = ({ chain, next }: Running): number => chain.length - next

/**
 * Milliseconds until the last answer, in the runner's own order: whoever may be sent and has the most turns left goes first (longest
 * processing time first, Graham 1969), then the order of the set. A start is due one gap after the one before, and no idle
 * time is made up for, as with a known rate.
 */
export function simulateMakespan(
  chains: readonly (readonly number[])[],
  { gapMs, concurrency }: Lanes,
): number {
  const ready = new Heap<Running>((a, b) => left(a) > left(b) || (left(a) === left(b) && a.order < b.order))
  const inFlight = new Heap<Running>((a, b) => a.endsAt < b.endsAt)
  for (const [order, chain] of chains.entries())
    if (chain.length > 0) ready.push({ chain, order, next: 0, endsAt: 0 })
  let [now, dueAt, lastEnd] = [0, 0, 0]
  const land = (until: number): void => {
    for (
      let first = inFlight.first();
      first !== undefined && first.endsAt <= until;
      first = inFlight.first()
    ) {
      inFlight.pop()
      first.next += 1
      if (left(first) > 0) ready.push(first)
    }
  }
  for (;;) {
    now = Math.max(now, dueAt)
    land(now)
    const soonest = inFlight.first()
    if (ready.size === 0 && soonest === undefined) return lastEnd
    if (soonest !== undefined && (ready.size === 0 || inFlight.size >= concurrency)) {
      now = Math.max(now, soonest.endsAt)
      land(now)
    }
    const thread = ready.pop()
    if (thread === undefined) continue
    thread.endsAt = now + (thread.chain[thread.next] ?? 0)
    lastEnd = Math.max(lastEnd, thread.endsAt)
    inFlight.push(thread)
    dueAt = now + gapMs
  }
}
