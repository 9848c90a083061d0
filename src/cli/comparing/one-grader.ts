// Runs that are compared share one grader: what the newest run expects of a question, each of them is graded by.
import { isDeepStrictEqual } from 'node:util'
import { pairRuns, type Pairable } from '../../analysis/comparison/pair.ts'
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { Question } from '../../domain/question.ts'
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import { redefine } from '../redefine.ts'

export interface GradedAlike {
  /** In the places of the run's own. */
  readonly questions: Sequence<Question | undefined>
  /** How many of them expected something else. */
  readonly edited: number
}

/** Questions that `reference` does not have keep what they expect; those of a run itself are as they are. */
export function* gradeAlike(
  questions: Sequence<Question | undefined>,
  reference: Sequence<Question | undefined>,
): Steps<GradedAlike> {
  if (questions === reference) return { questions, edited: 0 }
  const { paired } = pairRuns(pairables(questions), pairables(reference))
  /** Of those that are defined otherwise now: the number of the definition, plus one. */
  const redefined = new NumberList()
  let edited = 0
  yield* forEachInSteps(paired, ({ baseline, candidate }) => {
    const [before, now] = [baseline[0], candidate[0]]
    if (before === undefined || now === undefined) return
    // Most are as they were.
    if (isDefinedAlike(before.question, now.question)) return
    redefined.set(before.index, now.index + 1)
    if (expectationsOf(before.question) !== expectationsOf(now.question)) edited += 1
  })
  const alike = (index: number): Question | undefined => {
    const question = questions.at(index)
    const now = redefined.at(index) === 0 ? undefined : reference.at(redefined.at(index) - 1)
    return question === undefined || now === undefined ? question : redefine(question, now)
  }
  return { questions: sequenceOf(questions.length, alike), edited }
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
export const pairables = (questions: Sequence<Question | undefined>): Sequence<Numbered | undefined> =>
  sequenceOf(questions.length, (index) => {
    const question = questions.at(index)
    if (question === undefined) return undefined
    const { id, file, thread, turn, message } = question
    return { id, file, thread, turn, message, index, question, repeat: 1 }
  })
