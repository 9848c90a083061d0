// A recorded run brought back to where it stopped: what its journal says of every turn, and of every thread.
import type { RunIndex } from '../../analysis/run-index.ts'
import type { Slot } from '../../analysis/slots.ts'
import { threadKey } from '../../analysis/threads-of-run.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { PlannedTurn, ThreadState } from '../../runner/thread-state.ts'
import { groupByThread } from '../by-thread.ts'
import { restoreThread, type RecordedTurn, type Restoring } from './restore-thread.ts'

export interface RestoredThreads {
  readonly threads: readonly ThreadState[]
  /** What the last sitting had no time to write. */
  readonly records: readonly JournalRecord[]
  /** Those of the threads that start again because the set is another. */
  readonly changed: readonly ThreadState[]
}

/** Every thread of the set that stands now, as often as it is asked. */
export function restoreThreads<P>(
  turns: readonly PlannedTurn[],
  repeats: number,
  index: RunIndex<P>,
  restoring: Restoring<P>,
): RestoredThreads {
  const asked = askedByThread(index)
  const threads: ThreadState[] = []
  const records: JournalRecord[] = []
  const changed: ThreadState[] = []
  for (const [key, members] of groupByThread(turns))
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      const [first, ...rest] = members.map((planned): RecordedTurn<P> => ({
        planned,
        slot: index.slotOf(planned.index, repeat),
      }))
      if (first === undefined) continue
      const isChanged = !goesOn(asked.get(`${repeat} ${key}`) ?? [], members)
      const restored = restoreThread(threads.length, [first, ...rest], isChanged, restoring)
      threads.push(restored.state)
      if (isChanged) changed.push(restored.state)
      records.push(...restored.records)
    }
  return { threads, records, changed }
}

/** The numbers of the questions that each conversation has been asked, in order. */
function askedByThread({ everySlot, questions }: RunIndex<unknown>): Map<string, number[]> {
  const asked = new Map<string, Slot<unknown>[]>()
  for (const slot of everySlot) {
    const question = questions.at(slot.index)
    if (question === undefined || (slot.last === undefined && !slot.dangling)) continue
    const key = `${slot.repeat} ${threadKey(question)}`
    const members = asked.get(key)
    if (members === undefined) asked.set(key, [slot])
    else members.push(slot)
  }
  // Within one conversation attempts follow the turns.
  const place = ({ last }: Slot<unknown>): number => last?.attempt ?? Infinity
  return new Map(
    [...asked].map(([key, slots]) => [
      key,
      slots.sort((a, b) => place(a) - place(b)).map(({ index }) => index),
    ]),
  )
}

/** Whether a conversation that asked these may stand, or go on, for a thread of these turns. */
function goesOn(asked: readonly number[], turns: readonly PlannedTurn[]): boolean {
  const differs = turns.findIndex(({ index }, place) => asked[place] !== index)
  return differs === -1 || differs >= asked.length
}
