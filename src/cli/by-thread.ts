// Planned turns by their threads.
import { Groups } from '../columns/groups.ts'
import { NameIndex } from '../columns/name-index.ts'
import { NumberList } from '../columns/number-list.ts'
import type { Sequence } from '../columns/sequence.ts'
import { threadKey } from '../analysis/threads-of-run.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'
import { ThreadTable } from '../runner/thread-table.ts'

/** Threads in the order of the set, as a table that holds no question, and reads each once. */
export function tableOfThreads(turns: Sequence<PlannedTurn>): ThreadTable {
  const names = new NameIndex()
  const members = new Groups()
  /** By place in `turns`: the turn's number in its thread. */
  const numbers = new NumberList()
  let place = 0
  for (const { question } of turns) {
    members.join(place, names.add(threadKey(question)))
    numbers.push(question.turn)
    place += 1
  }
  const table = new ThreadTable((number) => {
    const turn = turns.at(number)
    if (turn === undefined) throw new RangeError(`no turn ${number}`)
    return turn
  })
  for (let thread = 0; thread < names.size; thread += 1)
    table.add([...members.membersOf(thread)].sort((a, b) => numbers.at(a) - numbers.at(b)))
  return table
}
