// A recorded run brought back to where it stopped: what its journal says of every turn, and of every thread.
import type { RunIndex } from '../../analysis/run-index.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { PlannedTurn, ThreadState } from '../../runner/thread-state.ts'
import { groupByThread } from '../planned-questions.ts'
import { restoreThread, type RecordedTurn, type Restoring } from './restore-thread.ts'

export interface RestoredThreads {
  readonly threads: readonly ThreadState[]
  /** What the last sitting had no time to write. */
  readonly records: readonly JournalRecord[]
}

/** Every thread of the set that stands now, as often as it is asked. */
export function restoreThreads<P>(
  turns: readonly PlannedTurn[],
  repeats: number,
  index: RunIndex<P>,
  restoring: Restoring<P>,
): RestoredThreads {
  const restored = groupByThread(turns)
    .flatMap((members) => Array.from({ length: repeats }, (_, repeat) => ({ members, repeat: repeat + 1 })))
    .map(({ members: [first, ...rest], repeat }, place) => {
      const recorded = (planned: PlannedTurn): RecordedTurn<P> => ({
        planned,
        slot: index.slotOf(planned.index, repeat),
      })
      return restoreThread(place, [recorded(first), ...rest.map(recorded)], restoring)
    })
  return { threads: restored.map(({ state }) => state), records: restored.flatMap(({ records }) => records) }
}
