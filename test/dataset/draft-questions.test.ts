// Protects how `draft` reads exports and finds the question of a ticket.
import { expect, test } from 'vitest'
import { htmlToText } from '../../src/articles/html.ts'
import { readExports } from '../../src/dataset/draft/export.ts'
import { questionsOf } from '../../src/dataset/draft/question.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const ask = (subject: string, text: string) =>
  questionsOf([{ subject: htmlToText(subject), text: htmlToText(text) }])[0]

test.each(
  readRows<[subject: string, text: string, question: string | null]>(
    new URL('draft-questions.ndjson', import.meta.url),
  ),
)('the question of "%s" and %j is %j', (subject, text, expected) => {
  expect(ask(subject, text)?.message ?? null).toBe(expected)
})

test('a long text ends with a sentence, or within one that has no end', () => {
  const sentence = 'This is what happens, e.g. on floor 3 since Monday. '
  expect(ask('', sentence.repeat(9))).toEqual({
    message: sentence.repeat(5).trim(),
    original: sentence.repeat(9),
    isShortened: true,
  })
  expect(ask('', `Why ${'is it so '.repeat(100)}slow?`)?.message).toMatch(/^Why .{280,295}…$/)
})

test('all turns that say something are kept', () => {
  const turns = ['Hi', 'My VPN drops. It is slow, too.', 'Thanks!', 'Why?'].map((text) => ({
    subject: '',
    text,
  }))
  expect(questionsOf(turns).map(({ message }) => message)).toEqual(['My VPN drops. It is slow, too.', 'Why?'])
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
  const { tickets, headers } = await read(book, 'export.xlsx', ['message=Was ist los'])
  expect(tickets).toEqual([{ id: '', turns: [{ subject: '', text: 'Why?' }], tags: [] }])
  expect(headers).toEqual(['Was ist los'])
})
