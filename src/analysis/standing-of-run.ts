// How far the threads of a recorded run came: what an estimate of the calls that are left begins with.
import { NumberList } from '../columns/number-list.ts'
import type { Standing } from './estimate/worst-case.ts'
import type { RunIndex } from './run-index.ts'

/** One for each thread of the set and repeat, in no order. A question that is alone is a thread. */
export function* standingOfRun({ slots, threads, set }: RunIndex<unknown>): Generator<Standing> {
  const repeats = set?.repeats ?? 1
  /** By thread and repeat: turns of the set, and those of them that have an outcome. */
  const [lengths, done] = [new NumberList(), new NumberList()]
  for (const { index, repeat, outcome } of slots) {
    const isOver = outcome !== undefined
    const thread = threads.threadOf(index)
    if (thread === undefined) {
      yield { turns: { length: 1 }, next: isOver ? 1 : 0, resumed: false }
      continue
    }
    const place = thread * repeats + repeat - 1
    lengths.add(place, 1)
    done.add(place, isOver ? 1 : 0)
  }
  for (let place = 0; place < lengths.length; place += 1) {
    const [length, next] = [lengths.at(place), done.at(place)]
    if (length > 0) yield { turns: { length }, next, resumed: next > 0 }
  }
}
