// A recorded run brought back to where it stopped: what its journal says of every turn, and of every thread.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { RunIndex } from '../../analysis/run-index.ts'
import type { Slot } from '../../analysis/slots.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../../runner/thread-state.ts'
import type { ThreadTable } from '../../runner/thread-table.ts'
import { tableOfThreads } from '../by-thread.ts'
import { restoreThread, type RecordedTurn, type Restoring } from './restore-thread.ts'

export interface RestoredThreads {
  /** Those that were begun are kept; the others are opened anew each time that they are asked for. */
  readonly threads: Sequence<ThreadState>
  /** What the last sitting had no time to write. */
  readonly records: readonly JournalRecord[]
}

/** How a thread stands that needs no object for it. */
const FRESH = 1
const OVER = 2

/** Every thread of the set that stands now, as often as it is asked. */
export function restoreThreads<P>(
  turns: Sequence<PlannedTurn>,
  repeats: number,
  index: RunIndex<P>,
  restoring: Restoring<P>,
): RestoredThreads {
  const table = tableOfThreads(turns)
  const standings = new NumberList(Uint8Array)
  const begun = new Map<number, ThreadState>()
  const records: JournalRecord[] = []
  for (let place = 0; place < table.length * repeats; place += 1) {
    const [members, repeat] = [table.turnsOf(Math.floor(place / repeats)), (place % repeats) + 1]
    const [first, ...rest] = Array.from(members, (planned): RecordedTurn<P> => ({
      planned,
      slot: index.slotOf(planned.index, repeat),
    }))
    if (first === undefined) continue
    const restored = restoreThread(place, [first, ...rest], restoring)
    const state = { ...restored.state, turns: members }
    for (const record of restored.records) records.push(record)
    if (state.next === members.length) standings.set(place, OVER)
    else if ([first, ...rest].every(({ slot }) => isUntouched(slot))) standings.set(place, FRESH)
    else begun.set(place, state)
  }
  return { threads: openStanding(table, repeats, standings, begun), records }
}

/** Apart from what restores them, so that nothing of the index is held with them. */
function openStanding(
  table: ThreadTable,
  repeats: number,
  standings: NumberList,
  begun: ReadonlyMap<number, ThreadState>,
): Sequence<ThreadState> {
  return sequenceOf(table.length * repeats, (place) => {
    const members = table.turnsOf(Math.floor(place / repeats))
    const state = begun.get(place) ?? openThread(place, members, (place % repeats) + 1)
    if (standings.at(place) === OVER) state.next = members.length
    return state
  })
}

const isUntouched = ({ conversation, outcome, last, dangling }: Slot<unknown>): boolean =>
  conversation === 1 && outcome === undefined && last === undefined && !dangling
