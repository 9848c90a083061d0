// Lists of questions and answers.
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const referenceOf = async (name: string) => {
  const set = await importSet(fixture(name))
  const [question] = questionsOf(set)
  return { title: accountOf(set)[0], answer: question?.expect?.answer?.text, cells: question?.cells }
}

test.each([
  [
    'ibm.csv',
    'ibm.csv: read as a list of questions and answers: 2 questions; mapped: reference answer 1',
    'Use the portal',
    {},
  ],
  [
    'infobip.csv',
    'infobip.csv: read as an Infobip list of questions: 1 question; mapped: reference answer 1',
    'Two: A and B',
    {},
  ],
  [
    'foundry.csv',
    'foundry.csv: read as a Foundry evaluation set: 1 question; mapped: reference answer 1',
    'Machine learning learns from data.',
    { response: 'A subset of AI.' },
  ],
  [
    'deepeval.csv',
    'deepeval.csv: read as a DeepEval data set: 1 question; mapped: reference answer 1',
    'A 30-day full refund.',
    {
      actual_output: 'We offer a refund.',
      context: 'Refund policy;Orders',
      retrieval_context: 'Customers get a refund',
    },
  ],
])('%s', async (name, title, answer, cells) => {
  expect(await referenceOf(name)).toEqual({ title, answer, cells: { expect_answer: answer, ...cells } })
})

test.each([
  'question,answer',
  'Query,Answer',
  'utterance,answer',
  'text,answer',
  'input,answer',
  'answer,question',
])('two columns, one of them the answer: %s', async (header) => {
  const [first = ''] = header.split(',')
  const row = first === 'answer' ? 'y,x' : 'x,y'
  const set = await importText(folder, `${header}\n${row}\n`)
  expect(importedIn(set)).toEqual([
    { thread: '', turn: 1, message: 'x', expect: { answer: { text: 'y', minSimilarity: 0.5 } } },
  ])
})

test.each(['question,answer,owner', 'message,answer', 'question,reply', 'question,answer,tags'])(
  'only two columns, and only such: in %s the other is carried along',
  async (header) => {
    const set = await importText(
      folder,
      `${header}\nx,y,z\n`.replace(/^((?:[^,\n]*,){1}[^,\n]*)\nx,y,z/, '$1\nx,y'),
    )
    expect(importedIn(set)[0]).not.toHaveProperty('expect')
  },
)
