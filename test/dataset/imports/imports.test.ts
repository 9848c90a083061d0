// Protects the import of other tools' sets: each header is recognised however it was saved, and ours is never taken for
// another's; how cells are mapped, and the account of what is mapped and lost. scenarios/invalid.txt covers faulty sets.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COLUMN_NAMES, COLUMNS } from '../../../src/dataset/columns.ts'
import { chooseFormat, FORMAT_NAMES } from '../../../src/dataset/formats.ts'
import type { QuestionSet } from '../../../src/dataset/read.ts'
import type { Expectations } from '../../../src/domain/question.ts'
import { RESULT_COLUMNS } from '../../../src/domain/result-columns.ts'
import { projectRoot } from '../../support/program.ts'
import { readRows } from '../../support/rows.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { csvOf, questionsOf, readFaults, readValid, warningsOf, writeSet } from '../reading-files.ts'

const folder = temporaryFolder()
const formatOf = (header: readonly string[]): string => chooseFormat(header, undefined)?.name ?? 'native'
const rowsOf = (path: string): string[][] =>
  parse(readFileSync(path), { bom: true, relax_column_count: true })
/** Questions without their place; derived ids are left out. */
const asked = (set: QuestionSet): unknown[] =>
  questionsOf(set).map(({ thread, turn, message, expect: expected, id }) => [
    thread === id ? '' : thread,
    turn,
    message,
    expected,
  ])

type Import = [file: string, format: string, account: string, questions: object[]]
/** Files with their format, the first line of their account, and their questions. */
const FILES = readRows<Import>(new URL('imports.ndjson', import.meta.url))

test.each(FILES)('%s is read as %s, however it was saved', async (file, format, account, questions) => {
  const path = join(import.meta.dirname, 'fixtures', file)
  const [header = [], ...rows] = rowsOf(path)
  expect(formatOf(header)).toBe(format)
  const detected = await readValid(path)
  expect(warningsOf(detected)[0]).toBe(`${file}: read as ${account}`)
  for (const [place, expected] of questions.entries()) {
    expect(questionsOf(detected)[place]).toMatchObject(expected)
    if (!('expect' in expected)) expect(questionsOf(detected)[place]).not.toHaveProperty('expect')
  }
  expect(await readValid(path, format)).toEqual(detected)
  const cased = header.map((name) => ` ${format === 'promptfoo' ? name : name.toUpperCase()} `)
  const saved = writeSet(folder, `\ufeff${csvOf([cased, ...rows], ';')}\r\n`)
  expect(asked(await readValid(saved))).toEqual(asked(detected))
  const native = await readValid(path, 'native').then(warningsOf, () => [])
  expect(native).not.toContainEqual(expect.stringContaining('read as'))
})

test.each([
  ['native', 'conversationId,sender,text,timestamp'],
  ['copilot-test-set', 'Question,Expected response,Testing method,Owner'],
  ['copilot-results', 'question,expectedResponse,actualResponse,testMethodType_1,result_1,Owner'],
])('%s is recognised beside a further column: %s', (format, header) => {
  expect(formatOf(header.split(','))).toBe(format)
})

test('every format has a file in this test', () => {
  expect(new Set([...FILES.map(([, format]) => format), 'native'])).toEqual(new Set(FORMAT_NAMES))
})

test('--format with another header is rejected with the missing columns', async () => {
  expect(await readFaults(writeSet(folder, 'message,owner\nx,y\n'), 'copilot-results')).toEqual([
    'set.csv:1: an export of Copilot Studio results needs "question", "expectedResponse" (found: "message", "owner"); rename the columns, or leave out --format',
  ])
})

test('with --format, further columns are ordinary, and those with our own names keep their meaning', async () => {
  const text = 'question,expectedResponse,id,owner\nx,y,q1,me\n'
  const set = await readValid(writeSet(folder, text), 'copilot-test-set')
  expect(set.threads[0]?.turns[0]).toMatchObject({ id: 'q1', cells: { owner: 'me', expect_answer: 'y' } })
})

describe('our own header is never read as another format:', () => {
  const datasets = join(projectRoot, 'datasets')
  const shipped = readdirSync(datasets).filter((name) => name.endsWith('.csv'))
  test.each([
    ...shipped.map((name) => rowsOf(join(datasets, name))[0] ?? []),
    [...RESULT_COLUMNS, 'owner'],
    ['text', 'category'],
    ['question'],
    ['question', 'expected'],
    ['question', 'tags'],
    ['prompt', 'category'],
    // Even with columns of another format.
    ['thread', 'turn', 'id', 'message', '__expected', '_expected'],
  ])('%s', (...header) => {
    expect(formatOf(header)).toBe('native')
  })

  test('any other names beside our own name of the question, except those with the underscores of promptfoo', () => {
    const foreign = ['answer', 'sender', 'response', 'context', 'Expected Actions']
    const names = fc.constantFrom(
      ...COLUMN_NAMES,
      ...COLUMN_NAMES.flatMap((name) => COLUMNS[name]),
      ...foreign,
    )
    fc.assert(
      fc.property(fc.uniqueArray(names, { maxLength: 6 }), (others) => {
        expect(formatOf(['message', ...others])).toBe('native')
      }),
    )
  })
})

const read = async (...rows: string[][]) => readValid(writeSet(folder, csvOf(rows)))

describe('promptfoo', () => {
  test.each(
    readRows<[check: string, expected: Expectations]>(new URL('promptfoo-checks.ndjson', import.meta.url)),
  )('the check %s becomes an expectation', async (cell, expected) => {
    expect(questionsOf(await read(['question', '__expected'], ['x', cell]))[0]?.expect).toEqual(expected)
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
})
