// promptfoo's CSV: what becomes of each of its checks and columns.
import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../../src/domain/question.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importFaults, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const read = async (...lines: string[][]) =>
  importText(folder, lines.map((cells) => cells.map(quote).join(',')).join('\n'))

describe('a check becomes', () => {
  const check = async (cell: string) => read(['question', '__expected'], ['x', cell])
  const both = String.raw`^(?!(?:(?=[\s\S]*a)(?=[\s\S]*b)))`

  test.each<[string, Expectations]>([
    ['contains: Paris', { contains: ['Paris'] }],
    ['icontains:PARIS', { contains: ['PARIS'] }],
    [String.raw`contains:a|b\c`, { contains: [String.raw`a|b\c`] }],
    ['contains-all: a, b ,c', { contains: ['a', 'b', 'c'] }],
    ['icontains-all:a,b', { contains: ['a', 'b'] }],
    ['contains-any: <b>,</span>', { regex: String.raw`<b>|<\/span>` }],
    ['icontains-any:a.b', { contains: ['a.b'] }],
    ['regex:\\d{3}', { regex: String.raw`\d{3}` }],
    ['equals: 4', { regex: '^4$' }],
    ['4', { regex: '^4$' }],
    ['Yes: of course', { regex: '^Yes: of course$' }],
    ['Contains: not a type of theirs', { regex: '^Contains: not a type of theirs$' }],
    ['starts-with:Hello (you)', { regex: String.raw`^Hello \(you\)` }],
    ['latency(2000)', { maxLatencyMs: 2000 }],
    ['latency:1500.5', { maxLatencyMs: 1500.5 }],
    ['not-contains:sorry', { notContains: ['sorry'] }],
    ['not-icontains:sorry', { notContains: ['sorry'] }],
    ['not-contains-any:a,b', { notContains: ['a', 'b'] }],
    ['not-contains-all:a,b', { regex: both }],
    ['not-regex:^a', { regex: String.raw`^(?![\s\S]*(?:^a))` }],
    ['not-equals:4', { regex: '^(?!(?:4$))' }],
    ['not-starts-with:No', { regex: '^(?!(?:No))' }],
  ])('%s', async (cell, expected) => {
    expect(importedIn(await check(cell))[0]?.expect).toEqual(expected)
  })

  test.each([
    ['javascript: output.length < 10', 'javascript'],
    ['fn:output.includes("a")', 'javascript'],
    ['eval: 1', 'javascript'],
    ['python: len(output) > 1', 'python'],
    ['file://check.js', 'file://'],
    ['file://check.py:grade', 'file://'],
    ['package:@acme/checks:grade', 'package:'],
    ['llm-rubric: is polite', 'llm-rubric'],
    ['grade: is polite', 'llm-rubric'],
    ['similar(0.8):hello', 'similar'],
    ['similar:cosine(0.8):hello', 'similar'],
    ['levenshtein(5):hello', 'levenshtein'],
    ['is-json', 'is-json'],
    ['not-is-json', 'is-json'],
    ['factuality: the sky is blue', 'factuality'],
    ['cost(0.01)', 'cost'],
    ['webhook:https://example.com', 'webhook'],
    ['trajectory:tool-used: search', 'trajectory'],
    ['contains:', 'expectation without a value'],
    ['contains-any: , ', 'expectation without a value'],
    ['latency', 'latency without a limit'],
    ['not-latency(5)', 'not-latency'],
  ])('nothing, and is named: %s', async (cell, name) => {
    const set = await check(cell)
    expect(importedIn(set)[0]).not.toHaveProperty('expect')
    expect(accountOf(set)[0]).toBe(`set.csv: read as a promptfoo set: 1 question; lost: ${name} 1`)
  })
})

test('several checks of a row are joined; the shortest latency holds', async () => {
  const set = await read(
    ['question', '__expected1', '__expected2', '__expected3', '__expected4', '__expected5'],
    ['x', 'contains:a', 'contains:b', 'contains-any:c,d', 'not-regex:e', 'latency(5)'],
    ['y', 'latency(9)', '', 'latency(8)', String.raw`regex:(a)\1`, String.raw`regex:(b)\1`],
  )
  expect(importedIn(set).map((one) => one.expect)).toEqual([
    { contains: ['a', 'b'], regex: String.raw`^(?=[\s\S]*(?:c|d))(?![\s\S]*(?:e))`, maxLatencyMs: 5 },
    { regex: String.raw`(a)\1`, maxLatencyMs: 8 },
  ])
  expect(accountOf(set)[0]).toContain('lost: regex with groups of its own 1')
})

test('a file as promptfoo reads it, and its account', async () => {
  const set = await importSet(fixture('promptfoo.csv'))
  expect(accountOf(set)).toEqual([
    'promptfoo.csv: read as a promptfoo set: 7 questions; mapped: contains 1, icontains-any 1, __prefix or __suffix 1, equals 2, contains-all 1, not-contains 1, latency 1, starts-with 1, not-regex 1, not-icontains-any 1; lost: __metric 1, javascript 1, llm-rubric 1, similar 1, python 1, file:// 1, is-json 1, not-latency 1',
    'promptfoo.csv:2: __metric (1): the harness names no single checks',
    'promptfoo.csv:2: javascript (1): code is never executed; nothing is checked by it',
    'promptfoo.csv:7: llm-rubric (1): the harness has no such check; nothing is checked by it',
    'promptfoo.csv:7: similar (1): the harness has no such check; nothing is checked by it',
    'promptfoo.csv:7: python (1): code is never executed; nothing is checked by it',
    'promptfoo.csv:8: file:// (1): code is never executed; nothing is checked by it',
    'promptfoo.csv:8: is-json (1): the harness has no such check; nothing is checked by it',
    'promptfoo.csv:8: not-latency (1): the harness knows no slowest that an answer must exceed',
    'promptfoo.csv:2: row with variables beside the question (7): the prompt they belong in is in promptfooconfig.yaml, not here; the question is sent alone, they are carried along',
    'promptfoo.csv:2: __threshold (1): promptfoo lets a part of the checks fail; here every one must pass',
    'promptfoo.csv:2: equals, contains, starts-with or regex (7): promptfoo minds the case here, the harness never does',
    'promptfoo.csv:3: without a type (1): promptfoo compares the whole cell with the answer, and so does the harness; write contains: before words that the answer should hold',
  ])
  const [first, , , fourth] = questionsOf(set)
  expect(first).toMatchObject({
    message: 'Please answer: How do I reset my password? (be concise)',
    tags: ['access', 'a,b', 'urgent'],
    expect: { contains: ['portal'], regex: 'reset|renew' },
    cells: { owner: 'Zoë', description: 'reset', language: 'en' },
    line: 2,
  })
  expect(fourth?.expect).toEqual({ regex: String.raw`^5 \(five\) minutes$`, maxLatencyMs: 1500 })
})

describe('the question is', () => {
  test.each([
    ['question', 'question,prompt,lang,__expected\na,b,c,d\n', 'a'],
    ['message before question', 'question,message,__expected\na,b,c\n', 'b'],
    ['prompt', 'lang,prompt,__expected\na,b,c\n', 'b'],
    ['the only plain column', '__expected,topic of the day\na,b\n', 'b'],
    ['the only plain column beside ours', 'id,anything,__expected,must_pass\na,b,c,yes\n', 'b'],
    ['input, where no better name is there', 'lang,input,__expected\na,b,c\n', 'b'],
  ])('%s', async (_name, text, message) => {
    expect(importedIn(await importText(folder, text))[0]?.message).toBe(message)
  })

  test('not to be found among several variables', async () => {
    expect(await importFaults(folder, 'language,body,__expected\na,b,c\n')).toEqual([
      'set.csv:1: no column of a promptfoo set holds the questions (variables: "language", "body"); name it "message", or question, prompt or query',
    ])
  })

  test('missing in a row, which has its line', async () => {
    expect(await importFaults(folder, 'question,__expected,__prefix\nx,1,p\n,2,p\n')).toEqual([
      'set.csv:3: the row has other cells, but no message; write the question, or empty the whole row',
    ])
  })
})

test('metadata: tags, the conversation, and columns of their own that never pass for ours', async () => {
  const set = await read(
    [
      'question',
      '__metadata:topic',
      '__metadata:tags[]',
      '__metadata:conversationId',
      '__metadata:id',
      '__metadata:team',
      'tags',
    ],
    ['x', 'a', String.raw`b\,c,d;e`, 't', '7', 'net', 'f;g'],
    ['y', '', '', 't', '8', 'net', ''],
  )
  expect(questionsOf(set).map(({ thread, turn, tags, cells }) => ({ thread, turn, tags, cells }))).toEqual([
    { thread: 't', turn: 1, tags: ['a', 'b,c', 'd,e', 'f', 'g'], cells: { 'metadata:id': '7', team: 'net' } },
    { thread: 't', turn: 2, tags: [], cells: { 'metadata:id': '8', team: 'net' } },
  ])
})

test('our own names beside promptfoo keep their meaning; other words are variables, the reference answer too', async () => {
  const set = await read(
    ['id', 'question', 'category', 'expected', 'expect_source', '__expected'],
    ['q1', 'x', 'c', 'e', 'KB', 'contains:a'],
  )
  expect(questionsOf(set)[0]).toMatchObject({
    id: 'q1',
    tags: [],
    expect: { source: { not: false, value: 'KB' }, contains: ['a'] },
    cells: { category: 'c', 'expected (imported)': 'e', expect_source: 'KB', expect_contains: 'a' },
  })
})

test('a column of ours that promptfoo fills is a fault, and so is a variable that stands twice', async () => {
  expect(await importFaults(folder, 'question,expect_contains,lang,Lang,__expected\na,b,c,d,e\n')).toEqual([
    'set.csv:1: the column "expect_contains" stands beside those that a promptfoo set fills it from; rename or delete it',
    'set.csv:1: the column "lang" stands more than once (columns 3 and 4); rename or delete all but one',
  ])
})

test('the question stands once', async () => {
  expect(await importFaults(folder, 'question,Question?,__expected\na,b,c\n')).toEqual([
    'set.csv:1: the column "question" stands more than once (columns 1 and 2); rename or delete all but one',
  ])
})

test.each(['question,_expected\nx,contains:a\n', 'question,_expected,__metadata:team\nx,contains:a,t\n'])(
  'one underscore is a typo: nothing is expected, and it is said: %j',
  async (text) => {
    const set = await importText(folder, text)
    expect(importedIn(set)[0]).not.toHaveProperty('expect')
    expect(questionsOf(set)[0]?.cells['_expected (imported)']).toBe('contains:a')
    expect(accountOf(set)).toContainEqual(
      'set.csv:1: column "_expected" (1): with one underscore it is a variable, as in promptfoo, and nothing is expected by it; did you mean "__expected"?',
    )
  },
)

test('a threshold of a __config column is that of its check: a latency takes it, others say it is lost', async () => {
  const set = await read(
    [
      'question',
      '__expected1',
      '__config:__expected1:threshold',
      '__expected2',
      '__config:__expected2:threshold',
      '__config:__expected1:weight',
    ],
    ['x', 'latency', '750', 'contains:a', '0.5', '2'],
  )
  expect(importedIn(set)[0]?.expect).toEqual({ contains: ['a'], maxLatencyMs: 750 })
  expect(accountOf(set)[0]).toContain('lost: __config 1, __config threshold 1')
})

test('placeholders and file names in questions are sent as they are, and said', async () => {
  const account = accountOf(
    await read(['question', '__expected'], ['Hi {{name}}', '1'], ['file://q.txt', '1']),
  )
  expect(account).toContainEqual(
    expect.stringContaining('set.csv:2: question with {{ }} (1): promptfoo fills it'),
  )
  expect(account).toContainEqual(
    expect.stringContaining('set.csv:3: question that names a file:// (1): no file is read'),
  )
})

test('a broken regular expression is a fault with its line', async () => {
  expect(await importFaults(folder, 'question,__expected\nx,contains:a\ny,regex:(\n')).toEqual([
    expect.stringMatching(/^set\.csv:3: expect_regex "\(" is no regular expression/),
  ])
})

test('ids are the same whatever else changes in the file', async () => {
  const ids = async (text: string): Promise<string[]> =>
    questionsOf(await importText(folder, text)).map(({ id }) => id)
  const before = await ids('question,__expected\na,1\nb,2\na,3\n')
  expect(new Set(before).size).toBe(3)
  expect(await ids('lang,question,__expected1,__expected2\nen,new,1,\nen,a,x,y\n,b,2,\n,a,3,\n')).toEqual([
    expect.any(String),
    ...before,
  ])
})
