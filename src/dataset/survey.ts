// Counts the contents of question sets for `validate`.
import { countEach } from '../domain/counts.ts'
import { foldText } from '../text/fold.ts'
import { EXPECTATION_COLUMNS, type Expectations, type Question, type Survey } from '../domain/question.ts'
import { findPersonalData } from './personal-data.ts'
import type { QuestionSet } from './read.ts'
import type { Thread } from './threads.ts'

export function surveyOf({ files, threads, warnings }: QuestionSet): Omit<Survey, 'articles'> {
  const questions = threads.flatMap(({ turns }) => turns)
  const expected = questions.flatMap(({ expect = {} }) => Object.keys(expect) as (keyof Expectations)[])
  const tags = Object.fromEntries(countEach(questions.flatMap((question) => question.tags)))
  return {
    files,
    threads: threads.length,
    turns: questions.length,
    longestThread: threads.reduce((max, { turns }) => Math.max(max, turns.length), 0),
    tags,
    singleTags: questions.flatMap((question) =>
      question.tags.flatMap((tag) =>
        tags[tag] === 1 ? [{ tag, file: question.file, line: question.line }] : [],
      ),
    ),
    expectations: Object.fromEntries(countEach(expected.map((name) => EXPECTATION_COLUMNS[name]))),
    equalQuestions: findEqual(threads),
    mustPass: questions.filter(({ mustPass }) => mustPass).length,
    personalData: questions.flatMap(({ file, line, message }) => {
      const kinds = findPersonalData(message)
      return kinds.length === 0 ? [] : [{ file, line, kinds }]
    }),
    warnings,
  }
}

function findEqual(threads: readonly Thread[]): Survey['equalQuestions'] {
  const groups = new Map<string, Question[]>()
  for (const { turns } of threads) {
    const text = turns.map(({ message }) => foldText(message)).join('\n')
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [turns[0]])
    else group.push(turns[0])
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ id, file, line, message }) => ({ id, file, line, message })))
}
