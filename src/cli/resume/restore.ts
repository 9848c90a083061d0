// A recorded run brought back to where it stopped: what its journal says of every turn, and of every thread.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { RunIndex } from '../../analysis/run-index.ts'
import type { Slot } from '../../analysis/slots.ts'
import { threadKey } from '../../analysis/threads-of-run.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import { firstTurn, openThread, type PlannedTurn, type ThreadState } from '../../runner/thread-state.ts'
import type { ThreadTable } from '../../runner/thread-table.ts'
import { tableOfThreads } from '../by-thread.ts'
import { restoreThread, type RecordedTurn, type Restoring } from './restore-thread.ts'

export interface RestoredThreads {
  /** Those that were begun are kept; the others are opened anew each time that they are asked for. */
  readonly threads: Sequence<ThreadState>
  /** What the last sitting had no time to write. */
  readonly records: readonly JournalRecord[]
  /** Those of the threads that start again because the set is another. */
  readonly changed: readonly ThreadState[]
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
  const threadNamed = threadFinder(index)
  const standings = new NumberList(Uint8Array)
  const begun = new Map<number, ThreadState>()
  const records: JournalRecord[] = []
  const changed: ThreadState[] = []
  for (let place = 0; place < table.length * repeats; place += 1) {
    const [members, repeat] = [table.turnsOf(Math.floor(place / repeats)), (place % repeats) + 1]
    const [first, ...rest] = Array.from(members, (planned): RecordedTurn<P> => ({
      planned,
      slot: index.slotOf(planned.index, repeat),
    }))
    if (first === undefined) continue
    const isChanged = !goesOn(askedBefore(index, members, repeat, threadNamed), [first, ...rest])
    const restored = restoreThread(place, [first, ...rest], isChanged, restoring)
    const state = { ...restored.state, turns: members }
    if (isChanged) changed.push(state)
    for (const record of restored.records) records.push(record)
    if (state.next === members.length) standings.set(place, OVER)
    else if ([first, ...rest].every(({ slot }) => isUntouched(slot))) standings.set(place, FRESH)
    else begun.set(place, state)
  }
  return { threads: openStanding(table, repeats, standings, begun), records, changed }
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

/** The numbers of the questions that a conversation has been asked, in order; those that have left the set among them. */
function askedBefore<P>(
  { threads, slotOf }: RunIndex<P>,
  turns: Sequence<PlannedTurn>,
  repeat: number,
  threadNamed: (turn: PlannedTurn) => number | undefined,
): number[] {
  const first = firstTurn({ turns })
  const thread = threads.threadOf(first.index) ?? threadNamed(first)
  if (thread === undefined) return []
  // Within one conversation attempts follow the turns.
  const place = ({ last }: Slot<unknown>): number => last?.attempt ?? Infinity
  return Array.from(threads.membersOf(thread), (index) => slotOf(index, repeat))
    .filter(({ last, dangling }) => last !== undefined || dangling)
    .sort((a, b) => place(a) - place(b))
    .map(({ index }) => index)
}

/** Finds the thread of a question that was never recorded, by its name. All are read with the first: few sets change. */
function threadFinder<P>({ questions, threads }: RunIndex<P>): (turn: PlannedTurn) => number | undefined {
  let known: Map<string, number> | undefined
  const readAll = (): Map<string, number> => {
    const found = new Map<string, number>()
    let index = 0
    for (const question of questions) {
      const thread = threads.threadOf(index)
      if (question !== undefined && thread !== undefined) found.set(threadKey(question), thread)
      index += 1
    }
    return found
  }
  return ({ question }) => (known ??= readAll()).get(threadKey(question))
}

/** Whether a conversation that asked these may stand, or go on, for a thread of these turns. */
function goesOn(asked: readonly number[], turns: readonly RecordedTurn<unknown>[]): boolean {
  const differs = turns.findIndex(({ planned }, place) => asked[place] !== planned.index)
  return differs === -1 || differs >= asked.length
}
