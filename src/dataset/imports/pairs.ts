// A list of two columns, a question and its answer: only there is `answer` a reference answer.
import { COLUMNS, findColumn } from '../columns.ts'
import { matches, type Format } from './format.ts'

export const pairs: Format = {
  name: 'pairs',
  title: 'a list of questions and answers',
  recognises: (keys) => COLUMNS.message.some((question) => matches(keys, [question, 'answer'])),
  columns: (headers) => [
    [headers.find((name) => findColumn(name)?.name === 'message') ?? '', 'message'],
    [
      'answer',
      (cell, out) => {
        out.add('expect_answer', cell)
        out.changed(
          'answer',
          'treated as a reference answer, compared by shared words; an answer passes from 0.5',
        )
      },
    ],
  ],
}
