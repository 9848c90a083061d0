// Planned turns by their threads.
import { threadKey } from '../analysis/threads-of-run.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'

export type ThreadTurns = [PlannedTurn, ...PlannedTurn[]]

/** By `threadKey`: threads in the order of the set, each with its turns in theirs. */
export function groupByThread(turns: Iterable<PlannedTurn>): Map<string, ThreadTurns> {
  const threads = new Map<string, ThreadTurns>()
  for (const turn of turns) {
    const key = threadKey(turn.question)
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [turn])
    else members.push(turn)
  }
  for (const members of threads.values()) members.sort((a, b) => a.question.turn - b.question.turn)
  return threads
}
