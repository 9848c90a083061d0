// Runs that are compared share one grader: what the newest run expects of a question, each of them is graded by.
import { isDeepStrictEqual } from 'node:util'
import { pairRuns, type Pairable } from '../../analysis/comparison/pair.ts'
import type { Question } from '../../domain/question.ts'
import { redefine } from '../redefine.ts'

export interface GradedAlike {
  /** In the places of the run's own. */
  readonly questions: readonly (Question | undefined)[]
  /** How many of them expected something else. */
  readonly edited: number
}

/** Questions that `reference` does not have keep what they expect; those of a run itself are as they are. */
export function gradeAlike(
  questions: readonly (Question | undefined)[],
  reference: readonly (Question | undefined)[],
): GradedAlike {
  if (questions === reference) return { questions, edited: 0 }
  const { paired } = pairRuns(pairables(questions), pairables(reference))
  const alike = [...questions]
  let edited = 0
  for (const { baseline, candidate } of paired) {
    const [before, now] = [baseline[0], candidate[0]]
    if (before === undefined || now === undefined) continue
    // Most are as they were.
    if (isDefinedAlike(before.question, now.question)) continue
    alike[before.index] = redefine(before.question, now.question)
    if (expectationsOf(before.question) !== expectationsOf(now.question)) edited += 1
  }
  return { questions: alike, edited }
}

const isDefinedAlike = (some: Question, other: Question): boolean =>
  isDeepStrictEqual(definitionOf(some), definitionOf(other))

/** What `redefine` takes from the other question. */
const definitionOf = ({ expect, tags, mustPass, cells }: Question): Partial<Question> => ({
  expect,
  tags,
  mustPass,
  cells,
})

const expectationsOf = ({ expect, mustPass }: Question): string => {
  const inOrder = Object.entries(expect ?? {}).sort(([some], [other]) => (some < other ? -1 : 1))
  return JSON.stringify([inOrder, mustPass])
}

interface Numbered extends Pairable {
  readonly index: number
  readonly question: Question
}

/** Nothing at the place of one that is lost. */
export const pairables = (questions: readonly (Question | undefined)[]): readonly (Numbered | undefined)[] =>
  questions.map((question, index) => {
    if (question === undefined) return undefined
    const { id, file, thread, turn, message } = question
    return { id, file, thread, turn, message, index, question, repeat: 1 }
  })
