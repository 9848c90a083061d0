// Sets of other tools: what becomes of their cells, and the account of what was mapped and lost.
import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../../src/domain/question.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importFaults, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const answer = (text: string): Expectations => ({ answer: { text, minSimilarity: 0.5 } })
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const read = async (...lines: string[][]) =>
  importText(folder, lines.map((cells) => cells.map(quote).join(',')).join('\n'))

describe('promptfoo: a check becomes', () => {
  test.each<[string, Expectations]>([
    ['contains: Paris', { contains: ['Paris'] }],
    [String.raw`icontains:a|b\c`, { contains: [String.raw`a|b\c`] }],
    ['contains-all: a, b ,c', { contains: ['a', 'b', 'c'] }],
    ['contains-any: <b>,</span>', { regex: String.raw`<b>|<\/span>` }],
    ['icontains-any:a.b', { contains: ['a.b'] }],
    [String.raw`regex:\d{3}\-\d`, { regex: String.raw`\d{3}-\d` }],
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
  ])('%s', async (cell, expected) => {
    expect(importedIn(await read(['question', '__expected'], ['x', cell]))[0]?.expect).toEqual(expected)
  })

  test.each([
    ['javascript: output.length < 10', 'javascript'],
    ['file://check.js', 'file'],
    ['llm-rubric: is polite', 'llm-rubric'],
    ['similar:cosine(0.8):hello', 'similar'],
    ['not-is-json', 'is-json'],
    ['contains-any: , ', 'expectation without a value'],
    ['not-latency(5)', 'latency without a limit'],
  ])('nothing, and is named: %s', async (cell, name) => {
    const set = await read(['question', '__expected'], ['x', cell])
    expect(importedIn(set)[0]).not.toHaveProperty('expect')
    expect(accountOf(set)[0]).toBe(`set.csv: read as a promptfoo set: 1 question; lost: ${name} 1`)
  })
})

test('promptfoo: expressions of one row all hold, and the shortest latency', async () => {
  const set = await read(
    ['question', '__expected1', '__expected2', '__expected3', '__expected4'],
    ['x', 'starts-with:Ja', 'not-regex:nein', 'latency(9)', 'latency(5)'],
  )
  const { regex = '', maxLatencyMs } = importedIn(set)[0]?.expect ?? {}
  const matches = ['Ja, gern', 'Ja, nein', 'So: Ja'].map((text) => new RegExp(regex, 'iu').test(text))
  expect([...matches, maxLatencyMs]).toEqual([true, false, false, 5])
})

test('promptfoo: prefix, tags, conversation and other metadata; our own names keep their meaning', async () => {
  const set = await read(
    'id,question,__prefix,__metadata:topic,__metadata:tags[],__metadata:conversationId,__metadata:team,lang,expect_source'.split(
      ',',
    ),
    ['q1', 'How?', 'Please: ', 'a', String.raw`b\,c, d`, 't', 'net', 'en', 'KB'],
  )
  expect(questionsOf(set)[0]).toMatchObject({
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
])('promptfoo: the question of %j', async (text, message) => {
  expect(importedIn(await importText(folder, text))[0]?.message).toBe(message)
})

describe('Copilot Studio', () => {
  test.each(['question,expectedResponse', '"Question";"Expected response"'])('%s', async (header) => {
    const separator = /[,;]/.exec(header)?.[0] ?? ''
    const set = await importText(folder, `${header}\nx${separator}y\n`)
    expect(accountOf(set)).toEqual([
      'set.csv: read as a Copilot Studio test set: 1 question; mapped: expect_answer 1',
    ])
    expect(importedIn(set)).toEqual([{ thread: '', turn: 1, message: 'x', expect: answer('y') }])
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
    expect(accountOf(set)[0]).toMatch(
      /lost: test method without an expected response 1, other test method 1$/,
    )
  })

  test('the export of results gives its questions, and keeps the answers of then', async () => {
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
    expect(accountOf(set)[0]).toMatch(/lost: result 4, explanation 3, passingScore 1, /)
  })
})

describe('Botium', () => {
  test('me asks, bot is expected', async () => {
    const set = await importSet(fixture('botium.csv'))
    expect(importedIn(set)).toEqual([
      { thread: 'hello', turn: 1, message: 'hello', expect: answer('Hello! What can I do?') },
      {
        thread: 'hello',
        turn: 2,
        message: 'How do I reset my password?',
        expect: { notContains: ['sorry | unable'], ...answer('Use the portal\nIt takes a minute') },
      },
      { thread: 'login', turn: 1, message: 'Am I logged in?' },
    ])
    expect(accountOf(set)[0]).toBe(
      'botium.csv: read as a set of Botium conversations: 3 questions; mapped: expect_not_contains 1, expect_answer 2; lost: answer before the first question 1, command of Botium 4',
    )
  })

  test('is rejected where someone else speaks, or a name or a question is missing', async () => {
    const rows = 'conversationId,sender,text\na,me,x\na,user,y\n,me,z\nb,me,\nb,bot,w\n'
    expect(await importFaults(folder, rows)).toEqual([
      'set.csv:3: sender "user" is neither me nor bot; write who says it',
      'set.csv:4: a row without a conversationId; name its conversation',
      'set.csv:5: the row has other cells, but no message; write the question, or empty the whole row',
    ])
  })
})

describe('Google CX golden conversations', () => {
  const HEADER = 'display_name,turn_index,action_type,text_content'

  test('a turn is an INPUT_TEXT with what is expected of it; tags stand in the row with the name', async () => {
    const set = await importSet(fixture('google-cx.csv'))
    expect(importedIn(set)).toEqual([
      {
        thread: 'Password reset',
        turn: 1,
        message: 'How do I reset my password?',
        expect: answer('Open the portal.\nThen choose Forgot password.'),
      },
      { thread: 'Password reset', turn: 2, message: 'And on my phone, "offline"?' },
      { thread: 'Greeting', turn: 1, message: 'Is there a gym?' },
      { thread: 'Greeting', turn: 2, message: 'Thanks', expect: answer("You're welcome.") },
    ])
    expect(questionsOf(set).map(({ line, tags, note }) => ({ line, tags, note }))).toEqual([
      { line: 3, tags: ['access', 'urgent'], note: 'names the portal' },
      { line: 8, tags: ['access', 'urgent'], note: undefined },
      { line: 11, tags: [], note: undefined },
      { line: 13, tags: [], note: undefined },
    ])
    expect(accountOf(set)[0]).toMatch(
      /lost: EXPECTATION_TOOL_CALL 1, INPUT_UPDATED_VARIABLES 1, expectation before the first question 1, INPUT_IMAGE 1$/,
    )
  })

  test.each([
    ['a,,,\n,1,INPUT_TEXT,x\n,2,INPUT_TEXT,y\n,1,INPUT_TEXT,z', /^set\.csv:5: turn_index "1" follows 2; /],
    ['a,,,\n,2,INPUT_TEXT,x', /^set\.csv:3: turn_index "2" follows 0; number the turns/],
    [',1,INPUT_TEXT,x', /^set\.csv:2: a step before the first display_name; /],
    ['a,1,INPUT_TEXT,x\nb,1,INPUT_TEXT,y\na,1,INPUT_TEXT,z', /"a" begins in line 2 already$/],
    ['a,,,\n,1,INPUT_VOICE,y', /^set\.csv:3: action_type "INPUT_VOICE" is none of INPUT_TEXT, /],
    ['a,,,\n,1,EXPECTATION_TEXT,x', /no row of the file is a question; is that what it is\?$/],
  ])('%j is rejected', async (rows, fault) => {
    expect(await importFaults(folder, `${HEADER}\n${rows}\n`)).toContainEqual(expect.stringMatching(fault))
  })
})

test.each(['ibm.csv', 'infobip.csv', 'foundry.csv', 'deepeval.csv'])(
  '%s: questions with reference answers',
  async (name) => {
    const set = await importSet(fixture(name))
    expect(accountOf(set)[0]).toMatch(
      /read as a list of questions and answers: \d questions?; mapped: expect_answer 1$/,
    )
    expect(questionsOf(set)[0]?.expect).toEqual(answer(questionsOf(set)[0]?.cells['expect_answer'] ?? ''))
  },
)

test.each(['question,answer,owner', 'message,answer', 'question,reply'])(
  'two columns are a list only where one is the answer, and no other is there: %s',
  async (header) => {
    const set = await importText(folder, `${header}\nx,y\n`)
    expect(importedIn(set)[0]).not.toHaveProperty('expect')
  },
)
