// Copilot Studio: test sets as its template and its users write them, and the export of its results.
import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../../src/domain/question.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const answer = (text: string): Expectations => ({ answer: { text, minSimilarity: 0.5 } })

test.each([
  'question,expectedResponse',
  '"Question","Expected response"',
  'QUESTION;Expected Response',
  '\ufeffquestion\texpectedResponse',
])('a test set of two columns: %s', async (header) => {
  const separator = /[,;\t]/.exec(header)?.[0] ?? ''
  const set = await importText(folder, `${header}\nx${separator}y\n`)
  expect(accountOf(set)).toEqual([
    'set.csv: read as a Copilot Studio test set: 1 question; mapped: reference answer 1',
    'set.csv:2: expected response without a method (1): it is a reference answer, compared by the words they share',
  ])
  expect(importedIn(set)).toEqual([{ thread: '', turn: 1, message: 'x', expect: answer('y') }])
})

test('as Excel saves it: a mark, CRLF and quotes', async () => {
  expect(importedIn(await importSet(fixture('copilot-test-set.csv')))).toEqual([
    {
      thread: '',
      turn: 1,
      message: 'How do I reset my password?',
      expect: answer('Open the portal, choose "Forgot password".'),
    },
    { thread: '', turn: 1, message: 'Is there a gym?' },
  ])
})

test('older ones name the method: each comes to what is nearest', async () => {
  const set = await importSet(fixture('copilot-methods.csv'))
  expect(importedIn(set).map((one) => one.expect)).toEqual([
    answer('Monday to Friday'),
    { contains: ['reset', 'link'] },
    { regex: String.raw`^A-17 \(b\)$` },
    { contains: ['card', 'cash'] },
    undefined,
    answer('A model'),
    undefined,
  ])
  expect(accountOf(set)[0]).toBe(
    'copilot-methods.csv: read as a Copilot Studio test set: 7 questions; mapped: reference answer 2, keywords 2, exact match 1; lost: test method without an expected response 1, other test method 1',
  )
})

test('over 100 cases are no more than a hundred times one', async () => {
  const rows = Array.from({ length: 250 }, (_, row) => `question ${row},answer ${row}\n`)
  expect(questionsOf(await importText(folder, `question,expectedResponse\n${rows.join('')}`))).toHaveLength(
    250,
  )
})

describe('the export of results', () => {
  test('gives its questions, and keeps the answers of then', async () => {
    const set = await importSet(fixture('copilot-results.csv'))
    expect(importedIn(set).map((one) => one.expect)).toEqual([
      answer('Monday to Friday'),
      { regex: '^A-17$' },
      undefined,
    ])
    expect(questionsOf(set).map(({ cells }) => cells['actualResponse'])).toEqual([
      'We are open Monday to Friday.\nClosed on Sunday.',
      'The code is B-18',
      'Why not?',
    ])
    expect(accountOf(set)).toEqual([
      'copilot-results.csv: read as an export of Copilot Studio results: 3 questions; mapped: answer kept in the column actualResponse 3, reference answer 1, exact match 1; lost: verdict 4, passing score 1, explanation 3, test method without an expected response 2',
      'copilot-results.csv:2: verdict (4): it was passed on the answer of then; the harness passes its own',
      expect.stringContaining('passing score (1)'),
      expect.stringContaining('explanation (3)'),
      expect.stringContaining('test method without an expected response (2)'),
      expect.stringContaining('Compare meaning (1)'),
      expect.stringContaining('copilot-results.csv:4: Exact match (1): it minds the case there, never here'),
    ])
  })

  test('may name the conversation, and have one block or many', async () => {
    const text =
      'conversationId,question,expectedResponse,actualResponse,testMethodType_1,result_1,passingScore_1,explanation_1\nc-1,x,y,z,CompareMeaning,Pass,50,fine\n'
    const set = await importText(folder, text)
    expect(accountOf(set)[0]).toContain('read as an export of Copilot Studio results: 1 question')
    expect(questionsOf(set)[0]?.cells).toEqual({
      expect_answer: 'y',
      actualResponse: 'z',
      conversationId: 'c-1',
    })
  })

  test('without a verdict it is a set like any other', async () => {
    const set = await importText(folder, 'question,expectedResponse,actualResponse\nx,y,z\n')
    expect(accountOf(set)).toEqual([])
    expect(questionsOf(set)[0]?.cells).toEqual({ expect_answer: 'y', actualResponse: 'z' })
  })
})
