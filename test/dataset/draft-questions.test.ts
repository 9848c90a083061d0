// Protects how `draft` reads exports and finds the question of a ticket.
import { expect, test } from 'vitest'
import { readExports } from '../../src/dataset/draft/export.ts'
import { questionOfTicket, turnsOf } from '../../src/dataset/draft/question.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const ask = (subject: string, text: string) =>
  questionOfTicket({ id: '', tags: [], turns: [{ subject, text }] })?.message

test.each(
  readRows<[subject: string, text: string, question: string | null]>(
    new URL('draft-questions.ndjson', import.meta.url),
  ),
)('the question of "%s" and %j is %j', (subject, text, expected) => {
  expect(ask(subject, text) ?? null).toBe(expected)
})

test('a question without an end is cut', () => {
  expect(ask('', `Why ${'is it so '.repeat(100)}slow?`)?.length).toBeLessThanOrEqual(301)
})

test('whole turns keep what a person wrote, without courtesy', () => {
  const turns = ['Hi', 'My VPN drops. It is slow, too.', 'Thanks!'].map((text) => ({ subject: '', text }))
  expect(turnsOf({ id: 'a', tags: [], turns })).toEqual(['My VPN drops. It is slow, too.'])
})

async function read(text: string | Uint8Array, name = 'tickets.csv', column: string[] = []) {
  const result = await readExports([writeSet(folder, text, name)], column)
  if ('faults' in result) throw new Error(result.faults.map(({ message }) => message).join('\n'))
  return result
}

test.each(readRows<[text: string, ticket: object]>(new URL('draft-exports.ndjson', import.meta.url)))(
  '%j is read by its headers',
  async (text, ticket) => {
    expect((await read(text)).tickets).toEqual([ticket])
  },
)

test('--column names the columns of a workbook', async () => {
  const book = workbookOf({ S: textRow('Nr', 'Was ist los') + textRow('1', 'Why?') })
  const { tickets, files } = await read(book, 'export.xlsx', ['message=Was ist los'])
  expect(tickets).toEqual([{ id: '', turns: [{ subject: '', text: 'Why?' }], tags: [] }])
  expect(files[0]?.columns).toEqual([{ header: 'Was ist los', column: 'message' }])
})
