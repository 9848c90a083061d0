// Plain lists of questions and answers: IBM's, Infobip's, Foundry's, DeepEval's, and whoever else writes two columns.
import { COLUMNS, columnKey } from '../columns.ts'
import { listPlaces } from '../layout.ts'
import type { Reason } from './importer.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, type Importer } from './importer.ts'

const MADE = ['message', 'expect_answer'] as const

const COMPARED: Reason = {
  what: 'answer',
  why: 'it is a reference answer, compared with what is answered by the words they share; it passes from 0.5 on',
}
const RECORDED: Reason = {
  what: 'recorded answer',
  why: 'what some run answered once is carried along, and nothing is expected by it',
}

interface Shape {
  readonly title: string
  readonly question: readonly string[]
  readonly answer: readonly string[]
  /** An answer that was given, not one that is right. */
  readonly recorded: readonly string[]
  readonly allowed: readonly string[]
}

const shape = (title: string, rest: Partial<Shape>): Shape => ({
  title,
  question: [],
  answer: [],
  recorded: [],
  allowed: [],
  ...rest,
})

const SHAPES: readonly Shape[] = [
  shape('a DeepEval data set', {
    question: ['input'],
    answer: ['expected_output'],
    recorded: ['actual_output'],
    allowed: [
      'context',
      'retrieval_context',
      'tools_called',
      'expected_tools',
      'additional_metadata',
      'comments',
      'source_file',
      'name',
    ],
  }),
  shape('a Foundry evaluation set', {
    question: ['query'],
    answer: ['ground_truth'],
    recorded: ['response'],
    allowed: ['context'],
  }),
  shape('an Infobip list of questions', { question: ['question'], answer: ['reference_answer'] }),
  shape('a list of questions and answers', { question: COLUMNS.message, answer: ['answer'] }),
]

/** Whatever the header: for a file whose format was named. */
const ANY = shape('a list of questions and answers', {
  question: ['message', ...COLUMNS.message],
  answer: ['answer', 'expected_output', 'ground_truth', 'reference_answer', 'expected answer'],
  recorded: ['actual_output', 'response'],
})

/** Questions, answers, and what may stand beside them; a recorded answer is needed where the shape has one. */
function isOfShape(header: readonly string[], { question, answer, recorded, allowed }: Shape): boolean {
  const keys = listPlaces(header).map((place) => columnKey(place.header))
  const count = (names: readonly string[]): number =>
    keys.filter((key) => names.some((name) => columnKey(name) === key)).length
  return (
    count(question) === 1 &&
    count(answer) === 1 &&
    count(recorded) === recorded.length &&
    keys.length === 2 + recorded.length + count(allowed)
  )
}

export const pairs: Importer = {
  name: 'pairs',
  recognises: (header) => SHAPES.some((one) => isOfShape(header, one)),
  read: (header) => {
    const { title, question, answer, recorded } = SHAPES.find((one) => isOfShape(header, one)) ?? ANY
    const known = new ForeignHeader(header)
    const [asked, expected, given] = [known.find(...question), known.find(...answer), known.find(...recorded)]
    const needed = asked === -1 ? ['question'] : []
    const faults = known.findFaults(title, needed, asked === -1 ? [] : ['expect_answer'])
    if (faults.length > 0) return { kind: 'faulty', faults }
    const others = known.others([asked, expected], MADE)
    return {
      kind: 'import',
      title: expected === -1 ? 'a list of questions' : title,
      columns: [...MADE.map(column), ...others.map(({ column: other }) => other)],
      start: ({ emit, account }) => ({
        take: ({ cells, line }) => {
          const reference = cellAt(cells, expected)
          if (reference !== '') {
            account.mapped('reference answer')
            account.changed(COMPARED, line)
          }
          if (cellAt(cells, given) !== '') account.changed(RECORDED, line)
          emit({
            line,
            cells: [cellAt(cells, asked), reference, ...others.map(({ index }) => cells[index] ?? '')],
          })
        },
        end: () => undefined,
      }),
    }
  },
}
