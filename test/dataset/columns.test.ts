// Protects headers and cells: which header is which column, what its cells mean, and which columns are
// ordinary.
import { expect, test } from 'vitest'
import { COLUMNS, type ColumnName } from '../../src/dataset/columns.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { csvOf, questionsOf, readFaults, readValid, warningsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string) => readValid(writeSet(folder, text))
/** The only question; what it lacks is null. */
const only = async (text: string) => ({ expect: null, weight: null, ...questionsOf(await read(text))[0] })
const rowsOf = <Row extends readonly unknown[]>(file: string) => readRows<Row>(new URL(file, import.meta.url))

/** Each column with its other names, a cell, and the fields of the question that it gives. */
const NAMES = rowsOf<[ColumnName, others: string[], cell: string, fields: object]>('columns.ndjson')

test('the table lists every column with all its names', () => {
  expect(Object.fromEntries(NAMES.map(([name, others]) => [name, others]))).toEqual(COLUMNS)
})

test.each([
  ...NAMES.flatMap(([name, others, ...rest]) =>
    [name, ...others].map((header) => [header, ...rest] as const),
  ),
  ...['Message', ' MESSAGE ', 'mes-sage', '"message"', 'Message:', 'ＭＥＳＳＡＧＥ', 'mes_sage'].map(
    (header) => [header, ' why? ', { message: 'why?' }] as const,
  ),
])('the header %s is read, whatever its case, spaces and punctuation', async (header, cell, fields) => {
  const isMessage = 'message' in fields && fields.message === 'why?'
  const text = isMessage ? `x,${header}\ny,${cell}\n` : `message,${header}\nhello,${cell}\n`
  expect(await only(text)).toMatchObject(fields)
})

test.each(rowsOf<[columns: string, cells: string | string[], fields: object]>('cells.ndjson'))(
  'the cell of %s %j gives %j',
  async (columns, cells, fields) => {
    const text = csvOf([['message', 'owner', ...columns.split(',')], ['x', 'y', cells].flat()])
    expect(await only(text)).toMatchObject(fields)
  },
)

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

test.each(
  rowsOf<[text: string, column: string[], question: object, columns: (string | null)[]]>(
    'named-columns.ndjson',
  ),
)('--column reads a column as another: %j with %j', async (text, column, question, columns) => {
  const reading = await readQuestionSets([writeSet(folder, text)], { column })
  expect(reading).toMatchObject({
    kind: 'valid',
    set: {
      threads: [{ turns: [question] }],
      files: [{ columns: columns.map((name) => ({ column: name })) }],
    },
  })
})

test.each(['Question', 'Frage'])(
  'a row with the cell %s is no header of the table above it',
  async (cell) => {
    const faults = await readFaults(writeSet(folder, `Ticket,Betreff,Body\n1,Login,x\n2,${cell},Why?\n`))
    expect(faults).toEqual([expect.stringMatching('^set.csv:1: .*column message is missing')])
  },
)

test('a header of --column that no file has is a fault', async () => {
  const reading = await readQuestionSets([writeSet(folder, 'message\na\n')], { column: ['id=Ref'] })
  const message = 'no column is called so: --column id=Ref; name one of the header'
  expect(reading).toMatchObject({ faults: [{ message }] })
})

test.each(rowsOf<[header: string, said: string]>('odd-columns.ndjson'))(
  'the column %s looks like an expectation or a known column, and is a fault',
  async (header, said) => {
    const faults = await readFaults(writeSet(folder, `message,${header}\nx,y\n`))
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^set.csv:1: .*${said}`))])
  },
)

test.each([
  'message,context,output,response,retrieved_contexts,reference_contexts,metadata,model_output,score,gender,rule',
  'message,life expectancy,content,target,notes,correct,similarity',
  'message,owner,priority,test,source,steps,notes,version,reviews,answer_id',
  'message,thread,session,sessions,conversations,question,input',
  'message,tags,topics,labels,intents,glass',
  'message,turn,turns,step,return',
])('ordinary words, and other names beside the own name, are ordinary columns: %s', async (header) => {
  const names = header.split(',').filter((name) => !['message', 'thread', 'tags', 'turn'].includes(name))
  const set = await read(`${header}\n${header.replaceAll(/[^,]+/g, '0')}\n`)
  expect([set.columns, set.warnings]).toEqual([names, []])
})

test('a note says how to compare answers with those of a column that no expectation is made of', async () => {
  expect(warningsOf(await read('id,question,answer\n1,x,y\n'))).toEqual([
    'set.csv:1: columns that are not read: "answer" (like expect_answer); choose them, as in --column expect_answer=answer',
  ])
})

test.each([
  ['message,category,topic,Category\nx,a;b,c; a ;,d\n', ['a', 'b', 'c', 'd']],
  ['message,tags,Tags\nx,a,b\n', ['a', 'b']],
])('several columns of tags are joined: %j', async (text, tags) => {
  expect((await only(text)).tags).toEqual(tags)
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
