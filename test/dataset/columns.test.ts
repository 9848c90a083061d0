// Protects headers and cells: which header is which column, what its cells mean, which columns are ordinary; and what a
// set of other tools, of chats and of spreadsheets is read as, and what is said of it.
import { expect, test } from 'vitest'
import { type ColumnName, COLUMNS } from '../../src/dataset/columns.ts'
import { formatFault } from '../../src/dataset/messages.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { csvOf, questionsOf, readFaults, readValid, rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string) => readValid(writeSet(folder, text))
/** The only question; what it lacks is null. */
const only = async (text: string) => ({ expect: null, weight: null, ...questionsOf(await read(text))[0] })

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

test.each(rowsOf<[header: string, said: string]>('odd-columns.ndjson'))(
  'the column %s looks like an expectation or a known column, and is a fault',
  async (header, said) => {
    const faults = await readFaults(writeSet(folder, `message,${header}\nx,y\n`))
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^set.csv:1: .*${said}`))])
  },
)

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

test.each(
  rowsOf<[what: string, text: string, column: string[], questions: string[], said: string[]]>(
    'exports.ndjson',
  ),
)('%s: %j', async (_, text, column, questions, said) => {
  const reading = await readQuestionSets([writeSet(folder, text, 'export.csv')], { column })
  const set = reading.kind === 'valid' ? questionsOf(reading.set) : []
  const shown = set.map(({ message, tags, cells }) =>
    [message, tags.join(';'), ...Object.entries(cells).map((pair) => pair.join('='))].join('|'),
  )
  expect(shown).toEqual(questions)
  const messages = reading.kind === 'valid' ? reading.set.warnings : reading.faults.map(formatFault)
  expect(messages).toEqual(said.map((part) => expect.stringContaining(part)))
})
