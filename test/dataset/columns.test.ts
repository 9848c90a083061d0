// Protects headers and cells: which header is which column, what its cells mean, and which columns are
// ordinary.
import { describe, expect, test } from 'vitest'
import { COLUMNS, type ColumnName } from '../../src/dataset/columns.ts'
import type { Question } from '../../src/domain/question.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { questionsOf, readFaults, readValid, warningsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string) => readValid(writeSet(folder, text))
const only = async (text: string): Promise<Question> => {
  const [question] = questionsOf(await read(text))
  if (question === undefined) throw new Error('no question')
  return question
}

/** Each column with its other names, a cell, and the resulting fields of the question. */
const NAMES: readonly (readonly [ColumnName, others: string[], cell: string, Partial<Question>])[] = [
  [
    'message',
    ['question', 'prompt', 'query', 'utterance', 'text', 'input', 'user input'],
    ' why? ',
    { message: 'why?' },
  ],
  ['role', ['sender', 'author', 'speaker'], 'End-User', { message: 'hello' }],
  ['thread', ['conversation', 'conversation id', 'session'], 'a', { thread: 'a' }],
  ['turn', ['turn index', 'step'], '1', { turn: 1 }],
  ['id', ['question id', 'test id', 'case id'], 'q1', { id: 'q1' }],
  ['end_user_ref', [], 'user-17', { endUserRef: 'user-17' }],
  ['tags', ['tag', 'category', 'topic', 'intent', 'class', 'label'], 'a; b ;a', { tags: ['a', 'b'] }],
  ['weight', ['count', 'volume', 'frequency'], '2.5', { weight: 2.5 }],
  ['expect_source', [], 'KB', { expect: { source: { not: false, value: 'KB' } } }],
  ['expect_contains', [], 'VPN| log in |', { expect: { contains: ['VPN', 'log in'] } }],
  ['expect_not_contains', [], 'sorry', { expect: { notContains: ['sorry'] } }],
  ['expect_regex', [], '^a|b$', { expect: { regex: '^a|b$' } }],
  [
    'expect_answer',
    [
      'expected',
      'expected output',
      'expected response',
      'expected answer',
      'reference',
      'reference answer',
      'ground truth',
    ],
    ' Use it. ',
    { expect: { answer: { text: 'Use it.', minSimilarity: 0.5 } } },
  ],
  ['max_latency_ms', [], '2500', { expect: { maxLatencyMs: 2500 } }],
  ['must_pass', [], 'x', { mustPass: true }],
]

test('this table lists every column with all its names', () => {
  expect(Object.fromEntries(NAMES.map(([name, others]) => [name, others]))).toEqual({
    ...COLUMNS,
    min_similarity: undefined,
  })
})

test.each(
  NAMES.flatMap(([name, others, ...rest]) => [name, ...others].map((one) => [one, ...rest] as const)),
)('the header %s is read', async (header, cell, fields) => {
  const message = cell === ' why? ' ? '' : 'message,'
  const text = message === '' ? '' : 'hello,'
  expect(await only(`${message}${header}\n${text}${cell}\n`)).toMatchObject(fields)
})

test.each(['Message', ' MESSAGE ', 'mes-sage', '"message"', 'Message:', 'ＭＥＳＳＡＧＥ', 'mes_sage'])(
  'a header matches whatever its case, spaces and punctuation: %s',
  async (header) => {
    expect((await only(`id,${header}\n1,hello\n`)).message).toBe('hello')
  },
)

describe('a cell', () => {
  const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
  const cellOf = async (column: string, cell: string): Promise<Question> =>
    only(`message,owner,${column}\nx,y,${quote(cell)}\n`)

  test.each([
    ['expect_source', ' ! NONE ', { source: { not: true, value: 'NONE' } }],
    [
      'expect_contains',
      String.raw`a\|b|c\\d|e\f|g\\|h`,
      { contains: ['a|b', String.raw`c\d`, String.raw`e\f`, 'g\\', 'h'] },
    ],
    ['expect_not_contains', 'sorry|\nunable', { notContains: ['sorry', 'unable'] }],
    ['expect_regex', String.raw`^reset \p{L}+|"quoted"$`, { regex: String.raw`^reset \p{L}+|"quoted"$` }],
    ['max_latency_ms', '2500,5', { maxLatencyMs: 2500.5 }],
    ['expect_source', ' ', undefined],
    ['expect_contains', ' ', undefined],
    ['expect_answer', ' ', undefined],
    ['min_similarity', '0.7', undefined],
  ])('%s %j', async (column, cell, expected) => {
    expect((await cellOf(column, cell)).expect).toEqual(expected)
  })

  test.each([
    ['0', 0],
    ['1.0', 1],
    ['.75', 0.75],
    ['0,7', 0.7],
  ])('min_similarity %s', async (cell, minSimilarity) => {
    const { expect: expected } = await only(`message;expect_answer;min_similarity\nx;y;${cell}\n`)
    expect(expected?.answer?.minSimilarity).toBe(minSimilarity)
  })

  test.each([
    ['true', true],
    ['Yes', true],
    ['1', true],
    ['X', true],
    ['FALSE', false],
    ['no', false],
    ['0', false],
    ['', false],
  ])('must_pass %j is %j', async (cell, mustPass) => {
    expect((await cellOf('must_pass', cell)).mustPass).toBe(mustPass)
  })

  test.each([
    ['12', 12],
    ['1204.0', 1204],
    ['0.000001', 1e-6],
    ['1000000000', 1e9],
    [' ', undefined],
  ])('weight %j', async (cell, weight) => {
    const question = await cellOf('weight', cell)
    expect(question.weight).toBe(weight)
    expect(question.cells['weight']).toBe(cell)
  })

  test.each([
    '8d8ac610-566d-4ef0-9c22-186b2a5ed793',
    'tenant@17',
    'a+1',
    '+12',
    '0151 234567',
    'AbC+/12345678=',
  ])('end_user_ref %s is opaque', async (cell) => {
    expect((await cellOf('end_user_ref', cell)).endUserRef).toBe(cell)
  })
})

test("if a column's own name is present, its other names are ordinary columns", async () => {
  const set = await read('question,message,Category,tags,Expected,expect_answer\na,b,c,d,e,f\n')
  expect(questionsOf(set)[0]).toMatchObject({
    message: 'b',
    tags: ['d'],
    expect: { answer: { text: 'f' } },
    cells: { question: 'a', Category: 'c', Expected: 'e', expect_answer: 'f' },
  })
  expect(set.columns).toEqual(['question', 'Category', 'Expected', 'expect_answer'])
})

describe('--column', () => {
  const mapped = async (text: string, ...column: string[]) =>
    readQuestionSets([writeSet(folder, text)], { column })

  test('reads a column as another, beside its other names, and below a title', async () => {
    const text = 'Questions of May\nRef,Text,Long Description,Team\n7,a,Why?,x\n'
    const reading = await mapped(text, 'message=long_description', 'id=Ref', 'tags=Team')
    expect(reading).toMatchObject({
      kind: 'valid',
      set: {
        threads: [{ turns: [{ id: '7', message: 'Why?', tags: ['x'], cells: { Text: 'a' } }] }],
        files: [{ columns: [{ header: 'Ref', column: 'id' }, { column: null }, { column: 'message' }, {}] }],
      },
    })
  })

  test.each([
    ['Frage,Antwort\nWhy?,So\n', ['message=Frage', 'expect_answer=Antwort'], 'Why?'],
    ['x,y,__expected\nWhy?,b,c\n', ['message=x'], 'Why?'],
  ])('%j with %j', async (text, column, message) => {
    const reading = await mapped(text, ...column)
    expect(reading).toMatchObject({ kind: 'valid', set: { threads: [{ turns: [{ message }] }] } })
  })

  test('a header that no file has is a fault', async () => {
    const reading = await mapped('message\na\n', 'id=Ref')
    expect(reading).toMatchObject({
      faults: [{ message: 'no column is called so: --column id=Ref; name one of the header' }],
    })
  })
})

test.each(readRows(new URL('odd-columns.ndjson', import.meta.url)))(
  'the column %s looks like an expectation or a known column, and is a fault',
  async (header, said) => {
    const faults = await readFaults(writeSet(folder, `message,${header}\nx,y\n`))
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^set.csv:1: .*${said}`))])
  },
)

test.each([
  ['expected_pattern', 'expect_answer=expected_pattern'],
  ['gold answer', "'expect_answer=gold answer'"],
  ["expected 'tone'", String.raw`'expect_answer=expected '\''tone'\'''`],
])('the fault of the column %s says what to write on a command line', async (header, option) => {
  const [fault] = await readFaults(writeSet(folder, `message,${header}\nx,y\n`))
  expect(fault?.split(' as in ')[1]).toBe(`--column ${option}`)
})

test.each([
  'context,output,response,retrieved_contexts,reference_contexts,metadata,model_output,score,gender,rule',
  'life expectancy,content,target,notes,correct,similarity',
])('the columns %s are ordinary', async (header) => {
  expect((await read(`message,${header}\nx${',y'.repeat(header.split(',').length)}\n`)).columns).toEqual(
    header.split(','),
  )
})

test.each([
  ['id,question,answer\n1,x,y\n', 'answer', 'to compare answers with it, add --column expect_answer=answer'],
  [
    'senderType,text\nagent,x\nvisitor,y\n',
    'senderType',
    'to leave out the rows of the assistant, add --column role=senderType',
  ],
])('a note names a column that may be more than an ordinary one: %j', async (text, header, advice) => {
  expect(warningsOf(await read(text))).toEqual([
    `set.csv:1: "${header}" is an ordinary column here; ${advice}`,
  ])
})

test('several tags columns are joined', async () => {
  expect((await only('message,category,topic,Category\nx,a;b,c; a ;,d\n')).tags).toEqual(['a', 'b', 'c', 'd'])
  expect((await only('message,tags,Tags\nx,a,b\n')).tags).toEqual(['a', 'b'])
})

test('ordinary columns keep names, order and cells; a missing cell is empty', async () => {
  const set = await read('Owner,message,expect source,__proto__,#,7\n" Zoë ",x,!NONE,p,h,s\n,y\n')
  const columns = ['Owner', 'expect_source', '__proto__', '#', '7']
  expect(set.columns).toEqual(columns)
  const cells = questionsOf(set).map((question) => columns.map((name) => question.cells[name]))
  expect(cells).toEqual([
    [' Zoë ', '!NONE', 'p', 'h', 's'],
    ['', '', '', '', ''],
  ])
})

test('files share a column that they spell differently, under its first name', async () => {
  const first = writeSet(folder, 'message,Team Name\na,x\n', 'first.csv')
  const second = writeSet(folder, 'team_name;message;Site\ny;b;z\n', 'second.csv')
  const set = await readValid([first, second])
  expect(set.columns).toEqual(['Team Name', 'Site'])
  expect(questionsOf(set).map(({ cells, file }) => ({ cells, file }))).toEqual([
    { cells: { 'Team Name': 'x' }, file: 0 },
    { cells: { 'Team Name': 'y', Site: 'z' }, file: 1 },
  ])
})

test.each([
  'message,owner,priority,test,source,steps,notes,version,reviews,answer_id',
  'message,thread,session,sessions,conversations,question,input',
  'message,tags,topics,labels,intents,glass',
  'message,turn,turns,step,return',
])('ordinary words, and other names beside the own name, are not misspelt columns: %s', async (header) => {
  expect((await read(`${header}\n${header.replaceAll(/[^,]+/g, '0')}\n`)).warnings).toEqual([])
})
