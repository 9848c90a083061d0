// Questions in the order of the set, and the threads made of them.
import type { Question, Thread } from '../domain/question.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../runner/thread-state.ts'

export interface PlannedQuestions {
  readonly turns: readonly PlannedTurn[]
  /** All threads, then all again, as often as each is asked, from 1. */
  readonly openThreads: (repeats: number) => ThreadState[]
}

/**
 * Numbered by file, line and turn. `isAsked`: which threads are asked; their questions keep the numbers that they have among all.
 */
export function planQuestions(
  threads: readonly Thread[],
  isAsked: (thread: Thread) => boolean = () => true,
): PlannedQuestions {
  const inOrder = threads
    .flatMap(({ turns }) => turns)
    .toSorted((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn)
  const planned = new Map(inOrder.map((question, index) => [question, { index, question }]))
  const plan = (question: Question): PlannedTurn => {
    const turn = planned.get(question)
    if (turn === undefined) throw new Error(`the question ${question.id} was not planned`)
    return turn
  }
  const asked = threads
    .filter(isAsked)
    .map(({ turns: [first, ...rest] }) => [plan(first), ...rest.map(plan)] as const)
  return {
    turns: asked.flat().sort((a, b) => a.index - b.index),
    openThreads: (repeats) =>
      Array.from({ length: repeats }, (_, repeat) =>
        asked.map(([first, ...rest], order) => openThread(order, [first, ...rest], repeat + 1)),
      ).flat(),
  }
}

/** The turns of each thread in their order; threads in the order of the set. */
export function groupByThread(turns: readonly PlannedTurn[]): [PlannedTurn, ...PlannedTurn[]][] {
  const threads = new Map<string, [PlannedTurn, ...PlannedTurn[]]>()
  for (const turn of turns) {
    const { file, thread } = turn.question
    const key = JSON.stringify([file, thread])
    const known = threads.get(key)
    if (known === undefined) threads.set(key, [turn])
    else known.push(turn)
  }
  for (const members of threads.values()) members.sort((a, b) => a.question.turn - b.question.turn)
  return [...threads.values()]
}
