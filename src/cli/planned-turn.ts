// A turn whose question is read when somebody looks at it.
import type { Question } from '../domain/question.ts'
import type { PlannedTurn } from '../runner/thread-state.ts'

export class LazyTurn implements PlannedTurn {
  readonly index: number
  readonly #read: (index: number) => Question | undefined

  constructor(index: number, read: (index: number) => Question | undefined) {
    this.index = index
    this.#read = read
  }

  get question(): Question {
    const question = this.#read(this.index)
    if (question === undefined) throw new Error(`question ${this.index} is not there`)
    return question
  }
}
