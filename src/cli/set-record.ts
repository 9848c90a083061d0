// The journal's word on which questions stand.
import type { SetRecord } from '../domain/journal.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'
import { realClock } from './clock.ts'

export function setRecord(
  turns: Iterable<PlannedTurn>,
  digests: readonly string[],
  repeats: number,
): SetRecord {
  return { kind: 'set', at: realClock.wall(), digests: [...digests], ranges: rangesOf(turns), repeats }
}

/** Numbers in their order, as first and last of each run of them. */
export function rangesOf(turns: Iterable<Pick<PlannedTurn, 'index'>>): [number, number][] {
  const ranges: [number, number][] = []
  for (const { index } of turns) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === index) last[1] = index
    else ranges.push([index, index])
  }
  return ranges
}
