// The questions of a recorded run, with what a question set expects of them now.
import type { RunIndex } from '../analysis/run-index.ts'
import type { Sequence } from '../columns/sequence.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Question } from '../domain/question.ts'
import { digits, plural } from '../domain/digits.ts'
import { visible } from '../report/visible.ts'
import { loadQuestionSets } from './question-sets.ts'

export interface Redefinition {
  /** By the number that the journal gave them. */
  readonly questions: Sequence<Question | undefined>
  /** What the reader should know. */
  readonly notes: readonly string[]
}

/** Questions are matched by id and text: an answer to another text is not graded by this one's expectations. */
export async function redefineQuestions(
  { questions }: RunIndex<unknown>,
  manifest: Manifest,
  datasets: readonly string[],
): Promise<Redefinition> {
  if (datasets.length === 0) return { questions, notes: [] }
  const { format, noHeader } = manifest.options
  const set = await loadQuestionSets(datasets, { noHeader, ...(format === null ? {} : { format }) })
  const now = new Map(set.threads.flatMap(({ turns }) => turns.map((question) => [question.id, question])))
  let [matched, edited, missing] = [0, 0, 0]
  const redefined = Array.from(questions, (question) => {
    const fresh = question === undefined ? undefined : now.get(question.id)
    if (question === undefined) return undefined
    if (fresh?.message === question.message) {
      matched += 1
      return redefine(question, fresh)
    }
    if (fresh === undefined) missing += 1
    else edited += 1
    return question
  })
  return {
    questions: redefined,
    notes: [
      `graded by the expectations of ${visible(datasets.join(', '))}: ${plural(matched, 'question')} matched` +
        (edited === 0 ? '' : `, ${edited} with another text kept what they expected`) +
        (missing === 0 ? '' : `, ${digits(missing)} not there kept what they expected`),
    ],
  }
}

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
