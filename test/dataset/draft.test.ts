// Protects `draft`: how exports are read, the question of a ticket, and masking (draft-masking.txt lists texts with what is
// to be masked, and harmless ones).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { htmlToText } from '../../src/articles/html.ts'
import { readExports } from '../../src/dataset/draft/export.ts'
import { createMask } from '../../src/dataset/draft/mask.ts'
import { questionOf } from '../../src/dataset/draft/question.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const ask = (subject: string, text: string) =>
  questionOf([{ subject: htmlToText(subject), text: htmlToText(text) }])

test.each(rowsOf<[subject: string, text: string, question: string | null]>('draft-questions.ndjson'))(
  'the question of "%s" and %j is %j',
  (subject, text, expected) => {
    expect(ask(subject, text)?.message ?? null).toBe(expected)
  },
)

test('a long text ends with a sentence, or within one that has no end', () => {
  const sentence = 'This is what happens, e.g. on floor 3 since Monday. '
  expect(ask('', sentence.repeat(9))).toEqual({
    message: sentence.repeat(5).trim(),
    original: sentence.repeat(9),
    isShortened: true,
  })
  expect(ask('', `Why ${'is it so '.repeat(100)}slow?`)?.message).toMatch(/^Why .{280,295}…$/)
})

test('the first turn that says something is the question', () => {
  const turns = ['Hi', 'My VPN drops. It is slow, too.', 'Thanks!', 'Why?'].map((text) => ({
    subject: '',
    text,
  }))
  expect(questionOf(turns)?.message).toBe('My VPN drops. It is slow, too.')
})

async function read(text: string | Uint8Array, name = 'tickets.csv', column: string[] = []) {
  const result = await readExports([writeSet(folder, text, name)], column)
  if ('faults' in result) throw new Error(result.faults.map(({ message }) => message).join('\n'))
  return result
}

test.each(rowsOf<[text: string, ticket: object]>('draft-exports.ndjson'))(
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

const MARK = /«([a-z-]+):([^»]*)»/g

const cases = readFileSync(new URL('draft-masking.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll(String.raw`\n`, '\n'))
  .map((line) => ({
    given: line.replaceAll(MARK, '$2'),
    expected: line.replaceAll(MARK, '[$1]'),
    personal: line.match(MARK)?.length ?? 0,
  }))

const masked = (text: string): string => createMask([text], (kind) => `[${kind}]`)(text)
const wrong = (some: typeof cases) => some.filter(({ given, expected }) => masked(given) !== expected)

test('at least 98 % of the personal data are masked, each by its kind', () => {
  const some = cases.filter(({ personal }) => personal > 0)
  expect(some.length).toBeGreaterThan(150)
  const missed = wrong(some)
  expect(missed.length / some.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(0.02)
})

test('at most 1 % of the harmless texts are touched', () => {
  const some = cases.filter(({ personal }) => personal === 0)
  expect(some.length).toBeGreaterThan(100)
  const touched = some.filter(({ given }) => masked(given) !== given)
  expect(touched.length / some.length, JSON.stringify(touched, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a name is masked wherever the text repeats it', () => {
  expect(masked('Hi Tom,\nwhen is Tom back?\nBest regards,\nEva Stein')).toBe(
    'Hi [name],\nwhen is [name] back?\nBest regards,\n[name]',
  )
})

test('what is masked stays masked', () => {
  for (const { expected } of cases) expect(masked(expected)).toBe(expected)
})
