// Which questions of a run are one conversation.
import type { Question } from '../domain/question.ts'

/** One value for the turns of one conversation. */
export const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file} ${thread}`

export class ThreadsOfRun {
  /** By the question's number: the numbers of its thread, itself among them, in the order of their recording. */
  readonly #members: number[][] = []
  readonly #byName = new Map<string, number[]>()

  /** A later question of the same number is of the same thread. */
  add(index: number, question: Question): void {
    if (this.has(index)) return
    const name = threadKey(question)
    const members = this.#byName.get(name) ?? []
    this.#byName.set(name, members)
    members.push(index)
    this.#members[index] = members
  }

  /** Whether its question is not lost. */
  has(index: number): boolean {
    return this.#members[index] !== undefined
  }

  /** The questions of its thread, those that have left the set among them; itself alone where it is not known. */
  besides(index: number): readonly number[] {
    return this.#members[index] ?? [index]
  }
}
