// How long threads take, each a chain of turns, behind a pace and with so many calls in flight: bounds, and a simulation.
import { Heap } from '../../domain/heap.ts'
import { left, ReadyThreads, type Running } from './ready-threads.ts'

/** Calls that are followed one by one, up to twice as many where these are all; of more some repeats are, and what each further one adds. */
const MOST_FOLLOWED = 1_000_000

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
 * Milliseconds that no order of the calls undercuts; `chains`: each thread's answer times in the order of its turns, all of them
 * asked `repeats` times, one repeat after the other. By the pace:
 * n calls start n − 1 gaps apart, and the last takes its time. By the longest thread: turns wait for each other, and for
 * the pace. By the calls in flight: all work ÷ their number (Graham 1966, the area bound).
 */
export function boundsOf(
  chains: readonly (readonly number[])[],
  { gapMs, concurrency }: Lanes,
  repeats: number,
): Bounds {
  let [calls, shortest, longest] = [0, Infinity, 0]
  for (const chain of chains) {
    let chainMs = 0
    for (const [place, answerMs] of chain.entries()) {
      calls += repeats
      shortest = Math.min(shortest, answerMs)
      chainMs += place === chain.length - 1 ? answerMs : Math.max(answerMs, gapMs)
    }
    longest = Math.max(longest, chainMs)
  }
  if (calls === 0) return { pace: 0, longestThread: 0, concurrency: 0 }
  return {
    pace: gapMs === 0 ? 0 : (calls - 1) * gapMs + shortest,
    longestThread: longest,
    concurrency: sumOf(chains.flat(), repeats) / concurrency,
  }
}

/** Added one by one, so that repeats cost what they would as threads of their own, to the last digit; of very many, multiplied. */
export function sumOf(numbers: readonly number[], repeats: number): number {
  if (repeats > 1 && numbers.length * repeats > MOST_FOLLOWED) return sumOf(numbers, 1) * repeats
  let sum = 0
  for (let repeat = 0; repeat < repeats; repeat += 1) for (const number of numbers) sum += number
  return sum
}

/**
 * Milliseconds until the last answer, as simulated. Of more calls than are followed one by one, some of the repeats of each turn
 * are, and each further one adds the same. Where the pace alone holds the calls up, or all answers take equally long, that
 * is exact; elsewhere it may be off by some of the longest answers for each turn of the longest thread, and by what
 * measuring a repeat leaves open. Never below the bounds.
 */
export function makespanOf(
  chains: readonly (readonly number[])[],
  lanes: Lanes,
  repeats: number,
  mostFollowed = MOST_FOLLOWED,
): number {
  const calls = chains.reduce((sum, { length }) => sum + length, 0) * repeats
  if (calls <= mostFollowed) return simulateMakespan(chains, lanes, repeats)
  const { pace, longestThread, concurrency } = boundsOf(chains, lanes, repeats)
  // Filling the lanes and measuring a repeat would cost as much.
  const takes =
    calls <= 2 * mostFollowed
      ? simulateMakespan(chains, lanes, repeats)
      : carryOn(chains, lanes, repeats, mostFollowed)
  return Math.max(takes, pace, longestThread, concurrency)
}

function carryOn(
  chains: readonly (readonly number[])[],
  lanes: Lanes,
  repeats: number,
  mostFollowed: number,
): number {
  const stretches = stretchesOf(chains)
  const followed = followedRepeats(stretches, lanes, repeats, mostFollowed)
  const more = followed.map((some) => repeats - some)
  return simulate(chains, lanes, (turns) => followed[turns - 1] ?? 0) + msOfMore(stretches, lanes, more)
}

/**
 * Milliseconds until the last answer, in the runner's own order: whoever may be sent and has the most turns left goes first (longest
 * processing time first, Graham 1969), then the order of the set. A start is due one gap after the one before, and no idle
 * time is made up for, as with a known rate.
 */
export function simulateMakespan(
  chains: readonly (readonly number[])[],
  lanes: Lanes,
  repeats: number,
): number {
  return simulate(chains, lanes, () => repeats)
}

/** Of a run that ends early, the calls that are followed; what more of them add is as what the last half of these does. */
const MOST_OF_FIRST = 250_000

/** Milliseconds until the last answer of a run that begins so many calls, of more that the same threads would take. */
export function makespanOfFirst(
  calls: number,
  chains: readonly (readonly number[])[],
  lanes: Lanes,
  repeats: number,
): number {
  const takes = (most: number): number => simulate(chains, lanes, () => Math.min(repeats, most), most)
  if (calls <= MOST_OF_FIRST) return takes(calls)
  const [all, half] = [takes(MOST_OF_FIRST), takes(MOST_OF_FIRST / 2)]
  return all + ((all - half) * (calls - MOST_OF_FIRST)) / (MOST_OF_FIRST / 2)
}

/** `repeatsOf`: how many of the turns with so many left are followed; `most`: the calls that are begun. */
function simulate(
  chains: readonly (readonly number[])[],
  { gapMs, concurrency }: Lanes,
  repeatsOf: (turns: number) => number,
  most = Infinity,
): number {
  const ready = new ReadyThreads(chains, repeatsOf)
  const inFlight = new Heap<Running>((a, b) => a.endsAt < b.endsAt)
  let [now, dueAt, lastEnd, begun] = [0, 0, 0, 0]
  const land = (until: number): void => {
    for (
      let first = inFlight.first();
      first !== undefined && first.endsAt <= until;
      first = inFlight.first()
    ) {
      inFlight.pop()
      first.next += 1
      if (left(first) > 0) ready.land(first)
    }
  }
  for (;;) {
    if (begun >= most) return lastEnd
    now = Math.max(now, dueAt)
    land(now)
    const soonest = inFlight.first()
    if (ready.isEmpty() && soonest === undefined) return lastEnd
    if (soonest !== undefined && (ready.isEmpty() || inFlight.size >= concurrency)) {
      now = Math.max(now, soonest.endsAt)
      land(now)
    }
    const thread = ready.take()
    if (thread === undefined) continue
    thread.endsAt = now + (thread.chain[thread.next] ?? 0)
    lastEnd = Math.max(lastEnd, thread.endsAt)
    inFlight.push(thread)
    begun += 1
    dueAt = now + gapMs
  }
}

/** Calls that are followed one by one to measure how they hold each other up: so many in all, but enough to fill the lanes. */
const MEASURED_CALLS = 500_000
const MEASURED_FILLS = 2

/**
 * The answers of a repeat by the number of turns left, from 1. Whoever has the most turns left goes first, so all repeats ask
 * their turn with so many left before any of them asks the next: one stretch for each number, in which the same answers
 * follow each other repeat by repeat.
 */
function stretchesOf(chains: readonly (readonly number[])[]): number[][] {
  const stretches: number[][] = []
  for (const chain of chains)
    for (const [place, answerMs] of chain.entries())
      (stretches[chain.length - place - 1] ??= []).push(answerMs)
  return stretches
}

/** Milliseconds that all stretches take longer by the repeats that each of them has more. */
function msOfMore(stretches: readonly (readonly number[])[], lanes: Lanes, more: readonly number[]): number {
  const measured = MEASURED_CALLS / stretches.length
  return stretches.reduce((sum, answers, place) => {
    const repeats = more[place] ?? 0
    return repeats === 0 ? sum : sum + repeats * cycleMs(answers, lanes, measured)
  }, 0)
}

/**
 * Of answers that follow each other in a circle, each started where the pace and the calls in flight allow it. Exact but for a mix
 * that both hold up in turn, which is measured: starts never come sooner for a busier beginning (the recursion of Kiefer and
 * Wolfowitz 1955 is monotone), so what is measured is off by one longest answer over its whole stretch at most.
 */
function cycleMs(answers: readonly number[], { gapMs, concurrency }: Lanes, measured: number): number {
  const lanes = Math.ceil(concurrency)
  const work = answers.reduce((sum, ms) => sum + ms, 0) / lanes
  const paced = answers.length * gapMs
  const [longest, shortest] = [extreme(answers, Math.max), extreme(answers, Math.min)]
  // Nothing waits for a call to land, or nothing but that: no lane is ever idle.
  if (longest <= lanes * gapMs) return paced
  if (gapMs === 0 || longest === shortest) return work
  return Math.max(work, paced, measureCycle(answers, { gapMs, concurrency: lanes }, measured))
}

const extreme = (numbers: readonly number[], of: (a: number, b: number) => number): number =>
  numbers.reduce((best, number) => of(best, number))

/** Over the second half of the cycles that are followed: the first may still be filling the lanes. */
function measureCycle(answers: readonly number[], { gapMs, concurrency }: Lanes, calls: number): number {
  const half = Math.ceil(Math.max(calls, MEASURED_FILLS * concurrency) / answers.length / 2)
  const ends = new Heap<number>((a, b) => a < b)
  let [dueAt, halfAt] = [0, 0]
  for (let cycle = 0; cycle < 2 * half; cycle += 1) {
    if (cycle === half) halfAt = dueAt
    for (const answerMs of answers) {
      const landsAt = ends.size < concurrency ? 0 : (ends.pop() ?? 0)
      const startsAt = Math.max(dueAt, landsAt)
      ends.push(startsAt + answerMs)
      dueAt = startsAt + gapMs
    }
  }
  return (dueAt - halfAt) / half
}

/** Each number of turns left gets calls enough that the lanes are filled so often: only then do its calls wait for lanes alone, and for no answer of their threads. */
const FILLS = 3
/** That may take so many times the calls that are followed otherwise, and no more. */
const MOST_TO_FILL = 4

/**
 * `answers`: of the turns with so many left, one list for each number; `most`: calls in all. Of equal answers the lanes stand
 * alike again after some repeats, so where these are few, a whole number of them is left out.
 */
function followedRepeats(
  stretches: readonly (readonly number[])[],
  { gapMs, concurrency }: Lanes,
  repeats: number,
  most: number,
): number[] {
  const longest = stretches.flat().reduce((best, ms) => Math.max(best, ms), 0)
  const atOnce = Math.min(Math.ceil(concurrency), gapMs === 0 ? Infinity : Math.floor(longest / gapMs) + 1)
  const even = most / 2 / stretches.length
  const toFill = Number.isFinite(atOnce)
    ? Math.min(FILLS * atOnce, (MOST_TO_FILL * most) / stretches.length)
    : 0
  return stretches.map(({ length }) => {
    const few = Math.max(2, Math.ceil(Math.max(even, toFill) / length))
    if (few >= repeats) return repeats
    const round = roundOf(Math.ceil(concurrency), length)
    return round * length > Math.max(even, toFill) ? few : few + ((repeats - few) % round)
  })
}

/** Repeats of so many calls after which a whole number of times each lane had one. */
function roundOf(lanes: number, calls: number): number {
  if (!Number.isFinite(lanes)) return 1
  let [a, b] = [lanes, calls]
  while (b > 0) [a, b] = [b, a % b]
  return lanes / a
}
