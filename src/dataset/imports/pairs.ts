// Plain lists of questions and answers, as IBM, Infobip, Foundry, DeepEval and others export them.
import { COLUMNS, QUESTION_HEADERS } from '../columns.ts'
import { matches, type Format, type ColumnRule } from './format.ts'

const ANSWERS = ['answer', 'expected_output', 'ground_truth', 'reference_answer', 'expected answer']

/** Recorded answers and other allowed columns are copied. */
const SHAPES: readonly (readonly [needed: readonly string[], allowed: readonly string[]])[] = [
  [
    ['input', 'expected_output', 'actual_output'],
    (
      'context retrieval_context tools_called expected_tools additional_metadata comments source_file ' +
      'name'
    ).split(' '),
  ],
  [['query', 'ground_truth', 'response'], ['context']],
  [['question', 'reference_answer'], []],
  ...COLUMNS.message.map((question) => [[question, 'answer'], []] as const),
]

export const pairs: Format = {
  name: 'pairs',
  title: 'a list of questions and answers',
  recognises: (keys) => SHAPES.some(([needed, allowed]) => matches(keys, needed, allowed)),
  columns: () => [
    [new RegExp(`^(?:${QUESTION_HEADERS.join('|')})$`, 'i'), 'message'],
    ...ANSWERS.map((name): ColumnRule => [
      name,
      (cell, out) => {
        out.add('expect_answer', cell)
        out.changed(
          name,
          'treated as a reference answer, compared by shared words; an answer passes from 0.5',
        )
      },
    ]),
  ],
}
