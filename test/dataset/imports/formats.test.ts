// Protects the import of other tools' sets: how cells are mapped, and the account of what is mapped and lost.
// scenarios/invalid.txt covers faulty sets.
import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../../src/domain/question.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { csvOf, questionsOf, readValid, warningsOf, writeSet } from '../reading-files.ts'

const folder = temporaryFolder()
const answer = (text: string): Expectations => ({ answer: { text, minSimilarity: 0.5 } })
const readText = async (text: string) => readValid(writeSet(folder, text))
const read = async (...rows: string[][]) => readText(csvOf(rows))

describe('promptfoo', () => {
  test.each<[string, Expectations]>([
    ['contains: Paris', { contains: ['Paris'] }],
    [String.raw`icontains:a|b\c`, { contains: [String.raw`a|b\c`] }],
    ['contains-all: a, b ,c', { contains: ['a', 'b', 'c'] }],
    ['contains-all:"1,000 €",in advance', { contains: ['1,000 €', 'in advance'] }],
    ['contains-all: "say ""hi"", now" , b', { contains: ['say "hi", now', 'b'] }],
    ['icontains-any:"Basic, monthly","Pro, yearly"', { regex: 'Basic, monthly|Pro, yearly' }],
    ['not-contains-any:5" disk,"a, b"', { notContains: ['5" disk', 'a, b'] }],
    [String.raw`regex:\d{3}\-\d{4}`, { regex: String.raw`\d{3}\u{2d}\d{4}` }],
    [String.raw`regex:help\@acme\.example`, { regex: String.raw`help\u{40}acme\.example` }],
    [String.raw`regex:[\w-.]+\_\u00e9`, { regex: String.raw`[\w\x2d.]+\u{5f}\u00e9` }],
    [String.raw`regex:{"a"\: \{2}}`, { regex: String.raw`\{"a"\u{3a} \{2\}\}` }],
    ['contains-any: <b>,</span>', { regex: String.raw`<b>|<\/span>` }],
    ['icontains-any:a.b', { contains: ['a.b'] }],
    [String.raw`regex:\d{3}-\d`, { regex: String.raw`\d{3}-\d` }],
    ['equals: 4', { regex: '^4$' }],
    ['Yes: of course', { regex: '^Yes: of course$' }],
    ['starts-with:Hello (you)', { regex: String.raw`^Hello \(you\)` }],
    ['latency(2000)', { maxLatencyMs: 2000 }],
    ['latency:1500.5', { maxLatencyMs: 1500.5 }],
    ['not-contains:sorry', { notContains: ['sorry'] }],
    ['not-icontains-any:a,b', { notContains: ['a', 'b'] }],
    ['not-contains-all:a,b', { regex: String.raw`^(?![\s\S]*(?:^(?=[\s\S]*a)(?=[\s\S]*b)))` }],
    ['not-regex:^a', { regex: String.raw`^(?![\s\S]*(?:^a))` }],
    ['not-equals:4', { regex: String.raw`^(?![\s\S]*(?:^4$))` }],
  ])('the check %s becomes an expectation', async (cell, expected) => {
    expect(questionsOf(await read(['question', '__expected'], ['x', cell]))[0]?.expect).toEqual(expected)
  })

  test.each([
    ['javascript: output.length < 10', 'javascript'],
    ['file://check.js', 'file'],
    ['llm-rubric: is polite', 'llm-rubric'],
    ['similar:cosine(0.8):hello', 'similar'],
    ['not-is-json', 'is-json'],
    ['contains-any: , ', 'expectation without a value'],
    ['not-latency(5)', 'latency without a limit'],
  ])('the check %s has no counterpart and is named as lost', async (cell, name) => {
    const set = await read(['question', '__expected'], ['x', cell])
    expect(questionsOf(set)[0]).not.toHaveProperty('expect')
    expect(warningsOf(set)[0]).toBe(`set.csv: read as a promptfoo set: 1 question; lost: ${name} 1`)
  })

  test('all checks of a row apply, with the shortest latency', async () => {
    const set = await read(
      ['question', '__expected1', '__expected2', '__expected3', '__expected4'],
      ['x', 'starts-with:Ja', 'not-regex:nein', 'latency(9)', 'latency(5)'],
    )
    const { regex = '', maxLatencyMs } = questionsOf(set)[0]?.expect ?? {}
    const matches = ['Ja, gern', 'Ja, nein', 'So: Ja'].map((text) => new RegExp(regex, 'iu').test(text))
    expect([...matches, maxLatencyMs]).toEqual([true, false, false, 5])
  })

  test('reads prefix, tags, conversation and other metadata; our own column names keep their meaning', async () => {
    const header =
      'id,question,__prefix,__metadata:topic,__metadata:tags[],__metadata:conversationId,__metadata:team,lang,expect_source'
    const cells = ['q1', 'How?', 'Please: ', 'a', String.raw`b\,c, d`, 't', 'net', 'en', 'KB']
    expect(questionsOf(await read(header.split(','), cells))[0]).toMatchObject({
      id: 'q1',
      thread: 't',
      message: 'Please: How?',
      tags: ['a', 'b,c', 'd'],
      expect: { source: { not: false, value: 'KB' } },
      cells: { team: 'net', lang: 'en' },
    })
  })

  test.each([
    ['question,prompt,lang,__expected\na,b,c,d\n', 'a'],
    ['lang,prompt,__expected\na,b,c\n', 'b'],
    ['id,anything,__expected,must_pass\na,b,c,yes\n', 'b'],
    ['lang,input,__expected\na,b,c\n', 'b'],
  ])('finds the question in %j', async (text, message) => {
    expect(questionsOf(await readText(text))[0]?.message).toBe(message)
  })
})

/** Files with the first line of their account and their questions. */
const FILES: readonly (readonly [string, account: string, readonly object[]])[] = [
  [
    'copilot-test-set.csv',
    'a Copilot Studio test set: 2 questions; mapped: expect_answer 1',
    [
      {
        message: 'How do I reset my password?',
        expect: answer('Open the portal, choose "Forgot password".'),
      },
      { message: 'Is there a gym?' },
    ],
  ],
  [
    'copilot-methods.csv',
    'a Copilot Studio test set: 7 questions; mapped: expect_contains 2, expect_regex 1, expect_answer 2; lost: test method without a counterpart 2',
    [
      { expect: answer('Monday to Friday') },
      { expect: { contains: ['reset', 'link'] } },
      { expect: { regex: String.raw`^A-17 \(b\)$` } },
      { expect: { contains: ['card', 'cash'] } },
      { message: 'Tell me a joke' },
      { expect: answer('A model') },
      { message: 'What does it call?' },
    ],
  ],
  [
    'copilot-results.csv',
    'an export of Copilot Studio results: 3 questions; mapped: expect_regex 1, expect_answer 1; lost: test method without a counterpart 2',
    [
      {
        expect: answer('Monday to Friday'),
        cells: { actualResponse: 'We are open Monday to Friday.\nClosed on Sunday.', result_2: 'Pass' },
      },
      { expect: { regex: '^A-17$' }, cells: { actualResponse: 'The code is B-18' } },
      { message: 'Tell me a joke', cells: { explanation_1: 'Seems irrelevant' } },
    ],
  ],
  ...(
    [
      ['ibm.csv', 'How do I reset my password?', 'Use the portal', 2],
      ['infobip.csv', 'What car models do you have?', 'Two: A and B', 1],
      ['foundry.csv', 'What is machine learning?', 'Machine learning learns from data.', 1],
      ['deepeval.csv', "What if these shoes don't fit?", 'A 30-day full refund.', 1],
    ] as const
  ).map(([name, message, expected, count]) => {
    const account = `a list of questions and answers: ${count} ${count === 1 ? 'question' : 'questions'}; mapped: expect_answer 1`
    return [name, account, [{ message, expect: answer(expected) }]] as const
  }),
]

test.each(FILES)('imports %s', async (name, account, questions) => {
  const set = await readValid(`${import.meta.dirname}/fixtures/${name}`)
  expect(warningsOf(set)[0]).toBe(`${name}: read as ${account}`)
  for (const [place, expected] of questions.entries()) {
    expect(questionsOf(set)[place]).toMatchObject(expected)
    if (!('expect' in expected)) expect(questionsOf(set)[place]).not.toHaveProperty('expect')
  }
})

test.each(['question,answer,owner', 'message,answer', 'question,reply'])(
  'the header %s is not a list of questions and answers, which has exactly these two columns',
  async (header) => {
    const set = await readText(`${header}\nx,y\n`)
    expect(questionsOf(set)[0]).not.toHaveProperty('expect')
  },
)
