// What each further repeat of a set takes once it is well under way: so that any number of repeats is estimated as fast as a few.
import { Heap } from '../../domain/heap.ts'
import type { Lanes } from './makespan.ts'

/** Calls that are followed one by one to measure how they hold each other up: so many in all, but enough to fill the lanes. */
const MEASURED_CALLS = 500_000
const MEASURED_FILLS = 2

/**
 * The answers of a repeat by the number of turns left, from 1. Whoever has the most turns left goes first, so all repeats ask
 * their turn with so many left before any of them asks the next: one stretch for each number, in which the same answers
 * follow each other repeat by repeat.
 */
export function stretchesOf(chains: readonly (readonly number[])[]): number[][] {
  const stretches: number[][] = []
  for (const chain of chains)
    for (const [place, answerMs] of chain.entries())
      (stretches[chain.length - place - 1] ??= []).push(answerMs)
  return stretches
}

/** Milliseconds that all stretches take longer by the repeats that each of them has more. */
export function msOfMore(
  stretches: readonly (readonly number[])[],
  lanes: Lanes,
  more: readonly number[],
): number {
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
