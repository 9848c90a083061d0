// Questions and threads for tests.
import type { Question } from '../../src/domain/question.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../../src/runner/thread-state.ts'

export function makeQuestion(
  id: string,
  thread: string,
  turn: number,
  more: Partial<Question> = {},
): Question {
  return {
    id,
    thread,
    turn,
    message: `message of ${id}`,
    tags: [],
    mustPass: false,
    cells: {},
    file: 0,
    line: 1,
    ...more,
  }
}

/** Threads of the given lengths: `t1` with turns `t1.1`, `t1.2`, …; indexes count over all threads. */
export function makeThreads(...lengths: readonly number[]): ThreadState[] {
  let index = 0
  return lengths.map((length, order) => {
    const name = `t${order + 1}`
    const turns = Array.from({ length }, (_, place): PlannedTurn => {
      const question = makeQuestion(`${name}.${place + 1}`, name, place + 1)
      return { index: index++, question }
    })
    const [first, ...rest] = turns
    if (first === undefined) throw new Error('a thread needs a turn')
    return openThread(order, [first, ...rest], 1)
  })
}
