// Runs that are compared share one grader: what the newest run expects of a question, each of them is graded by.
import { pairRuns, type Pairable } from '../../analysis/comparison/pair.ts'
import type { Question } from '../../domain/question.ts'
import { redefine } from '../redefine.ts'

export interface GradedAlike {
  /** In the places of the run's own. */
  readonly questions: readonly (Question | undefined)[]
  /** How many of them expected something else. */
  readonly edited: number
}

/** Questions that `reference` does not have keep what they expect. */
export function gradeAlike(
  questions: readonly (Question | undefined)[],
  reference: readonly (Question | undefined)[],
): GradedAlike {
  const { paired } = pairRuns(pairables(questions), pairables(reference))
  const alike = [...questions]
  let edited = 0
  for (const { baseline, candidate } of paired) {
    const [before, now] = [baseline[0], candidate[0]]
    if (before === undefined || now === undefined) continue
    alike[before.index] = redefine(before.question, now.question)
    if (expectationsOf(before.question) !== expectationsOf(now.question)) edited += 1
  }
  return { questions: alike, edited }
}

const expectationsOf = ({ expect, mustPass }: Question): string => {
  const inOrder = Object.entries(expect ?? {}).sort(([some], [other]) => (some < other ? -1 : 1))
  return JSON.stringify([inOrder, mustPass])
}

interface Numbered extends Pairable {
  readonly index: number
  readonly question: Question
}

export function pairables(questions: readonly (Question | undefined)[]): Numbered[] {
  return questions.flatMap((question, index) =>
    question === undefined ? [] : [{ ...question, index, question, repeat: 1 }],
  )
}
