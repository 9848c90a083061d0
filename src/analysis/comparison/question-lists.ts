// Ids of questions by what became of them, in one pass over all.
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import type { ChangedQuestion } from './review-runs.ts'

/** Of each rule, the candidate's ids of the questions that it holds for, in their order. */
export function* listQuestions<K extends string>(
  questions: Iterable<ChangedQuestion>,
  rules: Readonly<Record<K, (question: ChangedQuestion) => boolean>>,
): Steps<Record<K, string[]>> {
  const named = Object.entries<(question: ChangedQuestion) => boolean>(rules) as [
    K,
    (question: ChangedQuestion) => boolean,
  ][]
  const lists = Object.fromEntries(named.map(([name]) => [name, [] as string[]])) as Record<K, string[]>
  yield* forEachInSteps(questions, (question) => {
    for (const [name, holds] of named) if (holds(question)) lists[name].push(question.candidate[0]?.id ?? '')
  })
  return lists
}
