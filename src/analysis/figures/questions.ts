// The questions of a journal, by number and by thread.
import type { JournalEvent } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'

/** Identifies a thread: threads in different files may have the same name. */
export const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file} ${thread}`

export function createQuestions() {
  const questions: (Question | undefined)[] = []
  const threads: (readonly number[])[] = []
  const byName = new Map<string, number[]>()
  return {
    add: (event: JournalEvent): void => {
      if (event.kind !== 'question') return
      const { index, question } = event
      // Earlier questions may be lost. Array methods skip holes, so fill them.
      while (questions.length < index) questions.push(undefined)
      questions[index] = question
      // A later record of the same number does not change the thread.
      if (threads[index] !== undefined) return
      const name = threadKey(question)
      const thread = byName.get(name) ?? []
      byName.set(name, thread)
      thread.push(index)
      threads[index] = thread
    },
    all: questions as readonly (Question | undefined)[],
    /** Lists the numbers of all questions of a thread; only this one if its record is lost. */
    threadOf: (index: number): readonly number[] => threads[index] ?? [index],
  }
}
