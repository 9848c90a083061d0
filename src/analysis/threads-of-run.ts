// Which questions of a run are one conversation, and with which of them it ends in the order of the set.
import { Groups } from '../columns/groups.ts'
import { NameIndex } from '../columns/name-index.ts'
import { NumberList } from '../columns/number-list.ts'
import type { Question } from '../domain/question.ts'

export interface ThreadsOfRun {
  /** Number of a question's thread, from 0; undefined where the question is lost. */
  readonly threadOf: (index: number) => number | undefined
  /** The questions of a thread in the order of their recording, those that have left the set among them. */
  readonly membersOf: (thread: number) => Iterable<number>
  /** How many questions of the set are in its thread: 1 for a question that is alone, or lost. */
  readonly sizeOf: (index: number) => number
  /** Whether no other question of its thread comes after it in the order of the set. */
  readonly isLast: (index: number) => boolean
}

export interface ThreadsOfRunGatherer {
  /** A later question of the same number is of the same thread. */
  add(index: number, question: Question): void
  /** The questions of its thread, itself among them; itself alone where it is not known. */
  besides(index: number): Iterable<number>
  /** Whether none of these questions is lost. */
  hasAll(questions: Iterable<number>): boolean
  /** `inOrder`: the questions that stand, in the order of the set. */
  finish(inOrder: Iterable<number>): ThreadsOfRun
}

/** One value for the turns of one conversation. */
export const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file} ${thread}`

export function createThreadsOfRun(): ThreadsOfRunGatherer {
  const names = new NameIndex()
  const groups = new Groups()
  return {
    add: (index, question) => groups.join(index, names.add(threadKey(question))),
    besides: (index) => {
      const thread = groups.groupOf(index)
      return thread === undefined ? [index] : groups.membersOf(thread)
    },
    hasAll: (questions) => {
      for (const index of questions) if (groups.groupOf(index) === undefined) return false
      return true
    },
    finish: (inOrder) => describeThreads(groups, inOrder),
  }
}

/** Apart from the gatherer, so that the names of the threads are not held with it. */
function describeThreads(groups: Groups, inOrder: Iterable<number>): ThreadsOfRun {
  /** By thread: the last question, plus one, and their number. */
  const [last, sizes] = [new NumberList(), new NumberList()]
  for (const index of inOrder) {
    const thread = groups.groupOf(index)
    if (thread === undefined) continue
    last.set(thread, index + 1)
    sizes.add(thread, 1)
  }
  const within = (list: NumberList, index: number): number | undefined => {
    const thread = groups.groupOf(index)
    return thread === undefined ? undefined : list.at(thread)
  }
  return {
    threadOf: (index) => groups.groupOf(index),
    membersOf: (thread) => groups.membersOf(thread),
    sizeOf: (index) => within(sizes, index) ?? 1,
    isLast: (index) => (within(last, index) ?? index + 1) === index + 1,
  }
}
