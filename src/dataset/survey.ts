// Counts the contents of question sets for `validate`.
import { countEach } from '../domain/counts.ts'
import { areWeighted, EXPECTATION_COLUMNS, type Expectations, type Survey } from '../domain/question.ts'
import { findPersonalData } from './personal-data.ts'
import type { QuestionSet } from './read.ts'

export function surveyOf({ files, threads, warnings }: QuestionSet): Omit<Survey, 'alike' | 'articles'> {
  const questions = threads.flatMap(({ turns }) => turns)
  const expected = questions.flatMap(({ expect = {} }) => Object.keys(expect) as (keyof Expectations)[])
  const tags = countByName(questions.flatMap((question) => question.tags))
  return {
    files,
    threads: threads.length,
    turns: questions.length,
    longestThread: threads.reduce((max, { turns }) => Math.max(max, turns.length), 0),
    tags,
    singleTags: questions.flatMap(({ file, line, tags: own }) =>
      own.flatMap((tag) => (tags[tag] === 1 ? [{ tag, file, line }] : [])),
    ),
    ...(areWeighted(questions) && { demand: questions.reduce((sum, { weight = 1 }) => sum + weight, 0) }),
    expectations: countByName(expected.map((name) => EXPECTATION_COLUMNS[name])),
    mustPass: questions.filter(({ mustPass }) => mustPass).length,
    personalData: questions.flatMap(({ file, line, message }) => {
      const kinds = findPersonalData(message)
      return kinds.length === 0 ? [] : [{ file, line, kinds }]
    }),
    warnings,
  }
}

const countByName = (names: readonly string[]): Record<string, number> => Object.fromEntries(countEach(names))
