// What a question expects, taken from another edition of it.
import type { Question } from '../domain/question.ts'

/** What is expected and how it is grouped; what was asked stays. */
export function redefine(recorded: Question, fresh: Question): Question {
  const { expect: _, ...asked } = recorded
  const { expect, tags, mustPass, cells } = fresh
  return {
    ...asked,
    tags,
    mustPass,
    cells: { ...recorded.cells, ...cells },
    ...(expect === undefined ? {} : { expect }),
  }
}
